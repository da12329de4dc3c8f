#include "carom/app/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "carom/base/error.h"
#include "carom/robots/mjcf.h"
#include "carom/robots/parts.h"
#include "carom/robots/scene_text.h"
#include "carom/robots/tree.h"
#include "carom/robots/urdf.h"
#include "carom/scene/input.h"
#include "carom/scene/scene.h"
#include "carom/simulate/contact_search.h"

namespace carom::app {
namespace {

namespace fs = std::filesystem;
using robots::Robot;

constexpr std::size_t kMostBytes = 50'000'000;  // of a robot's file
constexpr double kTouchesDeeper = 1e-9;         // of the smaller shape: deeper is an overlap

Robot read_robot(const std::string& file, const ImportOptions& options) {
  const std::string text = scene::read_input(file, '<');
  const std::string name = scene::input_name(file);
  if (text.size() > kMostBytes) throw InputError(name, "is larger than 50 MB; no robot is");
  const robots::Element root = robots::parse_xml(text, name);
  const std::string folder = fs::path(file).parent_path().string();
  const robots::ReadOptions reading{folder.empty() ? "." : folder,
                                    options.meshes.empty() ? folder.empty() ? "." : folder : options.meshes,
                                    options.packages};
  if (root.name == "robot") return robots::read_urdf(root, reading);
  if (root.name == "mujoco") return robots::read_mjcf(root, reading);
  robots::fail(root, fmt::format("<{}> is no robot; URDF starts with <robot>, MJCF with <mujoco>", root.name));
}

void stand(Robot& robot) {
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    robots::LinkJoint& joint = robot.joints[i];
    if (joint.parent >= 0 || joint.kind != robots::LinkJoint::Kind::floating) continue;
    robot.links[i].fixed = true;
    joint.kind = robots::LinkJoint::Kind::fixed;
  }
}

/// Lifts what floats until its lowest point is at a height; a tree that hangs on the world stays where it is.
void lift(const Robot& robot, double height, std::vector<Pose>& poses) {
  const double lowest = robots::lowest_point(robot, poses);
  if (!std::isfinite(lowest)) return;
  for (std::size_t i = 0; i < poses.size(); ++i) {
    std::size_t root = i;
    while (robot.joints[root].parent >= 0) root = static_cast<std::size_t>(robot.joints[root].parent);
    if (robot.joints[root].kind == robots::LinkJoint::Kind::floating && !robot.links[root].fixed)
      poses[i].position.z() += height - lowest;
  }
}

/// Faults of the scene are the robot's, whose file has none of the scene's lines.
template <class Act>
auto blamed_on(const std::string& file, Act&& act) try {
  return act();
} catch (const InputError& error) {
  throw InputError(scene::input_name(file), fmt::format("the scene made of it cannot run: {}", error.what()));
}

scene::Scene parsed(const std::string& text, const std::string& file) {
  return blamed_on(file, [&] { return scene::parse_scene(text, "scene"); });
}

void require_ready_to_run(const scene::Scene& scene, const std::string& file) {
  blamed_on(file, [&] {
    const Model model(scene.description);
    require_ready(model, model.state(scene.placement), scene.scheme, scene.law, {scene.duration, scene.duration});
  });
}

/// Links whose shapes overlap at the start; joints keep neighbours from touching anyway.
std::vector<std::pair<int, int>> overlapping(const Robot& robot, const std::string& text, const std::string& file) {
  const scene::Scene scene = parsed(text, file);
  const Model model(scene.description);
  const ContactRules rules(model);
  const simulate::ContactSearch search(model, rules);
  std::vector<int> link_of;  // by body
  for (int i = 0; i < static_cast<int>(robot.links.size()); ++i)
    if (!robot.links[i].fixed || !robot.links[i].shapes.empty()) link_of.push_back(i);
  std::vector<std::pair<int, int>> found;
  for (const ContactPair& pair : search.touching(model.state(scene.placement), 0)) {
    if (pair.parts.is_stop() || !(-pair.point.gap > kTouchesDeeper * search.smaller_size(pair.parts))) continue;
    const auto link = [&](int body) { return body < static_cast<int>(link_of.size()) ? link_of[body] : -1; };
    found.emplace_back(link(pair.parts.body_a), link(pair.parts.body_b));
  }
  return found;
}

void require_options(const ImportOptions& options) {
  if (!(options.e >= 0 && options.e <= 1)) throw InputError("--e", fmt::format("{} is not from 0 to 1", options.e));
  if (!(options.mu >= 0) || !std::isfinite(options.mu))
    throw InputError("--mu", fmt::format("{} is not >= 0", options.mu));
  if (!(options.duration > 0) || !std::isfinite(options.duration))
    throw InputError("--duration", fmt::format("{} is not a positive time", options.duration));
  if (!(options.above >= 0) || !std::isfinite(options.above))
    throw InputError("--above", fmt::format("{} is not >= 0", options.above));
}

}  // namespace

ImportedScene import_robot(const std::string& file, const ImportOptions& options) {
  require_options(options);
  Robot robot = read_robot(file, options);
  if (options.fixed_base) stand(robot);
  robot = robots::merged(std::move(robot));
  robots::take_pose(robot, options.pose);
  std::vector<Pose> poses = robots::placed(robot, {});
  const std::optional<double> floor = robots::floor_of(robot, poses);
  if (options.ground) lift(robot, floor.value_or(0) + options.above, poses);
  robots::SceneOptions writing{.source = fs::path(file).filename().string(),
                               .e = options.e,
                               .mu = options.mu,
                               .duration = options.duration,
                               .ground = options.ground && !floor,
                               .apart = {}};
  ImportedScene result;
  std::vector<std::string> left_out = robot.left_out;
  std::string text = robots::scene_text(robot, poses, writing, left_out);
  writing.apart = overlapping(robot, text, file);
  result.left_out = robot.left_out;
  for (const auto& [a, b] : writing.apart) {
    const auto name = [&](int link) { return link < 0 ? "the ground" : robot.links[link].name; };
    std::string note = fmt::format("{} and {} overlap at the start and pass through each other", name(a), name(b));
    if (std::find(result.left_out.begin(), result.left_out.end(), note) == result.left_out.end())
      result.left_out.push_back(std::move(note));
  }
  result.text = robots::scene_text(robot, poses, writing, result.left_out);
  const scene::Scene scene = parsed(result.text, file);
  require_ready_to_run(scene, file);
  result.bodies = static_cast<int>(scene.description.bodies.size());
  result.joints = static_cast<int>(scene.description.joints.size());
  for (const Body& body : scene.description.bodies) result.shapes += static_cast<int>(body.parts.size());
  return result;
}

}  // namespace carom::app
