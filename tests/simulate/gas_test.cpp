// Gases: the flight of free balls against the general event-driven scheme, and what their results must not depend on.

#include <algorithm>
#include <cmath>

#include "simulate/running.h"
#include "support.h"

namespace carom::testing {

using namespace simulate;
namespace {

/// Balls in a box that begins at the origin.
struct Gas {
  struct Ball {
    Vector3 x, v, spin;
    double radius = 0, mass = 0;
  };
  Dimension dimension = Dimension::plane;
  std::vector<Ball> balls;
  double box = 1, e = 1, mu = 0;
  Vector3 gravity = Vector3::Zero();
};

/// A jittered grid of `side` balls along each axis whose radii differ by up to `spread`.
Gas random_gas(unsigned seed, Dimension dimension, int side, double spread) {
  Random random(seed);
  const auto uniform = [&](double low, double high) { return low + (high - low) * random.uniform(); };
  Gas gas;
  gas.dimension = dimension;
  const bool space = dimension == Dimension::space;
  const double cell = 1.0 / side;
  for (int i = 0; i < side * side * (space ? side : 1); ++i) {
    const int across = i % side, up = i / side % side, deep = i / side / side;
    Gas::Ball ball;
    ball.radius = 0.35 * cell / uniform(1, spread);
    ball.mass = std::pow(ball.radius / cell, 3);
    const auto place = [&](int k) { return cell * (k + 0.5) + uniform(-1, 1) * (0.49 * cell - ball.radius); };
    ball.x = Vector3(place(across), place(up), space ? place(deep) : 0);
    ball.v = Vector3(uniform(-1, 1), uniform(-1, 1), space ? uniform(-1, 1) : 0);
    ball.spin = space ? Vector3(uniform(-5, 5), uniform(-5, 5), uniform(-5, 5)) : Vector3(0, 0, uniform(-5, 5));
    gas.balls.push_back(ball);
  }
  return gas;
}

enum class Way { flight, general };

/// Without records but those at the start and the end.
Played play_gas(const Gas& gas, const ImpactLaw& law, double duration, Way way = Way::flight) {
  Description all;
  all.dimension = gas.dimension;
  all.gravity = gas.gravity;
  PairRule rule;
  rule.between = PairRule::Between::all;
  rule.e = gas.e;
  rule.mu = gas.mu;
  all.pairs.push_back(rule);
  Placement placement;
  const auto add = [&](const Body& body, const Gas::Ball& at) {
    all.bodies.push_back(body);
    placement.poses.push_back({at.x, Quaternion::Identity()});
    placement.velocities.push_back(at.v);
    placement.angular_velocities.push_back(at.spin);
  };
  for (const Gas::Ball& ball : gas.balls) {
    Body body;
    body.name = "ball " + std::to_string(all.bodies.size());
    body.mass = ball.mass;
    body.inertia = 0.4 * ball.mass * ball.radius * ball.radius * Matrix3::Identity();
    body.parts.emplace_back().shape = geometry::Sphere{ball.radius};
    add(body, ball);
  }
  Body box;
  box.name = "box";
  box.prescribed.emplace();
  for (int k = 0; k < static_cast<int>(gas.dimension); ++k)
    for (const int side : {1, -1}) {
      geometry::Part& part = box.parts.emplace_back();
      part.shape = geometry::HalfSpace{side * Vector3::Unit(k)};
      if (side < 0) part.pose.position = gas.box * Vector3::Unit(k);
    }
  add(box, {Vector3::Zero(), Vector3::Zero(), Vector3::Zero()});
  Played played{Model(all), {}, {}};
  RunOptions options{.duration = duration, .interval = duration};
  if (way == Way::general) options.stop.impacts = 1e9;  // conditions to stop are no matter of free flight
  played.summary = run(played.model, played.model.state(placement), EventDriven{}, law, options, played.seen);
  return played;
}

/// The same impacts at the same times, and the same end, of two gases whose balls are numbered by `same` and whose
/// times and lengths are larger by the factors.
void expect_same(const Played& one, const Played& other, double tolerance, const std::vector<int>& same = {},
                 double time = 1, double length = 1) {
  ASSERT_EQ(one.seen.impacts.size(), other.seen.impacts.size());
  ASSERT_GT(one.seen.impacts.size(), 10u);
  for (std::size_t i = 0; i < one.seen.impacts.size(); ++i) {
    std::vector<int> bodies = one.seen.impacts[i].bodies;
    for (int& body : bodies) body = same.empty() ? body : same[body];
    std::sort(bodies.begin(), bodies.end());
    ASSERT_EQ(bodies, other.seen.impacts[i].bodies) << "impact " << i;
    ASSERT_NEAR(one.seen.impacts[i].t * time, other.seen.impacts[i].t, tolerance * time) << "impact " << i;
  }
  for (int body = 0; body + 1 < static_cast<int>(one.model.bodies().size()); ++body) {
    const Pose pose = one.model.pose(body, one.summary.end);
    const Pose as = other.model.pose(same.empty() ? body : same[body], other.summary.end);
    EXPECT_LT((length * pose.position - as.position).norm(), tolerance * length) << body;
    EXPECT_LT(pose.orientation.angularDistance(as.orientation), 100 * tolerance) << body;
  }
  EXPECT_NEAR(one.summary.ledger.dissipated_impacts / one.summary.ledger.start,
              other.summary.ledger.dissipated_impacts / other.summary.ledger.start, tolerance);
}

TEST(GasTest, FlightAndTheGeneralSchemeFindTheSameImpacts) {
  for (const Dimension dimension : {Dimension::plane, Dimension::space})
    for (const double mu : {0.0, 0.3})
      for (const double fall : {0.0, 3.0}) {
        Gas gas = random_gas(5, dimension, dimension == Dimension::plane ? 6 : 3, 2);
        gas.e = 0.9;
        gas.mu = mu;
        gas.gravity = Vector3(0, -fall, 0);
        SCOPED_TRACE(std::to_string(static_cast<int>(dimension)) + "D, mu " + std::to_string(mu) + ", g " +
                     std::to_string(fall));
        const Played flown = play_gas(gas, Newton{}, 0.25), found = play_gas(gas, Newton{}, 0.25, Way::general);
        expect_same(flown, found, 1e-7);
        EXPECT_EQ(flown.summary.inconsistent, 0);
        EXPECT_EQ(flown.summary.steps, 0) << "it flew";
        EXPECT_NEAR(flown.summary.ledger.error(), 0, 1e-12 * flown.summary.ledger.start);
      }
}

TEST(GasTest, EveryLawOfOneContactBouncesAsInTheGeneralScheme) {
  Gas gas = random_gas(2, Dimension::plane, 4, 1.5);
  gas.e = 0.8;
  gas.mu = 0.2;
  for (const ImpactLaw& law : {ImpactLaw(Newton{}), ImpactLaw(Poisson{}), ImpactLaw(Keller{}), ImpactLaw(Lzb{})}) {
    SCOPED_TRACE(name_of(law));
    expect_same(play_gas(gas, law, 0.3), play_gas(gas, law, 0.3, Way::general), 1e-6);
  }
}

TEST(GasTest, DependsNeitherOnTheOrderOfBallsNorOnUnitsNorOnTheMirror) {
  Gas gas = random_gas(11, Dimension::plane, 8, 3);
  gas.e = 0.95;
  gas.mu = 0.1;
  gas.gravity = Vector3(0.5, -1, 0);
  const double duration = 0.3;
  const Played played = play_gas(gas, Newton{}, duration);
  Gas reversed = gas;
  std::reverse(reversed.balls.begin(), reversed.balls.end());
  std::vector<int> same;
  for (int i = 0; i < static_cast<int>(gas.balls.size()); ++i)
    same.push_back(static_cast<int>(gas.balls.size()) - 1 - i);
  expect_same(played, play_gas(reversed, Newton{}, duration), 1e-8, same);

  Gas scaled = gas;  // lengths and masses in other units, and time
  const double length = 1e3, time = 1e-2, mass = 1e-6;
  scaled.box *= length;
  scaled.gravity *= length / time / time;
  for (Gas::Ball& ball : scaled.balls) {
    ball.x *= length;
    ball.v *= length / time;
    ball.spin /= time;
    ball.radius *= length;
    ball.mass *= mass;
  }
  expect_same(played, play_gas(scaled, Newton{}, duration * time), 1e-8, {}, time, length);

  Gas mirrored = gas;  // x and y exchanged
  const auto exchange = [](Vector3& x) { std::swap(x[0], x[1]); };
  exchange(mirrored.gravity);
  for (Gas::Ball& ball : mirrored.balls) {
    exchange(ball.x);
    exchange(ball.v);
    ball.spin *= -1;
  }
  const Played seen = play_gas(mirrored, Newton{}, duration);
  ASSERT_EQ(seen.seen.impacts.size(), played.seen.impacts.size());
  for (std::size_t i = 0; i < seen.seen.impacts.size(); ++i)
    ASSERT_NEAR(seen.seen.impacts[i].t, played.seen.impacts[i].t, 1e-8) << i;
}

TEST(GasTest, OneLargeBallAmongSmallOnesIsMetLikeAnyOther) {
  Gas gas = random_gas(4, Dimension::plane, 12, 1.2);
  std::erase_if(gas.balls, [](const Gas::Ball& ball) { return (ball.x - Vector3(0.5, 0.5, 0)).norm() < 0.3; });
  gas.balls.push_back({Vector3(0.5, 0.5, 0), Vector3(0.5, 0.2, 0), Vector3::Zero(), 0.25, 0.5});
  expect_same(play_gas(gas, Newton{}, 0.12), play_gas(gas, Newton{}, 0.12, Way::general), 1e-7);
}

TEST(GasTest, ABallThatMeetsTwoAtOnceIsOneImpactOfThree) {
  Gas gas;
  for (const Vector3& x : {Vector3(0.3, 0.5, 0), Vector3(0.6, 0.62, 0), Vector3(0.6, 0.38, 0)})
    gas.balls.push_back({x, Vector3::Zero(), Vector3::Zero(), 0.1, 1});
  gas.balls[0].v = Vector3(1, 0, 0);
  const Played played = play_gas(gas, Newton{}, 0.15);
  ASSERT_EQ(played.seen.impacts.size(), 1u);
  EXPECT_EQ(played.seen.impacts[0].bodies.size(), 3u);
  EXPECT_NEAR(played.seen.impacts[0].t, 0.14, 1e-12);
  EXPECT_NEAR(played.summary.end.u[0], 1 - 2.56 / 2.28, 1e-12);  // impulses 2 c / (1 + 2 c^2), c = 0.8
  EXPECT_NEAR(played.summary.end.u[3], 1.28 / 2.28, 1e-12);
}

TEST(GasTest, SeparatePairsThatMeetAtOnceAreSeparateImpacts) {
  Gas gas;
  for (const double y : {0.2, 0.5, 0.8})
    for (const double x : {0.3, 0.7})
      gas.balls.push_back({Vector3(x, y, 0), Vector3(x < 0.5 ? 1 : -1, 0, 0), Vector3::Zero(), 0.1, 1});
  const Played played = play_gas(gas, Newton{}, 0.15);
  ASSERT_EQ(played.seen.impacts.size(), 3u);
  for (const auto& impact : played.seen.impacts) {
    EXPECT_EQ(impact.bodies.size(), 2u);
    EXPECT_NEAR(impact.t, 0.1, 1e-15);
  }
}

TEST(GasTest, HandsOverToTheGeneralSchemeWhereAContactIsTooSlowToBounce) {
  Gas gas;
  gas.box = 6;
  gas.gravity = Vector3(0, -1, 0);
  const auto add = [&](double x, double y, double vx) {
    gas.balls.push_back({Vector3(x, y, 0), Vector3(vx, 0, 0), Vector3::Zero(), 0.1, 1});
  };
  add(2, 5, 1);  // these two set the scale of approaches
  add(3, 5, -1);
  add(4, 5.8, 0);  // and these touch slowly, in the air
  add(4.2 + 6e-7, 5.8, -1e-6);
  const Played flown = play_gas(gas, Newton{}, 4.5), found = play_gas(gas, Newton{}, 4.5, Way::general);
  EXPECT_EQ(flown.summary.resting_impacts, 1);
  EXPECT_GT(flown.summary.steps, 0);
  EXPECT_EQ(flown.summary.impacts, found.summary.impacts);
  EXPECT_GT(flown.summary.impacts, 4);
  EXPECT_LT((flown.summary.end.q - found.summary.end.q).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(GasTest, AThousandDiscsKeepTheirEnergyAndAreCertified) {
  const Played played = play_gas(random_gas(1, Dimension::plane, 32, 4), Newton{}, 0.3);
  EXPECT_GT(played.summary.impacts, 5000);
  EXPECT_EQ(played.summary.inconsistent, 0);
  EXPECT_EQ(played.summary.status, RunStatus::solved);
  EXPECT_NEAR(played.summary.ledger.kinetic / played.summary.ledger.start, 1, 1e-13);
  EXPECT_LT(played.summary.deepest_penetration, 1e-12);
}

TEST(GasTest, FlightIsTakenUpAgainAfterAContactThatLasted) {
  // "low" lies on the floor, is struck, slides, and leaves the floor along a slope; two others go to and fro above.
  const std::string scene = R"(
    gravity = 1e-3
    law = "newton"
    contact = {e = 1}
    duration = 4
    [[body]]
    name = "low"
    shape = {type = "disc", radius = 0.1}
    density = 1
    position = [2, 0.1]
    [[body]]
    name = "striker"
    shape = {type = "disc", radius = 0.1}
    density = 1
    position = [1, 0.13]
    velocity = [1, 0]
    [[body]]
    name = "left"
    shape = {type = "disc", radius = 0.1}
    density = 1
    position = [1, 5]
    velocity = [1, 0]
    [[body]]
    name = "right"
    shape = {type = "disc", radius = 0.1}
    density = 1
    position = [5, 5]
    velocity = [-1, 0]
    [[wall]]
    name = "floor"
    shape = "plane"
    [[wall]]
    name = "sides"
    shapes = [{type = "plane", normal = [1, 0]}, {type = "plane", normal = [-1, 0], position = [6, 0]}]
    [[wall]]
    name = "slope"
    shape = {type = "plane", normal = [-1, 1]}
    position = [4, 0]
    [[pair]]
    bodies = ["low", "floor"]
    e = 0)";
  const Played early = play(scene), late = play(scene, {"duration=60"});
  ASSERT_GT(early.summary.steps, 0) << "a contact lasted";
  ASSERT_GT(late.summary.impacts, early.summary.impacts + 20);
  EXPECT_LE(late.summary.steps, early.summary.steps + 2) << "later it flew";
  const Played general = play(scene, {"duration=60", "stop.impacts=100000"});
  EXPECT_GT(general.summary.steps, late.summary.steps);
  EXPECT_EQ(general.summary.impacts, late.summary.impacts);
  EXPECT_LT((general.summary.end.q - late.summary.end.q).cwiseAbs().maxCoeff(), 1e-5);
}

TEST(GasTest, BallsThatComeToRestDoSoAsInTheGeneralScheme) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    Gas gas = random_gas(seed, Dimension::plane, 2, 1.5);
    gas.e = 0.3 + 0.03 * seed;
    gas.mu = seed % 2 == 0 ? 0.2 : 0;
    gas.gravity = Vector3(0, -10, 0);
    const Played flown = play_gas(gas, Newton{}, 1.5), found = play_gas(gas, Newton{}, 1.5, Way::general);
    EXPECT_GT(flown.summary.resting_impacts, 0);
    EXPECT_LT((flown.summary.end.q - found.summary.end.q).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_NEAR(flown.summary.ledger.error(), 0, 1e-9 * flown.summary.ledger.start);
  }
}

/// The states of all bodies right before impacts.
struct Befores : Observer {
  std::vector<State> all;
  void impact(const Model&, const ImpactEvent& event) override { all.push_back(event.all_before()); }
};

TEST(GasTest, EveryBodyIsWhereItIsWhenOthersMeet) {
  const scene::Scene scene = scene::parse_scene(R"(
    dimension = 3
    gravity = 2
    duration = 1
    law = "newton"
    contact = {e = 0.9, mu = 0.3}
    [[grid]]
    name = "ball"
    count = [3, 3, 3]
    spacing = 0.03
    shape = {type = "sphere", radius = 0.01}
    density = 1
    position = [0.03, 0.03, 0.03]
    speed = 1
    seed = 3)",
                                                "test.toml");
  const Model model(scene.description);
  Befores flown, found;
  RunOptions options{.duration = 0.1, .interval = 0.1};
  run(model, model.state(scene.placement), scene.scheme, scene.law, options, flown);
  options.stop.impacts = 1e9;
  run(model, model.state(scene.placement), scene.scheme, scene.law, options, found);
  ASSERT_GT(flown.all.size(), 5u);
  ASSERT_EQ(flown.all.size(), found.all.size());
  for (std::size_t i = 0; i < found.all.size(); ++i) {
    EXPECT_NEAR(flown.all[i].t, found.all[i].t, 1e-9);
    EXPECT_LT((flown.all[i].q - found.all[i].q).cwiseAbs().maxCoeff(), 1e-7) << i;
    EXPECT_LT((flown.all[i].u - found.all[i].u).cwiseAbs().maxCoeff(), 1e-6) << i;
  }
}

}  // namespace
}  // namespace carom::testing
