#include "carom/record/output_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "carom/base/error.h"

namespace carom::record {

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code ignored;  // the file then cannot be opened
  if (path_.has_parent_path()) std::filesystem::create_directories(path_.parent_path(), ignored);
  stream_.open(path_, std::ios::binary);
  require_written();
}

void OutputFile::write(std::string_view text) {
  stream_.write(text.data(), static_cast<std::streamsize>(text.size()));
  require_written();
}

void OutputFile::close() {
  stream_.close();
  require_written();
}

void OutputFile::require_written() const {
  if (!stream_) throw InputError(path_.string(), fmt::format("cannot be written: {}", std::strerror(errno)));
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.close();
}

}  // namespace carom::record
