// tests/data/malformed_scenes.txt has scenes with one mistake each, under the message that is expected.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "carom/record/run_sinks.h"
#include "carom/scene/scene.h"
#include "scene/reading.h"

namespace carom::scene {
namespace {

struct MalformedScene {
  std::string message, text;
};

std::vector<MalformedScene> malformed_scenes() {
  std::ifstream file(std::string(CAROM_SOURCE_DIR) + "/tests/data/malformed_scenes.txt");
  std::vector<MalformedScene> scenes;
  constexpr std::string_view mark = ">>> ";
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(mark))
      scenes.push_back({line.substr(mark.size()), ""});
    else if (!scenes.empty())
      scenes.back().text += line + '\n';
  }
  return scenes;
}

TEST(MalformedScenes, AreRefusedWithPlaceValueAndRule) {
  const std::vector<MalformedScene> scenes = malformed_scenes();
  EXPECT_GE(scenes.size(), 120u);
  for (const MalformedScene& scene : scenes)
    EXPECT_EQ(error_of([&] {
                parse_scene(scene.text, "s.toml", {.law = {}, .settings = {}, .formats = record::run_formats()});
              }),
              scene.message)
        << scene.text;
}

}  // namespace
}  // namespace carom::scene
