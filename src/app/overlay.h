#pragma once

#include <optional>
#include <string>

#include "carom/app/compare.h"
#include "carom/record/force_overlay.h"

namespace carom::app {

/// The contact forces of one impact under several laws, over each other; the comparison has kept what is inside.
record::ForceOverlay overlay_of(const scene::ProblemFile& file, const ComparedImpacts& compared);

struct TimeWindow {
  double begin = 0, end = 0;  // [s]
};

/// "0.14,0.15" [s]; the place of what is wrong is --window. Throws InputError.
TimeWindow parse_window(const std::string& text);

/// Throws InputError, with the place --window, unless the time is within the run.
void require_within(const ReadyScene& ready, const TimeWindow& window);

/// The same of a scene within a time; left out: from the first impact of any column as long as impacts follow each
/// other closely. The runs are made again for it, up to the end of that time.
record::ForceOverlay overlay_of(const ReadyScene& ready, const ComparedRuns& compared,
                                const std::optional<TimeWindow>& window, const Control& control = {});

}  // namespace carom::app
