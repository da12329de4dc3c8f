#include "carom/server/scene_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "carom/base/error.h"
#include "carom/scene/toml.h"

namespace carom::server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostScenes = 500;
constexpr std::size_t kMostBytes = std::size_t{1} << 21;  // of a scene

/// A file that is open, if it is a file and no link.
class OpenFile {
 public:
  explicit OpenFile(const fs::path& path) : file_(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (file_ >= 0) close(file_);
  }

  std::optional<std::string> text() const {
    struct stat info = {};
    if (file_ < 0 || fstat(file_, &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
    if (info.st_size < 0 || static_cast<std::size_t>(info.st_size) > kMostBytes) return std::nullopt;
    std::string text(static_cast<std::size_t>(info.st_size), '\0');
    std::size_t got = 0;
    while (got < text.size()) {
      const ssize_t more = read(file_, text.data() + got, text.size() - got);
      if (more <= 0) break;
      got += static_cast<std::size_t>(more);
    }
    text.resize(got);
    return text;
  }

 private:
  int file_;
};

std::string text_at(const scene::Document& document, std::string_view key) {
  const scene::Member* member = document.root.find(key);
  const std::string* text = member ? member->value.text() : nullptr;
  return text ? *text : "";
}

}  // namespace

SceneFolder::SceneFolder(const fs::path& folder) {
  std::error_code failed;
  folder_ = fs::canonical(folder, failed);
  if (failed || !fs::is_directory(folder_, failed)) throw InputError(folder.string(), "is no folder");
}

std::vector<std::string> SceneFolder::names() const {
  std::vector<std::string> all;
  std::error_code failed;
  for (fs::directory_iterator entry(folder_, failed), end; !failed && entry != end; entry.increment(failed)) {
    std::error_code ignored;
    const fs::path& path = entry->path();
    if (path.extension() != ".toml" || path.stem().string().starts_with('.')) continue;
    if (entry->symlink_status(ignored).type() == fs::file_type::regular) all.push_back(path.stem().string());
  }
  std::sort(all.begin(), all.end());
  if (all.size() > kMostScenes) all.resize(kMostScenes);
  return all;
}

std::vector<SceneFolder::Entry> SceneFolder::list() const {
  std::vector<Entry> all;
  for (const std::string& name : names()) {
    Entry entry{name, "", ""};
    try {
      const scene::Document document = scene::parse_toml(text(name).value_or(""), name);
      entry.title = text_at(document, "title");
      entry.about = text_at(document, "about");
    } catch (const InputError&) {  // a scene with an error is listed, so that it can be mended
    }
    all.push_back(std::move(entry));
  }
  return all;
}

std::optional<std::string> SceneFolder::text(const std::string& name) const {
  const std::vector<std::string> known = names();
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end()) return std::nullopt;
  return OpenFile(folder_ / (*found + ".toml")).text();
}

}  // namespace carom::server
