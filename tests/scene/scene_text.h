#pragma once

#include <gtest/gtest.h>

#include <string>

#include "carom/scene/scene.h"
#include "scene/reading.h"

namespace carom::scene {

/// A scene of that text under a duration and a law, which take its first two lines.
inline Scene scene_of(const std::string& text, const SceneOptions& options = {}) {
  return parse_scene("duration = 1\nlaw = \"newton\"\n" + text, "s.toml", options);
}

inline const Body& body(const Scene& scene, std::size_t i) {
  return scene.description.bodies.at(i);
}

#define EXPECT_POINT_NEAR(actual, expected, tolerance) \
  EXPECT_LE(((actual) - (expected)).norm(), tolerance) << (actual).transpose() << " is not " << (expected).transpose()

}  // namespace carom::scene
