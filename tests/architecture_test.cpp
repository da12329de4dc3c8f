// Who may include whom in src/: the arrows of docs/architecture.md.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

const fs::path kSource = fs::path(CAROM_SOURCE_DIR) / "src";

/// Errors and words are everybody's.
const std::map<std::string, std::set<std::string>> kMaySee = {
    {"base", {}},
    {"numerics", {"base"}},
    {"impact", {"numerics", "base"}},
    {"forces", {"impact", "numerics", "base"}},
    {"laws", {"forces", "impact", "numerics", "base"}},
    {"analysis", {"laws", "forces", "impact", "numerics", "base"}},
    {"geometry", {"numerics", "base"}},
    {"model", {"geometry", "impact", "numerics", "base"}},
    {"simulate", {"model", "geometry", "laws", "forces", "impact", "numerics", "base"}},
    {"waves", {"numerics", "base"}},
    {"scene", {"waves", "simulate", "model", "geometry", "laws", "forces", "impact", "numerics", "base"}},
    {"robots", {"scene", "geometry", "numerics", "base"}},
    {"record", {"waves", "simulate", "model", "geometry", "analysis", "laws", "forces", "impact", "numerics", "base"}},
    {"app",
     {"record", "robots", "scene", "waves", "simulate", "model", "geometry", "analysis", "laws", "forces", "impact",
      "numerics", "base"}},
    {"server", {"app", "record", "scene", "base"}},
};

std::string folder_of(const std::string& path) {
  return path.substr(0, path.find('/'));
}

/// A header and its source are one module, named by their path without extension; which modules each includes.
std::map<std::string, std::set<std::string>> modules() {
  const std::regex include("^#include \"carom/([a-z0-9_/]+/[a-z0-9_]+)\\.h\"");
  std::map<std::string, std::set<std::string>> result;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kSource)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".h" && extension != ".cpp") continue;
    const fs::path relative = fs::relative(entry.path(), kSource);
    if (!relative.has_parent_path()) continue;  // the umbrella header
    const std::string module = fs::path(relative).replace_extension().generic_string();
    std::set<std::string>& included = result[module];
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);)
      if (std::smatch match; std::regex_search(line, match, include) && match[1] != module) included.insert(match[1]);
  }
  return result;
}

TEST(Architecture, IncludesFollowTheAllowedArrows) {
  std::size_t seen = 0;
  for (const auto& [module, included] : modules()) {
    const std::string folder = folder_of(module);
    ASSERT_TRUE(kMaySee.contains(folder)) << folder << " has no place in docs/architecture.md";
    for (const std::string& other : included)
      EXPECT_TRUE(folder_of(other) == folder || kMaySee.at(folder).contains(folder_of(other)))
          << module << " includes " << other;
    seen += included.size();
  }
  EXPECT_GT(seen, 20U);
}

/// What is left after modules that include nothing that is left have been taken away, again and again, is circular.
TEST(Architecture, FilesOfAFolderDoNotIncludeEachOtherInACircle) {
  std::map<std::string, std::set<std::string>> left = modules();
  for (auto& [module, included] : left)
    std::erase_if(included, [own = folder_of(module)](const std::string& other) { return folder_of(other) != own; });
  std::size_t before = 0;
  while (before != left.size()) {
    before = left.size();
    std::erase_if(left, [](const auto& module) { return module.second.empty(); });
    for (auto& [module, included] : left)
      std::erase_if(included, [&](const std::string& other) { return !left.contains(other); });
  }
  for (const auto& [module, included] : left) {
    std::string others;
    for (const std::string& other : included) others += " " + other;
    ADD_FAILURE() << module << " is in a circle, or includes one:" << others;
  }
}

TEST(Architecture, NoLawIsNamedOutsideItsFolder) {
  // What a law says of itself is enough: nothing in the core, the reader or the writer names one.
  const std::regex names(
      "\\b(Newton|Poisson|Moreau|GeneralizedKinematic|Keller|Brach|Smith|Whittaker|KaneLevinson|TangentialRestitution|"
      "Lzb|Compliant|Sequential|ImpulseCorrelation)(\\{|>|::| law\\b)");
  for (const char* folder : {"numerics", "impact", "scene", "record", "analysis", "app", "server"})
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kSource / folder)) {
      // But what may happen is asked of the laws that know order, stiffness and gaps.
      if (const fs::path stem = entry.path().stem(); stem == "outcome_cloud" || stem == "impact_orders") continue;
      std::ifstream file(entry.path());
      int number = 0;
      for (std::string line; std::getline(file, line);) {
        ++number;
        const bool comment = line.find("//") != std::string::npos;
        EXPECT_TRUE(comment || !std::regex_search(line, names)) << entry.path() << ":" << number << ": " << line;
      }
    }
}

TEST(Architecture, NoShapeIsNamedByReadersWritersAndModel) {
  const std::regex names("\\b(Sphere|Box|Capsule|Cylinder|Ellipsoid|Superellipsoid|HalfSpace|Polytope)\\b");
  for (const char* folder : {"model", "scene", "record"})
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(fs::path(CAROM_SOURCE_DIR) / "src" / folder)) {
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);)
        EXPECT_FALSE(std::regex_search(line, names)) << entry.path() << ": " << line;
    }
}

}  // namespace
