#pragma once

#include <string>
#include <string_view>

namespace carom::record {

/// The laws for people: all in a table, or one in detail. From their names and fields() alone.
std::string laws_text(std::string_view name = {});

/// The same as a JSON document, "carom-laws/1".
std::string laws_json(std::string_view name = {});

}  // namespace carom::record
