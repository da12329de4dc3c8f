#pragma once

#include <string_view>

namespace carom::record {

/// The page that shows a run, with `report_mark` where its data go; empty where the build has none. Its source is made
/// of viewer/ while Carom is built (viewer/build.mjs), or says that there is none.
std::string_view report_page();

inline constexpr std::string_view report_mark = "@CAROM_REPORT_DATA@";

/// Whether this build of Carom writes report.html.
inline bool has_report() {
  return !report_page().empty();
}

}  // namespace carom::record
