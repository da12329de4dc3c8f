#pragma once

#include <string>
#include <string_view>

namespace carom::record {

/// A field of comma-separated values: in quotes where its text would end it.
std::string csv_field(std::string_view text);

}  // namespace carom::record
