#include "carom/simulate/step_ledger.h"

#include <algorithm>

#include "carom/model/forces.h"

namespace carom::simulate {
namespace {

constexpr double kNoEnergy = 1e-9;  // of what contacts exchange: a gain that is rounding

}  // namespace

void book_smooth_forces(const Model& model, const State& middle, const Vector& u_plus, const FreeMotion& free,
                        const StepKind& step, Ledger& ledger) {
  const auto [theta, h, contacts_act] = step;
  const Vector mean = 0.5 * (middle.u + u_plus);
  if (free.joint_impulse.size() > 0) {
    const double work = mean.dot(free.joint_impulse);
    if (free.joints_move)
      ledger.work += work;
    else
      ledger.dissipated_impacts -= work;
  }
  if (contacts_act && has_gyroscopic_torques(model)) {
    // Gyroscopic torques, quadratic in the velocities, do no work at the mean velocity of the step without contacts.
    const Vector v = (1 - theta) * middle.u + theta * free.u;
    const auto force = [&](const Vector& u) { return acting_forces(model, {middle.t, middle.q, u}).h; };
    ledger.correction += h * mean.dot(0.5 * (force(v) + force(-v)) - force(Vector::Zero(v.size())));
  }
  const Description& description = model.description();
  const bool driven = std::any_of(description.joints.begin(), description.joints.end(),
                                  [](const Joint& joint) { return joint.is_driven(); });
  if (!driven && description.loads.empty() && description.state_loads.empty() && description.springs.empty() &&
      description.torsion_springs.empty())
    return;
  const Forces acting = acting_forces(model, {middle.t, middle.q, mean});
  ledger.work += h * acting.work_rate;
  ledger.dissipated_dampers += h * acting.damping_rate;
  if (!driven || !contacts_act) return;
  // Contacts changed the mean velocity after joints were driven.
  const Vector v = (1 - theta) * middle.u + theta * free.u;
  const JointDrives did = joint_drives(model, {middle.t, middle.q, v}),
                    booked = joint_drives(model, {middle.t, middle.q, mean});
  ledger.work += h * mean.dot(did.motors - booked.motors);
  ledger.dissipated_dampers -= h * mean.dot(did.damping - booked.damping);
}

bool creates_energy(const ImpactProblem& problem, const ImpactOutcome& outcome) {
  if (std::none_of(problem.contacts.begin(), problem.contacts.end(),
                   [](const Contact& contact) { return contact.e != 0 || contact.e_t != 0; }))
    return false;
  const Vector u_free = problem.u_minus + problem.M.solve(problem.p);
  const double allowed =
      std::max(0.5 * problem.M.inverse_norm_squared(problem.p), 0.5 * problem.p.dot(Vector(u_free - outcome.u_plus)));
  const double created = 0.5 * (outcome.gamma_minus + outcome.gamma_plus).dot(outcome.Lambda);
  const double exchanged =
      outcome.Lambda.cwiseAbs().dot(outcome.gamma_minus.cwiseAbs() + outcome.gamma_plus.cwiseAbs());
  return created - allowed > kNoEnergy * exchanged;
}

}  // namespace carom::simulate
