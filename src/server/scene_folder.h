#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace carom::server {

/// The scenes of a folder, by name: NAME is the file NAME.toml in it. Names are looked up among those that are there
/// and never become a path; links are not followed.
class SceneFolder {
 public:
  /// Throws InputError if it is no folder.
  explicit SceneFolder(const std::filesystem::path& folder);

  struct Entry {
    std::string name, title, about;
  };
  std::vector<Entry> list() const;  // by name; at most some hundred

  /// The text of a scene; nothing if there is none of that name, or it is too large.
  std::optional<std::string> text(const std::string& name) const;

  const std::filesystem::path& path() const { return folder_; }

 private:
  std::vector<std::string> names() const;

  std::filesystem::path folder_;
};

}  // namespace carom::server
