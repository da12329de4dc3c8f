#pragma once

#include <cstdint>
#include <filesystem>

namespace carom::record {

/// Puts the rows of an earlier part of a run, its first `bytes`, before those that a table (*.csv) has, whose first
/// line names the columns. Other files, and tables that had no earlier part, stay as they are. Throws OutputError.
void add_rows_before(const std::filesystem::path& earlier, std::uint64_t bytes, const std::filesystem::path& table);

/// Leaves the first bytes of a file, if it has more. Throws OutputError.
void cut_file(const std::filesystem::path& file, std::uint64_t bytes);

}  // namespace carom::record
