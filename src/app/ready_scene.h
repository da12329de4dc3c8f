#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "carom/record/run_summary.h"
#include "carom/scene/scene.h"
#include "carom/simulate/checkpoint.h"

namespace carom::app {

/// How a scene goes on with an earlier run of it, to the same digits.
struct GoesOn {
  std::string inner = {};                                  // of a checkpoint; empty: from the beginning
  double from = -std::numeric_limits<double>::infinity();  // [s] what happened before is not told
  std::vector<simulate::Checkpoint> checkpoints = {};      // that it has come through
  std::optional<State> beginning = {};                     // where it is not the scene's
};

/// A scene with its model, which any law may move.
struct ReadyScene {
  std::string file;
  scene::Scene scene;
  Model model = {};
  State start = {};
  RunMemory memory = {};                          // of the run that led to the start
  std::optional<RunSoFar> so_far = std::nullopt;  // it goes on with an earlier run
  std::string text = {};                          // as it was written, where it is from no file
  std::optional<GoesOn> goes_on = std::nullopt;   // to the same digits
  bool adds_rows = false;                         // to the tables in the folder of its results
  std::map<std::string, std::uint64_t> cut = {};  // [bytes] what is kept of these; of others all
  record::StartedFrom started = {};               // for the summary
};

/// What a run of the scene is told.
RunOptions options_of(const ReadyScene& ready);

/// Errors of the model and of a run, with their places in the scene.
template <class Act>
auto with_places(const scene::Scene& scene, Act&& act) {
  try {
    return act();
  } catch (const OutputError&) {
    throw;
  } catch (const InputError& error) {
    throw scene::located(error, scene);
  }
}

}  // namespace carom::app
