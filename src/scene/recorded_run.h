#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "carom/model/description.h"
#include "carom/simulate/checkpoint.h"
#include "carom/simulate/run.h"

namespace carom::scene {

/// The state that an earlier run has recorded, of bodies by name.
struct RecordedRun {
  struct BodyState {
    std::string name;
    bool moves = false;  // is in the trajectory
    Vector q, u;         // as in State; empty: it is not free
  };

  std::string folder;  // of its results
  std::string scheme;
  Dimension dimension = Dimension::plane;
  double begin = 0, t = 0;  // [s] when the run began, and of the state
  std::vector<BodyState> bodies;
  long joints = 0;
  simulate::RunMemory memory;   // bodies as they are numbered here; empty if the state is not the run's end
  simulate::RunSummary so_far;  // the same

  std::string of = {};                                 // what was run, as app/fingerprint.h says; empty: not known
  double interval = 0;                                 // [s] of its records; 0: not known
  double recorded_t = 0;                               // [s] of the state, before a clock was set
  bool has_clock = false;                              // the scene that starts from it sets the clock
  std::map<std::string, std::uint64_t> earlier = {};   // [bytes] of an earlier part's tables, before the checkpoints'
  std::optional<State> beginning = {};                 // where it is not the scene's
  std::vector<simulate::Checkpoint> checkpoints = {};  // ascending; empty if it left none
};

/// Where it goes on in another model: recorded bodies are matched by name, others are where `placed` has them. Throws
/// InputError with the place "start" if a recorded body is missing.
struct GoingOn {
  State state;
  simulate::RunMemory memory;
  std::vector<int> body_of;  // (recorded bodies) in the model; -1: there is none, which only walls may be
};
GoingOn going_on(const RecordedRun& recorded, const Model& model, const State& placed);

}  // namespace carom::scene
