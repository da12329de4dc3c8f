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

const std::map<std::string, std::set<std::string>> kMaySee = {
    {"numerics", {}},
    {"impact", {"numerics"}},
    {"laws", {"impact", "numerics"}},
    {"analysis", {"laws", "impact", "numerics"}},
    {"geometry", {"impact", "numerics"}},
    {"model", {"geometry", "impact", "numerics"}},
    {"simulate", {"model", "geometry", "laws", "impact", "numerics"}},
    {"scene", {"simulate", "model", "geometry", "laws", "impact", "numerics"}},
    {"record", {"simulate", "model", "geometry", "analysis", "laws", "impact", "numerics"}},
    {"app", {"record", "scene", "simulate", "model", "geometry", "analysis", "laws", "impact", "numerics"}},
};

TEST(Architecture, IncludesFollowTheAllowedArrows) {
  const std::regex include("^#include \"([a-z_]+)/");
  const fs::path source = fs::path(CAROM_SOURCE_DIR) / "src";
  int seen = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".h" && extension != ".cpp") continue;
    const fs::path relative = fs::relative(entry.path(), source);
    if (!relative.has_parent_path()) continue;  // the umbrella header
    const std::string folder = relative.begin()->string();
    ASSERT_TRUE(kMaySee.contains(folder)) << folder << " has no place in docs/architecture.md";
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      ++seen;
      const std::string included = match[1];
      EXPECT_TRUE(included == folder || kMaySee.at(folder).contains(included)) << relative << ": " << line;
    }
  }
  EXPECT_GT(seen, 20);
}

TEST(Architecture, NoLawIsNamedOutsideItsFolder) {
  // What a law says of itself is enough: nothing in the core, the reader or the writer names one.
  const std::regex names(
      "\\b(Newton|Poisson|Moreau|GeneralizedKinematic|Keller|Brach|Smith|Whittaker|KaneLevinson|TangentialRestitution|"
      "Lzb|Compliant)(\\{|>|::| law\\b)");
  for (const char* folder : {"numerics", "impact", "scene", "record", "analysis", "app"})
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(fs::path(CAROM_SOURCE_DIR) / "src" / folder)) {
      std::ifstream file(entry.path());
      int number = 0;
      for (std::string line; std::getline(file, line);) {
        ++number;
        const bool comment = line.find("//") != std::string::npos;
        EXPECT_TRUE(comment || !std::regex_search(line, names)) << entry.path() << ":" << number << ": " << line;
      }
    }
}

}  // namespace
