// Any bytes are either a scene or an error on one line with a place; and what a scene holds is made of finite numbers.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "carom/scene/scene.h"

namespace {

using namespace carom;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "scene: %s\n", what);
  std::abort();
}

void require_sound(const scene::Scene& scene) {
  const std::size_t n = scene.description.bodies.size();
  require(n > 0 && scene.placement.poses.size() == n && scene.origins.bodies.size() == n, "bodies and places differ");
  for (std::size_t i = 0; i < n; ++i) {
    const Body& body = scene.description.bodies[i];
    require(body.mass > 0 && body.inertia.allFinite(), "a mass or inertia is not usable");
    require(scene.placement.poses[i].position.allFinite(), "a position is not finite");
    require(scene.placement.poses[i].orientation.coeffs().allFinite(), "an orientation is not finite");
    require(scene.placement.velocities[i].allFinite(), "a velocity is not finite");
    for (const geometry::Part& part : body.parts) require(part.pose.position.allFinite(), "a shape is not placed");
  }
  const auto attached = [&](const Anchor& anchor) {
    return anchor.body >= -1 && anchor.body < static_cast<int>(n) && anchor.point.allFinite();
  };
  for (const Joint& joint : scene.description.joints)
    require(attached(joint.a) && attached(joint.b) && joint.length >= 0, "a joint is not attached");
  for (const Spring& spring : scene.description.springs) require(attached(spring.a) && attached(spring.b), "a spring");
  for (const Load& load : scene.description.loads) require(attached(load.at), "a force is not attached");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    require_sound(scene::parse_scene(text, "fuzz.toml", {.law = {}, .settings = {}, .most_bodies = 500}));
  } catch (const scene::ReadError& error) {
    require(std::string_view(error.what()).find('\n') == std::string_view::npos, "a message of two lines");
  }
  return 0;
}
