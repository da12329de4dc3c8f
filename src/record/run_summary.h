#pragma once

#include <string>
#include <vector>

#include "carom/record/outcome_json.h"
#include "carom/simulate/run.h"

namespace carom::record {

/// The run that a run started from, or went on with.
struct StartedFrom {
  std::string run = {};       // the folder of its results; empty: none
  double t = 0;               // [s]
  bool in_one_piece = false;  // all digits are those of one run
};

/// What was run, for the summary.
struct RunTitle {
  std::string scene, title, about;
  Scheme scheme;
  std::string_view law;
  double duration = 0, interval = 0;      // [s]
  ImpactLaw how = {};                     // that law with its parameters
  std::string text = {};                  // the scene as its author wrote it; empty: not known
  std::vector<std::string> options = {};  // that changed it, such as "--set e=0.5"
  StartedFrom started = {};
};

/// Beside the summary where a step was answered less accurately than asked: the problem of the worst.
inline constexpr std::string_view worst_step_file = "worst_step.json";

/// A run as "carom-run/1".
Json to_json(const RunTitle& title, const Model& model, const RunSummary& summary,
             const std::vector<std::string>& files);

/// What the run came to, for people to quote: "block overturned (block.tilt > 1.2) at t = 6.02 s".
std::string sentence(const RunSummary& summary);

/// Title, explanation and what moves: the first lines about a run.
std::string heading(const RunTitle& title, const Model& model);

/// The largest of the relative residuals of a run but complementarity, which only laws that claim it have.
double worst_residual(const RunSummary& summary);

/// A time of computing: "35 ms", "2.1 s".
std::string computing_time(double seconds);

/// A run for people: what was simulated, how many impacts, where the energy went, the worst certificate.
std::string run_text(const RunTitle& title, const Model& model, const RunSummary& summary);

}  // namespace carom::record
