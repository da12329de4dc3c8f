// The bias of contacts against differences of gamma in time, over every pair of shapes.

#include <algorithm>

#include "carom/model/contact_pair.h"
#include "geometry/geometry_support.h"
#include "random_share.h"

namespace carom {
namespace {

using namespace geometry::testing;

constexpr double kMargin = 0.2;

/// Two bodies that move, the second as told if `driven`, and the state at t = 0.3.
struct Moving {
  Model model;
  State state;
};

TimeFunction driven_along(double start, Generator& random) {
  const double rate = uniform(random, -1, 1), bend = uniform(random, -2, 2);
  return TimeFunction::formula("a*(t-0.3) + b*(t-0.3)^2 + sin(t-0.3)", {{"a", rate}, {"b", bend}}).plus(start);
}

Prescribed driven_body(const Pose& pose, Generator& random, Dimension dimension) {
  Prescribed motion;
  for (int i = 0; i < static_cast<int>(dimension); ++i) motion.position[i] = driven_along(pose.position[i], random);
  motion.start = pose.orientation;
  if (dimension == Dimension::space) motion.axis = random_vector(random).normalized();
  if (dimension != Dimension::line) motion.angle = driven_along(0, random);
  return motion;
}

enum class Second { free, driven };

Moving moving(const geometry::Part& a, const Pose& pose_a, const geometry::Part& b, const Pose& pose_b, Second second,
              Dimension dimension, Generator& random) {
  Description description;
  description.dimension = dimension;
  description.bodies.resize(2);
  description.bodies[0].parts = {a};
  description.bodies[1].parts = {b};
  if (second == Second::driven) description.bodies[1].prescribed = driven_body(pose_b, random, dimension);
  const Placement placement{
      {pose_a, pose_b}, {random_vector(random), random_vector(random)}, {random_vector(random), random_vector(random)}};
  Moving result{Model(description), {}};
  result.state = result.model.state(placement, 0.3);
  return result;
}

State after(const Moving& moving, double dt) {
  State state = moving.state;
  state.t += dt;
  moving.model.displace(state.q, dt * moving.state.u);
  return state;
}

std::vector<ContactPair> pairs_at(const Model& model, const State& state, double margin) {
  std::vector<ContactPair> pairs;
  find_contact_pairs(model, state, {0, 0, 1, 0}, margin, pairs);
  return pairs;
}

/// gamma of the same touch a time dt later, along the normal then and the tangents now; none if its feature is gone.
std::optional<Vector> gamma_after(const Moving& moving, const ContactPair& pair, double dt) {
  const State state = after(moving, dt);
  for (const ContactPair& one : pairs_at(moving.model, state, 2 * kMargin)) {
    if (!one.same_as(pair)) continue;
    const Eigen::Matrix3Xd along = tangents_of(pair.point.normal, moving.model.dimension());
    Vector gamma(1 + along.cols());
    gamma << normal_velocity(moving.model, state, one), along.transpose() * relative_velocity(moving.model, state, one);
    return gamma;
  }
  return {};
}

/// Central differences over h and 2 h, and their extrapolation; none if the feature does not last.
struct Differences {
  Vector value;
  double spread = 0;
};
std::optional<Differences> difference(const Moving& moving, const ContactPair& pair, double h) {
  std::array<std::optional<Vector>, 4> gamma;
  for (int i = 0; i < 4; ++i) gamma[i] = gamma_after(moving, pair, std::array{-2, -1, 1, 2}[i] * h);
  for (const auto& one : gamma)
    if (!one) return {};
  const Vector wide = (*gamma[3] - *gamma[0]) / (4 * h), narrow = (*gamma[2] - *gamma[1]) / (2 * h);
  return Differences{(4 * narrow - wide) / 3, (wide - narrow).cwiseAbs().maxCoeff()};
}

struct Tally {
  int compared = 0, gone = 0;
};

void expect_bias(const Moving& moving, const std::string& name, Tally& tally) {
  const std::vector<ContactPair> pairs = pairs_at(moving.model, moving.state, kMargin);
  const Vector bias = contact_bias(moving.model, moving.state, pairs, std::vector<char>(pairs.size(), 1));
  const Index rows = bias.size() / static_cast<Index>(pairs.size());
  for (std::size_t j = 0; j < pairs.size(); ++j) {
    const double h = 1e-4 * std::clamp(10 * std::abs(pairs[j].point.gap), 0.01, 1.0);  // corners bend with 1 / gap
    const auto expected = difference(moving, pairs[j], h);
    ++(expected ? tally.compared : tally.gone);
    if (!expected) continue;
    const Vector found = bias.segment(static_cast<Index>(j) * rows, rows);
    const double error = (found - expected->value).cwiseAbs().maxCoeff();
    const double tolerance = 1e-6 * (10 + found.cwiseAbs().maxCoeff()) + expected->spread / 20;
    const auto& [a, b] = pairs[j].point.feature;
    EXPECT_LE(error, tolerance) << name << ", gap " << pairs[j].point.gap << ", elements " << static_cast<int>(a.kind)
                                << ' ' << static_cast<int>(b.kind) << ", bias " << found.transpose() << " instead of "
                                << expected->value.transpose();
  }
}

TEST(ContactBias, IsTheRateOfGammaOfEveryPairOfShapesWithConstantVelocities) {
  Generator random(7);
  Tally tally;
  for (int round = 0; round < carom::testing::share_of(20); ++round)
    for (const Dimension dimension : {Dimension::line, kPlane, kSpace}) {
      const std::vector<geometry::Shape> of_a = shapes(random, dimension), of_b = shapes(random, dimension);
      for (const geometry::Shape& a : of_a)
        for (const geometry::Shape& b : of_b) {
          const auto walls =
              std::holds_alternative<geometry::HalfSpace>(a) + std::holds_alternative<geometry::HalfSpace>(b);
          if (walls == 2) continue;
          const geometry::Part part_a{a, random_pose(random, dimension, 0.5)},
              part_b{b, random_pose(random, dimension, 0.5)};
          const Pose pose_a = random_pose(random, dimension, 1);
          Pose pose_b = random_pose(random, dimension, 3);
          const geometry::ContactPoint p =
              geometry::nearest_points(a, pose_a * part_a.pose, b, pose_b * part_b.pose, dimension);
          pose_b.position -= (p.gap - uniform(random, -0.03, 0.1)) * p.normal;
          const Second second = random() % 2 == 0 ? Second::free : Second::driven;
          expect_bias(moving(part_a, pose_a, part_b, pose_b, second, dimension, random),
                      std::to_string(a.index()) + " and " + std::to_string(b.index()) + " in dimension " +
                          std::to_string(static_cast<int>(dimension)),
                      tally);
        }
    }
  EXPECT_GT(tally.compared, carom::testing::share_of(1000));
  EXPECT_LE(tally.gone, tally.compared / 50);
}

TEST(ContactBias, IsFiniteWhereShapesAreDeepInsideEachOtherOrParallel) {
  Generator random(8);
  for (const Dimension dimension : {Dimension::line, kPlane, kSpace})
    for (const geometry::Shape& a : shapes(random, dimension))
      for (const geometry::Shape& b : shapes(random, dimension))
        for (const geometry::Shape* other : {&a, &b})
          for (const double distance : {0.0, 1e-300, 1e-12, 0.05, 0.2}) {
            if (std::holds_alternative<geometry::HalfSpace>(a) && std::holds_alternative<geometry::HalfSpace>(*other))
              continue;
            const Pose there{distance * Vector3(0.6, 0.8, 0), Quaternion::Identity()};
            const Moving parts = moving({a, {}}, {}, {*other, {}}, there, Second::free, dimension, random);
            const std::vector<ContactPair> pairs = pairs_at(parts.model, parts.state, kMargin);
            const Vector bias = contact_bias(parts.model, parts.state, pairs, std::vector<char>(pairs.size(), 1));
            EXPECT_TRUE(bias.allFinite()) << a.index() << " and " << other->index() << ", distance " << distance;
          }
}

}  // namespace
}  // namespace carom
