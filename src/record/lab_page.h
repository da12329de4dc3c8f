#pragma once

#include <string_view>

namespace carom::record {

/// The page of the laboratory; empty where the build has none. Its source is made of viewer/src/lab/ while Carom is
/// built (viewer/build.mjs), or says that there is none.
std::string_view lab_page();

}  // namespace carom::record
