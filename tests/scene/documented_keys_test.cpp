// docs/scenes.md has every key that a scene may have: an unknown one is answered with the list of those that are known.

#include <fstream>
#include <iterator>
#include <regex>

#include "carom/scene/key_meanings.h"
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

TEST(SceneKeys, AllHaveAMeaningForForms) {
  const std::string odd = "qzqzqzqzqz = 1\n", balls = kBalls;
  for (const std::string table : {"body", "wall", "chain", "grid", "joint", "force", "pair", "torsion", "spring"})
    for (const std::string& key : known_keys(balls + "[[" + table + "]]\n" + odd))
      EXPECT_FALSE(meaning_of_key(table + "[0]." + key).empty()) << table << ' ' << key;
  for (const std::string table : {"contact", "record", "materials.m"})
    for (const std::string& key : known_keys(balls + "[" + table + "]\n" + odd))
      EXPECT_FALSE(meaning_of_key(table + "." + key).empty()) << table << ' ' << key;
}

TEST(SceneKeys, MeaningsKnowTheTypeOfTheTable) {
  EXPECT_EQ(meaning_of_key("body[3].shape.radius", "sphere"), "its radius [m]");
  EXPECT_EQ(meaning_of_key("chain[0].first.velocity[1]"), meaning_of_key("body[0].velocity"));
  EXPECT_EQ(meaning_of_key("joint[0].motor.kp", "prismatic"), "force over what is missing of the coordinate [N/m]");
  EXPECT_EQ(meaning_of_key("joint[0].motor.kp", "revolute"), "torque over what is missing of the angle [N m/rad]");
  EXPECT_EQ(meaning_of_key("pair[0].k"), "stiffness [N/m^eta], > 0");
  EXPECT_EQ(meaning_of_key("spring[0].k"), "its stiffness [N/m]");
  EXPECT_EQ(meaning_of_key("parameters.k"), "");
  EXPECT_EQ(meaning_of_key(""), "");
  EXPECT_EQ(meaning_of_key("..[["), "");
}

}  // namespace
}  // namespace carom::scene
