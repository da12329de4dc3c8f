#include "carom/scene/beside.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "carom/scene/input.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_to_find(const Field& file, const std::string& name) {
  fail(file, fmt::format("= {}: there is no such file beside the scene", in_quotes(name)));
}

/// Where a name leads below a folder; links that lead out of it are not followed.
fs::path below(const Field& file, const std::string& name, const fs::path& folder) {
  const fs::path given(name);
  const bool climbs = std::any_of(given.begin(), given.end(), [](const fs::path& part) { return part == ".."; });
  std::error_code failed;
  const fs::path top = fs::canonical(folder, failed);
  if (given.is_absolute() || climbs || failed)
    fail(file, fmt::format("= {}: only files below the folder of the scenes are read", in_quotes(name)));
  const fs::path path = fs::canonical(top / given, failed);
  const auto ends = std::mismatch(top.begin(), top.end(), path.begin(), path.end());
  if (failed || ends.first != top.end()) fail_to_find(file, name);
  return path;
}

fs::path path_of(const Field& file, const std::string& name) {
  const FilesBeside& files = file.document->files;
  if (files.allowed == FilesBeside::Allowed::all) return fs::path(file.document->file).parent_path() / fs::path(name);
  if (files.allowed == FilesBeside::Allowed::below) return below(file, name, files.folder);
  fail(file, fmt::format("= {}: files cannot be read here; the tool, carom run, reads them", in_quotes(name)));
}

}  // namespace

FileBeside read_beside(const Field& file) {
  const std::string name = value_of<std::string>(file);
  const fs::path path = path_of(file, name);
  std::error_code ignored;
  if (name.empty() || !fs::is_regular_file(path, ignored))
    fail_to_find(file, name);
  return {path.string(), read_input(path.string(), any_byte)};
}

}  // namespace carom::scene
