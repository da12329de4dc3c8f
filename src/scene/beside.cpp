#include "carom/scene/beside.h"

#include <fmt/format.h>

#include <filesystem>

#include "carom/scene/input.h"
#include "carom/scene/words.h"

namespace carom::scene {

FileBeside read_beside(const Field& file) {
  namespace fs = std::filesystem;
  const std::string name = value_of<std::string>(file);
  const fs::path path = fs::path(file.document->file).parent_path() / fs::path(name);
  std::error_code ignored;
  if (name.empty() || !fs::is_regular_file(path, ignored))
    fail(file, fmt::format("= {}: there is no such file beside the scene", in_quotes(name)));
  return {path.string(), read_input(path.string(), any_byte)};
}

}  // namespace carom::scene
