#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/watch.h"
#include "carom/record/beam_report.h"
#include "carom/record/rods_report.h"
#include "carom/scene/rods_reader.h"
#include "carom/waves/history.h"

namespace carom::app {

enum class RodsMethod { exact, finite_element };

constexpr std::array<std::string_view, 2> words_of(RodsMethod) {
  return {"exact", "finite-element"};
}

struct RodsOptions {
  RodsMethod method = RodsMethod::exact;
  int elements = 200;                // of the rod that waves cross slowest
  int samples = 0;                   // of the history beside its first; 0: none
  std::vector<double> fields_times;  // [s] at which stress and velocity are wanted
  Watch* watch = nullptr;            // who waits
};

/// What became of the rods, and, for the exact method, all of it.
struct SolvedRods {
  record::RodsReport report;
  std::optional<waves::WaveHistory> history;
};

/// Throws InputError, with the place elements, samples or fields, for options that do not fit.
SolvedRods solve_rods(const scene::RodsFile& file, const RodsOptions& options = {});

/// The impacts at the positions of the file, or over the length of the beam.
record::BeamReport solve_beam(const scene::BeamFile& file);

}  // namespace carom::app
