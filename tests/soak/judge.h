#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "carom/simulate/run.h"
#include "scene_generator.h"

namespace carom::soak {

/// What a run of a scene came to, measured by other code than that which ran it.
struct Judged {
  RunSummary summary;
  bool finite = true;        // every recorded state is made of numbers
  double exchanged = 0;      // [J] the most that was kinetic, lifted, worked or lost
  double growth = 0;         // [-] of kinetic + potential above start + work, over that
  double created = 0;        // [-] what the law itself says that it creates in impacts, over that
  double ledger = 0;         // [-] error of the ledger, over what is exchanged
  double penetration = 0;    // [-] deepest at a recorded state, over the smaller body's size
  double allowed_depth = 0;  // [-] what the scheme may leave of that
  std::string deepest_pair;
};

/// Runs the scene with settings as of --set.
Judged run_and_measure(const RandomScene& scene, const std::vector<std::string>& settings = {});

/// Throws InputError if the scene cannot be run at all.
void require_accepted(const RandomScene& scene);

/// Why a run is no good; empty if it is. The first word says what kind of fault it is. Judged fully, time steps that
/// gain energy are run again with shorter ones: what vanishes with them is no fault. Judged once, they are let pass.
enum class Judging { once, fully };
std::string fault_of(const RandomScene& scene, const Judged& judged, Judging judging = Judging::fully);

/// Whether both schemes lead to the same end. Nothing where that cannot be told: the law follows the impact from
/// inside, a change of 1e-8 at the start changes the end by more than 1e-5, a run does not arrive, or the law creates
/// energy or penetrates, which time steps do not let it.
struct Ends {
  double sensitivity = 0;     // how much farther apart 1e-8 becomes
  double overlaps = 0;        // [-] what bodies may overlap in time steps, one on the other, over the size
  std::vector<double> apart;  // [-] ends of steps h, h/4, h/16, ... from the event-driven one, over the size; as many
                              // as it takes: two impacts that are nearer than a step are one to it
  bool agree() const;
};
std::optional<Ends> compare_ends(const RandomScene& scene);

}  // namespace carom::soak
