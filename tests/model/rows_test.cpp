// Directions, drift and bias of joints and contacts against finite differences of what they are rates of.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "carom/model/contact_pair.h"
#include "carom/model/joint_rows.h"
#include "carom/scene/scene.h"

namespace carom {
namespace {

struct Start {
  Model model;
  State state;
};

Start start_of(const std::string& toml, double t = 0.3) {
  const scene::Scene scene = scene::parse_scene(toml, "test.toml");
  Start start{Model(scene.description), {}};
  start.state = start.model.state(scene.placement, t);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-1, 1);
  for (double& u : start.state.u) u = any(random);
  return start;
}

/// The state a time dt later with constant u.
State later(const Model& model, const State& state, double dt) {
  State moved = state;
  moved.t += dt;
  model.displace(moved.q, dt * state.u);
  return moved;
}

constexpr double kStep = 1e-5;

void expect_joint_rates(const std::string& toml) {
  const Start start = start_of(toml);
  const auto& [model, state] = start;
  const JointRows now = joint_rows(model, state), after = joint_rows(model, later(model, state, kStep)),
                  before = joint_rows(model, later(model, state, -kStep));
  ASSERT_GT(now.value.size(), 0);
  const Vector rate = now.J.transpose() * state.u + now.drift;
  const Vector difference = (after.value - before.value) / (2 * kStep);
  EXPECT_LT((rate - difference).cwiseAbs().maxCoeff(), 1e-8) << toml;
  const Vector rate_after = after.J.transpose() * state.u + after.drift;
  const Vector rate_before = before.J.transpose() * state.u + before.drift;
  EXPECT_LT((now.bias - (rate_after - rate_before) / (2 * kStep)).cwiseAbs().maxCoeff(), 1e-7) << toml;
}

TEST(JointRows, AreTheRatesOfTheirValuesInThePlane) {
  for (const std::string kind : {"revolute", "fixed", "prismatic"})
    expect_joint_rates(R"(
      law = "newton"
    duration = 1
      [[body]]
      name = "a"
      shape = {type = "rectangle", size = [1, 0.2]}
      mass = 1
      angle = 20
      [[body]]
      name = "b"
      shape = {type = "rectangle", size = [1, 0.2]}
      mass = 1
      position = [1.5, 0.4]
      angle = -50
      [[joint]]
      bodies = ["a", "b"]
      at = [0.7, 0.3]
      type = ")" + kind +
                       "\"" + (kind == "prismatic" ? "\naxis = [0.6, 0.8]" : ""));
}

TEST(JointRows, AreTheRatesOfTheirValuesInSpace) {
  for (const std::string kind : {"revolute", "fixed", "prismatic", "spherical"})
    expect_joint_rates(R"(
      dimension = 3
      law = "newton"
    duration = 1
      [[body]]
      name = "a"
      shape = {type = "box", size = [1, 0.2, 0.3]}
      mass = 1
      orientation = {axis = [1, 2, 3], angle = 40}
      [[body]]
      name = "b"
      shape = {type = "box", size = [1, 0.2, 0.3]}
      mass = 1
      position = [1.5, 0.4, 0.3]
      orientation = {axis = [-1, 2, 0.5], angle = 70}
      [[joint]]
      bodies = ["a", "b"]
      at = [0.7, 0.3, -0.2]
      type = ")" + kind +
                       "\"" + (kind == "prismatic" || kind == "revolute" ? "\naxis = [0.48, 0.6, 0.64]" : ""));
}

TEST(JointRows, OfRodsToAMovingSupportHaveADrift) {
  expect_joint_rates(R"(
    law = "newton"
    duration = 1
    [[body]]
    name = "bob"
    shape = {type = "disc", radius = 0.1}
    mass = 1
    position = [0.3, -1]
    [[wall]]
    name = "support"
    shape = {type = "disc", radius = 0.01}
    motion = {x = "0.2*sin(3*t) ", y = "0.1*t^2"}
    [[joint]]
    type = "distance"
    bodies = ["support", "bob"])");
}

/// Every touch of the first two bodies: gamma is the rate of its gap, and the bias that of gamma.
void expect_contact_rates(const std::string& toml, double bias_error = 1e-5) {
  const Start start = start_of(toml);
  const auto& [model, state] = start;
  const PartPair parts{0, 0, 1, 0};
  const double reach = std::numeric_limits<double>::infinity();
  std::vector<ContactPair> now, after, before;
  find_contact_pairs(model, state, parts, reach, now);
  find_contact_pairs(model, later(model, state, kStep), parts, reach, after);
  find_contact_pairs(model, later(model, state, -kStep), parts, reach, before);
  ASSERT_FALSE(now.empty());
  const ContactRows rows = contact_rows(model, state, now);
  const Vector gamma = rows.W.transpose() * state.u + rows.drift;
  const Vector bias = contact_bias(model, state, now);
  const auto same = [](const std::vector<ContactPair>& pairs, const ContactPair& pair) {
    return std::find_if(pairs.begin(), pairs.end(), [&](const ContactPair& one) { return one.same_as(pair); });
  };
  int compared = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const auto a = same(after, now[i]), b = same(before, now[i]);
    if (a == after.end() || b == before.end()) continue;
    ++compared;
    EXPECT_NEAR(gamma[static_cast<Index>(i)], (a->point.gap - b->point.gap) / (2 * kStep), 1e-7) << toml;
    EXPECT_NEAR(gamma[static_cast<Index>(i)], normal_velocity(model, state, now[i]), 1e-12);
    const double second = (a->point.gap - 2 * now[i].point.gap + b->point.gap) / (kStep * kStep);
    EXPECT_NEAR(bias[static_cast<Index>(i)], second, bias_error) << toml;
  }
  EXPECT_GT(compared, 0) << toml;
}

TEST(ContactRows, AreTheRatesOfTheGaps) {
  const std::string plane = R"(
    law = "newton"
    duration = 1
    [[body]]
    name = "a"
    mass = 1
    angle = 20
    shape = SHAPE
    [[body]]
    name = "b"
    mass = 1
    position = [1.6, 0.4]
    angle = -50
    shape = {type = "rectangle", size = [1, 0.2]})";
  const std::string wall = R"(
    law = "newton"
    duration = 1
    [[body]]
    name = "a"
    mass = 1
    position = [0, 1]
    angle = 20
    shape = SHAPE
    [[wall]]
    name = "floor"
    shape = {type = "plane", normal = [0.2, 1]}
    motion = {y = "0.3*sin(2*t) "})";
  for (const std::string shape :
       {R"({type = "disc", radius = 0.4})", R"({type = "rectangle", size = [0.5, 0.3]})",
        R"({type = "capsule", radius = 0.1, length = 0.5})", R"({type = "ellipse", axes = [0.4, 0.2]})"})
    for (const std::string& scene : {plane, wall}) {
      std::string text = scene;
      text.replace(text.find("SHAPE"), 5, shape);
      expect_contact_rates(text, 2e-4);
    }
}

TEST(Model, MovesSpatialBodiesByTheirTwist) {
  const Start start = start_of(R"(
    dimension = 3
    law = "newton"
    duration = 1
    [[body]]
    name = "a"
    shape = {type = "box", size = [1, 0.2, 0.3]}
    mass = 1
    orientation = {axis = [1, 2, 3], angle = 40})");
  const auto& [model, state] = start;
  const Twist twist = model.twist(0, state);
  const Vector3 corner(0.5, 0.1, 0.15);
  const Vector3 moved = (model.pose(0, later(model, state, kStep)).to_world(corner) -
                         model.pose(0, later(model, state, -kStep)).to_world(corner)) /
                        (2 * kStep);
  EXPECT_LT((moved - twist.at(model.pose(0, state).orientation * corner)).norm(), 1e-9);
  Vector rate(model.positions());
  model.position_rate(state, rate.data());
  const Vector difference = (later(model, state, kStep).q - later(model, state, -kStep).q) / (2 * kStep);
  EXPECT_LT((rate - difference).norm(), 1e-9);
}

}  // namespace
}  // namespace carom
