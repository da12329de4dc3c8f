#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace carom::record {

/// A file being written; its folder is made if it does not exist. Throws OutputError when it cannot be written.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);
  void write(std::string_view text);
  void flush();
  void close();
  std::uintmax_t written() const { return written_; }  // bytes so far

 private:
  void require_written() const;

  std::filesystem::path path_;
  std::ofstream stream_;
  std::uintmax_t written_ = 0;
};

/// A file of one text. It is there as a whole or not at all: written beside, then renamed.
void write_file(const std::filesystem::path& path, std::string_view text);

/// Makes a folder where there is none.
void make_folder(const std::filesystem::path& folder);

}  // namespace carom::record
