#include "carom/record/output_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "carom/base/error.h"

namespace carom::record {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& reason) {
  throw OutputError(path.string(), "cannot be written: " + reason);
}

}  // namespace

void make_folder(const std::filesystem::path& folder) {
  std::error_code error, other;
  std::filesystem::create_directories(folder, error);
  if (error && !std::filesystem::is_directory(folder, other)) refuse(folder, error.message());
}

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)) {
  if (path_.has_parent_path()) make_folder(path_.parent_path());
  errno = 0;
  stream_.open(path_, std::ios::binary);
  require_written();
}

void OutputFile::write(std::string_view text) {
  errno = 0;
  stream_.write(text.data(), static_cast<std::streamsize>(text.size()));
  require_written();
  written_ += text.size();
}

void OutputFile::flush() {
  errno = 0;
  stream_.flush();
  require_written();
}

void OutputFile::close() {
  errno = 0;
  stream_.close();
  require_written();
}

void OutputFile::require_written() const {
  if (!stream_) refuse(path_, errno != 0 ? std::strerror(errno) : "the system does not say why");
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  std::error_code error;
  const std::filesystem::file_status there = std::filesystem::status(path, error);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there)) {  // a pipe, a terminal, a folder
    OutputFile file(path);
    file.write(text);
    return file.close();
  }
  std::filesystem::path beside = path;
  beside += ".part";
  try {
    OutputFile file(beside);
    file.write(text);
    file.close();
  } catch (const OutputError& failed) {
    std::filesystem::remove(beside, error);
    throw OutputError(path.string(), failed.rule);
  }
  std::filesystem::rename(beside, path, error);
  if (error) refuse(path, error.message());
}

}  // namespace carom::record
