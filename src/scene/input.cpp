#include "carom/scene/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "carom/scene/error.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 16;
constexpr std::size_t kMostBlanks = std::size_t{1} << 20;  // before the first byte that is not
constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct Close {
  void operator()(std::FILE* file) const {
    if (file != stdin) std::fclose(file);
  }
};
using File = std::unique_ptr<std::FILE, Close>;

[[noreturn]] void fail_at_start(const std::string& path, std::string_view text) {
  fail({.file = input_name(path), .root = {}, .options = {}}, {}, text);
}

[[noreturn]] void fail_at_offset(const std::string& path, std::string_view text, std::size_t offset,
                                 std::string_view what) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 = 0
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  std::size_t column = 1;
  for (const char c : before.substr(line_start)) column += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  fail({.file = input_name(path), .root = {}, .options = {}},
       {static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(column)}, what);
}

File open(const std::string& path) {
  if (path == "-") return File(stdin);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail_at_start(path, "is a directory; expected a file");
  File file(std::fopen(path.c_str(), "rb"));
  if (!file) fail_at_start(path, fmt::format("cannot open the file: {}", std::strerror(errno)));
  return file;
}

/// The first byte that is not blank decides whether this can be the format at all. False if there is none from `begin`.
bool check_first_byte(const std::string& path, std::string_view text, std::size_t begin, char first) {
  const std::size_t start = text.find_first_not_of(kBlanks, begin);
  if (start == std::string_view::npos) {
    if (text.size() > kMostBlanks) fail_at_start(path, "starts with more than 1 MiB of blanks");
    return false;
  }
  if (first == any_byte || text[start] == first) return true;
  fail_at_offset(path, text, start,
                 fmt::format("starts with {}; expected '{}'", in_quotes(text.substr(start, 1)), first));
}

}  // namespace

std::string input_name(const std::string& path) {
  return path == "-" ? "<stdin>" : path;
}

std::string read_input(const std::string& path, char first) {
  const File file = open(path);
  std::string text;
  bool blank = true;
  for (std::size_t got = kChunk; got > 0;) {
    const std::size_t size = text.size();
    text.resize(size + kChunk);
    errno = 0;
    got = std::fread(text.data() + size, 1, kChunk, file.get());
    text.resize(size + got);
    if (std::ferror(file.get())) fail_at_start(path, fmt::format("cannot read the input: {}", std::strerror(errno)));
    if (const std::size_t nul = text.find('\0', size); nul != std::string::npos)
      fail_at_offset(path, text, nul, "a NUL byte; the input is not a text file");
    if (size == 0 && text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
    if (blank) blank = !check_first_byte(path, text, size, first);
    if (text.size() > most_input_bytes) fail_at_start(path, "the input is larger than 1 GiB, the most that is read");
  }
  if (blank) fail_at_start(path, text.empty() ? "the input is empty" : "the input is blank");
  return text;
}

}  // namespace carom::scene
