// docs/scenes.md has every key that a scene may have: an unknown one is answered with the list of those that are known.

#include <fstream>
#include <iterator>
#include <regex>

#include "scene/scene_text.h"

namespace carom::scene {
namespace {

constexpr const char* kBalls =
    "[[body]]\nname = \"a\"\nmass = 1\ninertia = 1\n[[body]]\nname = \"b\"\nmass = 1\ninertia = 1\n";

std::vector<std::string> known_keys(const std::string& text) {
  const std::string message = error_of([&] { scene_of(text); }), list = "known keys are ";
  const std::size_t start = message.find(list);
  EXPECT_NE(start, std::string::npos) << text << message;
  std::vector<std::string> keys;
  const std::regex quoted("\"([^\"]+)\"");
  for (std::sregex_iterator i(message.begin() + static_cast<std::ptrdiff_t>(start), message.end(), quoted), end;
       i != end; ++i)
    keys.push_back((*i)[1]);
  return keys;
}

TEST(SceneKeys, AllAreDocumented) {
  std::ifstream file(std::string(CAROM_SOURCE_DIR) + "/docs/scenes.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string odd = "qzqzqzqzqz = 1\n", balls = kBalls;
  const std::vector<std::string> tables = {"[[body]]\n",      "[[wall]]\n",
                                           "[[chain]]\n",     "[[grid]]\n",
                                           "[[joint]]\n",     "[[force]]\n",
                                           "[contact]\n",     "[[pair]]\n",
                                           "[[torsion]]\n",   "[record]\n",
                                           "[materials.m]\n", "[[spring]]\n",
                                           "[scheme]\n",      "[scheme]\nname = \"time-stepping\"\n"};
  std::size_t seen = 0;
  const auto check = [&](const std::string& scene) {
    for (const std::string& key : known_keys(scene)) {
      ++seen;
      const std::regex shown("[`{ \\[\n]" + key + "[`\\] ]");
      EXPECT_TRUE(std::regex_search(text, shown)) << scene << key;
    }
  };
  check(odd + balls);
  for (const std::string& table : tables) check(balls + table + odd);
  EXPECT_GT(seen, 80U);
}

}  // namespace
}  // namespace carom::scene
