#pragma once

#include <filesystem>

namespace carom::record {

/// Puts the rows of an earlier part of a run before those that a table (*.csv) has, whose first line names the columns.
/// Other files, and tables that had no earlier part, stay as they are. Throws OutputError.
void add_rows_before(const std::filesystem::path& earlier, const std::filesystem::path& table);

}  // namespace carom::record
