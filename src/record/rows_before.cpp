#include "carom/record/rows_before.h"

#include <fstream>
#include <string>

#include "carom/base/error.h"

namespace carom::record {

void add_rows_before(const std::filesystem::path& earlier, std::uint64_t bytes, const std::filesystem::path& table) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (table.extension() != ".csv" || !fs::is_regular_file(earlier, error)) return;
  fs::path joined = table;
  joined += ".joined";
  fs::copy_file(earlier, joined, fs::copy_options::overwrite_existing, error);
  if (error) throw OutputError(joined.string(), "cannot be written: " + error.message());
  cut_file(joined, bytes);
  {
    std::ifstream rows(table, std::ios::binary);
    std::string names;
    std::getline(rows, names);
    std::ofstream out(joined, std::ios::binary | std::ios::app);
    if (rows.peek() != std::ifstream::traits_type::eof()) out << rows.rdbuf();
    out.close();
    if (!out) throw OutputError(joined.string(), "cannot be written");
  }
  fs::rename(joined, table, error);
  if (error) throw OutputError(table.string(), "cannot be written: " + error.message());
}

void cut_file(const std::filesystem::path& file, std::uint64_t bytes) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(file, error);
  if (!error && size > bytes) std::filesystem::resize_file(file, bytes, error);
  if (error) throw OutputError(file.string(), "cannot be written: " + error.message());
}

}  // namespace carom::record
