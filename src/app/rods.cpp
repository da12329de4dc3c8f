#include "carom/app/rods.h"

#include <fmt/format.h>

#include <algorithm>

#include "carom/base/error.h"
#include "carom/base/word.h"
#include "carom/waves/beam.h"
#include "carom/waves/exact.h"
#include "carom/waves/finite_elements.h"

namespace carom::app {
namespace {

constexpr int kMostSamples = 100'000;
constexpr int kCurvePoints = 100;  // intervals of a beam's curve; even, so that its middle is one of them

void require_options(const scene::RodsFile& file, const RodsOptions& options) {
  if (options.samples < 0 || options.samples > kMostSamples)
    throw InputError("samples",
                     fmt::format("{} samples; expected a number from 1 to {}", options.samples, kMostSamples));
  for (const double t : options.fields_times)
    if (!(t >= 0 && t <= file.problem.duration))
      throw InputError("fields",
                       fmt::format("{} is no time of this problem, from 0 to {} s", t, file.problem.duration));
}

record::RodsFields exact_fields(const waves::WaveHistory& history, double t) {
  record::RodsFields fields{t, {}};
  for (std::size_t i = 0; i < history.waves.size(); ++i)
    fields.rods.push_back(waves::fields_at(history, static_cast<int>(i), t));
  return fields;
}

/// Those of the elements at a time are the last ones of a run that ends there.
record::RodsFields element_fields(waves::RodsProblem problem, double t, const waves::ElementsOptions& options) {
  if (t > 0) {
    problem.duration = t;
    waves::ElementsRun run = waves::follow_elements(problem, options);
    return {run.outcome.reached, std::move(run.fields)};
  }
  record::RodsFields fields{0, {}};
  for (const waves::Rod& rod : problem.rods) fields.rods.push_back({{0, rod.length, rod.velocity, 0}});
  return fields;
}

}  // namespace

SolvedRods solve_rods(const scene::RodsFile& file, const RodsOptions& options) {
  require_options(file, options);
  SolvedRods solved;
  record::RodsReport& report = solved.report;
  report.problem = file.problem;
  report.method = word(options.method);
  if (options.method == RodsMethod::finite_element) {
    waves::ElementsRun run = waves::follow_elements(
        file.problem, {.elements = options.elements, .samples = options.samples, .watch = options.watch});
    report.outcome = std::move(run.outcome);
    report.samples = std::move(run.samples);
    for (const double t : options.fields_times)
      report.fields.push_back(element_fields(file.problem, t, {.elements = options.elements}));
    return solved;
  }
  solved.history = waves::follow(file.problem, {.watch = options.watch});
  report.outcome = waves::outcome_of(*solved.history);
  if (options.samples > 0) report.samples = waves::samples_of(*solved.history, options.samples);
  for (const double t : options.fields_times)
    if (t <= solved.history->reached) report.fields.push_back(exact_fields(*solved.history, t));
  return solved;
}

record::BeamReport solve_beam(const scene::BeamFile& file) {
  record::BeamReport report{file.beam, {}};
  std::vector<double> positions = file.positions;
  if (positions.empty())
    for (int i = 0; i <= kCurvePoints; ++i) positions.push_back(file.beam.length * i / kCurvePoints);
  for (const double x : positions) report.impacts.push_back(waves::hit(file.beam, std::min(x, file.beam.length)));
  return report;
}

}  // namespace carom::app
