#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>

namespace carom::record {

/// A file being written; its folder is made if it does not exist. Throws InputError when it cannot be written.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  void write(std::string_view text);
  void close();

 private:
  void require_written() const;

  std::filesystem::path path_;
  std::ofstream stream_;
};

/// A file of one text.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace carom::record
