#pragma once

#include "carom/simulate/summary.h"

namespace carom::simulate {

/// The numbers of a summary that a run adds to as it goes, by name: visit(name, number), the number a long or a double.
template <class Ledger, class Visit>
void for_each_energy(Ledger& ledger, Visit&& visit) {
  visit("start", ledger.start);
  visit("work", ledger.work);
  visit("correction", ledger.correction);
  visit("stored", ledger.stored);
  visit("dissipated_impacts", ledger.dissipated_impacts);
  visit("dissipated_dampers", ledger.dissipated_dampers);
  visit("dissipated_slip", ledger.dissipated_slip);
}

template <class Summary, class Visit>
void for_each_count(Summary& summary, Visit&& visit) {
  visit("impacts", summary.impacts);
  visit("resting_impacts", summary.resting_impacts);
  visit("steps", summary.steps);
  visit("evaluations", summary.evaluations);
  visit("impacts_without_collision", summary.impacts_without_collision);
  visit("ambiguous_forces", summary.ambiguous_forces);
  visit("solved_problems", summary.solved_problems);
  visit("inconsistent", summary.inconsistent);
  visit("approximate_steps", summary.approximations.steps);
  visit("worst_residual", summary.approximations.worst_residual);
  visit("worst_residual_time", summary.approximations.worst_time);
  visit("gained_by_steps", summary.gained_by_steps);
  visit("deepest_penetration", summary.deepest_penetration);
  visit("largest_joint_error", summary.largest_joint_error);
  visit("peak_force", summary.peak_force);
  visit("peak_time", summary.peak_time);
  visit("worst_time", summary.worst_time);
  visit("worst_dynamics", summary.worst.dynamics);
  visit("worst_kinematic", summary.worst.kinematic);
  visit("worst_kinetic", summary.worst.kinetic);
  visit("worst_complementarity", summary.worst.complementarity);
  visit("worst_energetic", summary.worst.energetic);
  visit("worst_ledger", summary.worst.ledger);
}

}  // namespace carom::simulate
