// Waves in rods against closed forms and the histories of tests/data/elastic_rods.json.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "carom/waves/finite_elements.h"
#include "json.h"
#include "rods_support.h"

namespace carom::waves {
namespace {

using testing::Json;

std::vector<Json> cases_of(const std::string& kind) {
  std::ifstream file(std::string(CAROM_SOURCE_DIR) + "/tests/data/elastic_rods.json");
  const Json all = Json::parse(file);
  std::vector<Json> result;
  for (const Json& each : all.at("cases"))
    if (each.at("kind") == kind) result.push_back(each);
  return result;
}

void expect_moment(const WaveHistory& history, const Json& expected, double tol) {
  const double t = expected.at("ct");
  SCOPED_TRACE(t);
  const std::array<RodState, 2> states = {state_at(history, 0, t), state_at(history, 1, t)};
  EXPECT_NEAR(states[0].velocity, expected["v1"], tol);
  EXPECT_NEAR(states[1].velocity, expected["v2"], tol);
  EXPECT_NEAR(states[0].kinetic, expected["T1"], tol);
  EXPECT_NEAR(states[0].strain, expected["V1"], tol);
  EXPECT_NEAR(states[1].kinetic, expected["T2"], tol);
  EXPECT_NEAR(states[1].strain, expected["V2"], tol);
  const JunctionStep& contact = junction_at(history, 1, t);
  EXPECT_NEAR(contact.v_left, expected["ul"], tol);
  EXPECT_NEAR(contact.v_right, expected["ur"], tol);
  EXPECT_NEAR(-contact.force, expected["contact_cux"], tol);
  EXPECT_EQ(contact.closed, expected["closed"]);
}

TEST(ElasticRods, FollowTheReferenceHistories) {
  const std::vector<Json> cases = cases_of("elastic_rods");
  ASSERT_EQ(cases.size(), 5U);
  for (const Json& each : cases) {
    SCOPED_TRACE(each.at("id"));
    const double l1 = each["inputs"]["l1"], l2 = each["inputs"]["l2"], tol = each["tol"];
    const Json& expected = each["outputs"];
    const double last = expected["history"].back()["ct"];
    const WaveHistory history = follow(two_rods(l1, l2, 1, last + 0.25));
    for (const Json& moment : expected["history"]) expect_moment(history, moment, tol);
    const RodsOutcome outcome = outcome_of(history);
    ASSERT_EQ(outcome.contacts.size(), 1U);
    ASSERT_EQ(outcome.contacts[0].intervals.size(), 1U);
    EXPECT_NEAR(outcome.contacts[0].intervals[0].begin, 0, tol);
    EXPECT_NEAR(outcome.contacts[0].intervals[0].end, expected["contact_opens_ct"], tol);
    EXPECT_NEAR(outcome.contacts[0].peak_force, 0.5, tol);
    EXPECT_NEAR(outcome.contacts[0].impulse, l1, tol);
    EXPECT_NEAR(outcome.rods[0].velocity, expected["v1_plus"], tol);
    EXPECT_NEAR(outcome.rods[1].velocity, expected["v2_plus"], tol);
    EXPECT_NEAR(outcome.rods[0].kinetic + outcome.rods[1].kinetic - 0.5 * l1, expected["dT_rigid"], tol);
    ASSERT_TRUE(outcome.restitution.has_value());
    EXPECT_NEAR(*outcome.restitution, expected["eps"], tol);
    const double compressed = expected["compression_ends_ct"];
    EXPECT_GT(force_at(history, 1, 0.999 * compressed), 0.4);
    EXPECT_EQ(force_at(history, 1, 1.001 * compressed), 0);
  }
}

TEST(ElasticRods, ABarLeavesAWallAsFastAsItCame) {
  const std::vector<Json> cases = cases_of("elastic_bar_wall");
  ASSERT_EQ(cases.size(), 1U);
  const Json &inputs = cases[0]["inputs"], &expected = cases[0]["outputs"];
  const double v = inputs["v"], tol = cases[0]["tol"];
  RodsProblem problem{3, {plain_rod("bar", 1, 0, v)}, {{"wall", 1}}};
  const WaveHistory history = follow(problem);
  const RodsOutcome outcome = outcome_of(history);
  ASSERT_EQ(outcome.contacts[0].intervals.size(), 1U);
  EXPECT_NEAR(outcome.contacts[0].intervals[0].end, expected["contact_duration"], tol);
  EXPECT_NEAR(outcome.contacts[0].peak_force, expected["contact_force"], tol);
  EXPECT_NEAR(outcome.rods[0].velocity, expected["rebound_velocity"], tol);
  EXPECT_NEAR(fields_at(history, 0, 0.5).back().stress, expected["max_strain"], tol);
  EXPECT_NEAR(*outcome.restitution, 1, tol);
}

TEST(ElasticRods, AStiffStrikerUnloadsInSteps) {
  // a rod of impedance 3 on a long one of 1: force Z1 Z2/(Z1 + Z2) v, each return of its wave times (3 - 1)/(3 + 1)
  const RodsProblem problem{10, {rod_of("striker", 0.5, 3, 1, -0.5, 2), rod_of("bar", 20, 1, 1, 0)}, {}};
  const WaveHistory history = follow(problem);
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(force_at(history, 1, k + 0.5), 1.5 * std::pow(0.5, k), 1e-13) << k;
}

TEST(ElasticRods, ASoftStrikerLeavesAfterOneReturn) {
  const RodsProblem problem{10, {rod_of("striker", 0.5, 1, 1, -0.5, 2), rod_of("bar", 20, 3, 1, 0)}, {}};
  const RodsOutcome outcome = outcome_of(follow(problem));
  ASSERT_EQ(outcome.contacts[0].intervals.size(), 1U);
  EXPECT_NEAR(outcome.contacts[0].intervals[0].end, 1, 1e-13);
  EXPECT_NEAR(outcome.contacts[0].peak_force, 1.5, 1e-13);
  EXPECT_NEAR(outcome.rods[0].velocity, 2 - 1.5 / 0.5, 1e-13);
}

TEST(ElasticRods, TheLastOfThreeEqualRodsLeavesWithAll) {
  const RodsProblem problem{6, {plain_rod("a", 1, 0, 1), plain_rod("b", 1, 1), plain_rod("c", 1, 2)}, {}};
  const RodsOutcome outcome = outcome_of(follow(problem));
  EXPECT_NEAR(outcome.rods[0].velocity, 0, 1e-14);
  EXPECT_NEAR(outcome.rods[1].velocity, 0, 1e-14);
  EXPECT_NEAR(outcome.rods[2].velocity, 1, 1e-14);
  for (const RodResult& rod : outcome.rods) EXPECT_NEAR(rod.vibration, 0, 1e-14);
  EXPECT_NEAR(outcome.contacts[0].intervals.back().end, 6, 0) << "a and b rest side by side";
  EXPECT_NEAR(outcome.contacts[1].intervals.back().end, 3, 1e-13);
  EXPECT_FALSE(outcome.restitution.has_value());
}

TEST(ElasticRods, AStepForceStretchesAHeldRodTwiceAsFarAsAtRest) {
  RodsProblem problem{4, {rod_of("rod", 2, 5, 4, 0)}, {}};
  problem.rods[0].fixed = End::left;
  problem.rods[0].forces = {{End::right, 3}};
  const WaveHistory history = follow(problem);
  const double at_rest = 3 * 2 / problem.rods[0].E;  // F l/(E A)
  EXPECT_NEAR(displacement(history, 0, End::right, 1), 2 * at_rest, 1e-14);
  EXPECT_NEAR(displacement(history, 0, End::right, 2), 0, 1e-14);
  EXPECT_NEAR(fields_at(history, 0, 0.75).front().stress, 6, 1e-13) << "twice the force at the held end";
  EXPECT_NEAR(outcome_of(history).work, 0, 1e-13);
}

TEST(ElasticRods, AForceMovesTheMassCentreAsNewtonSays) {
  RodsProblem problem{7.3, {rod_of("rod", 1.7, 0.8, 1.3, 0, -0.2)}, {}};
  problem.rods[0].forces = {{End::left, 0.3}, {End::right, -0.1}};
  const RodsOutcome outcome = outcome_of(follow(problem));
  EXPECT_NEAR(outcome.rods[0].velocity, -0.2 + 0.2 * 7.3 / problem.rods[0].mass(), 1e-13);
  EXPECT_LT(outcome.energy_error, 1e-13);
}

TEST(ElasticRods, AForceThatIsNextToNothingAddsUp) {
  RodsProblem problem{1e5, {plain_rod("rod", 1, 0, 1)}, {}};
  problem.rods[0].forces = {{End::left, 1e-14}};
  const RodsOutcome outcome = outcome_of(follow(problem));
  EXPECT_NEAR(outcome.rods[0].velocity - 1, 1e-9, 1e-11);
}

TEST(ElasticRods, AGapClosesWhenTheEndsMeet) {
  RodsProblem problem{10, {plain_rod("a", 1, 0, 0.25), plain_rod("b", 1, 1.5)}, {{"wall", 3}}};
  const RodsOutcome outcome = outcome_of(follow(problem));
  ASSERT_EQ(outcome.contacts.size(), 2U);
  EXPECT_NEAR(outcome.contacts[0].intervals.at(0).begin, 2, 1e-13);
  EXPECT_NEAR(outcome.contacts[0].intervals.at(0).end, 4, 1e-13);
  EXPECT_NEAR(outcome.contacts[1].intervals.at(0).begin, 5, 1e-12) << "b goes 0.25 m/s from t = 3 on at its right end";
}

TEST(ElasticRods, ARodBouncesBetweenWallsForever) {
  const RodsProblem problem{1000, {plain_rod("rod", 1, 0, 0.5)}, {{"right", 2}, {"left", 0}}};
  const RodsOutcome outcome = outcome_of(follow(problem));
  ASSERT_EQ(outcome.contacts.size(), 2U);
  EXPECT_EQ(outcome.contacts[0].left, "left");
  EXPECT_EQ(outcome.contacts[1].right, "right");
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_NEAR(outcome.contacts[1].intervals.at(i).begin, 2 + 8.0 * static_cast<double>(i), 1e-9);
    EXPECT_NEAR(outcome.contacts[1].intervals.at(i).end, 4 + 8.0 * static_cast<double>(i), 1e-9);
  }
  EXPECT_LT(outcome.energy_error, 1e-12);
}

TEST(ElasticRods, TouchingAtRestIsClosedWithoutForce) {
  const RodsOutcome rest = outcome_of(follow({5, {plain_rod("a", 1, 0), plain_rod("b", 0.3, 1)}, {}}));
  ASSERT_EQ(rest.contacts[0].intervals.size(), 1U);
  EXPECT_EQ(rest.contacts[0].intervals[0].end, 5);
  EXPECT_EQ(rest.contacts[0].peak_force, 0);
  EXPECT_FALSE(rest.restitution.has_value());
  EXPECT_EQ(rest.energy_error, 0);
  const RodsOutcome parting = outcome_of(follow({5, {plain_rod("a", 1, 0, -1), plain_rod("b", 0.3, 1)}, {}}));
  EXPECT_TRUE(parting.contacts[0].intervals.empty());
  EXPECT_FALSE(parting.restitution.has_value()) << "they have not met";
}

TEST(ElasticRods, PositionsThatAreSumsTouch) {
  const RodsProblem problem{1, {plain_rod("a", 0.2, 0.1, 1), plain_rod("b", 0.4, 0.3), plain_rod("c", 0.1, 0.7)}, {}};
  const RodsOutcome outcome = outcome_of(follow(problem));
  EXPECT_EQ(outcome.contacts[0].intervals.at(0).begin, 0);
  EXPECT_EQ(outcome.contacts[1].intervals.at(0).begin, 0);
}

TEST(ElasticRods, AWallBetweenRodsIsTouchedFromBothSides) {
  const RodsProblem problem{4, {plain_rod("a", 1, 0, 1), plain_rod("b", 1, 1.5, -1)}, {{"w", 1.25}}};
  const RodsOutcome outcome = outcome_of(follow(problem));
  ASSERT_EQ(outcome.contacts.size(), 2U);
  EXPECT_EQ(outcome.contacts[0].right, "w");
  EXPECT_EQ(outcome.contacts[1].left, "w");
  EXPECT_NEAR(outcome.rods[0].velocity, -1, 1e-14);
  EXPECT_NEAR(outcome.rods[1].velocity, 1, 1e-14);
}

TEST(ElasticRods, AHeldEndIsAWallForItsNeighbour) {
  RodsProblem problem{4, {plain_rod("a", 1, 0, 1), plain_rod("b", 1, 1)}, {}};
  problem.rods[1].fixed = End::left;
  const RodsOutcome outcome = outcome_of(follow(problem));
  EXPECT_NEAR(outcome.contacts.at(0).peak_force, 1, 1e-14);
  EXPECT_NEAR(outcome.rods[0].velocity, -1, 1e-14);
  EXPECT_EQ(outcome.rods[1].vibration, 0);
}

TEST(ElasticRods, UnequalRodsThatMeetAgainAgreeWithALattice) {
  // by a program of its own that shifts waves through 3200 cells a second and looks at gaps once a cell
  const RodsProblem problem{
      12,
      {rod_of("a", 1, 1, 1, 0, 0.7), rod_of("b", 1.5, 2, 1.5, 1.25), rod_of("c", 1, 0.5, 0.5, 3, -0.1)},
      {{"w", 4.3}}};
  const RodsOutcome outcome = outcome_of(follow(problem));
  constexpr double kCell = 2e-4;
  const std::vector<double> velocities = {-0.233333, -0.375557, 0.069124}, impulses = {0.933333, 1.684448, 1.515324};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(outcome.rods[i].velocity, velocities[i], kCell);
    EXPECT_NEAR(outcome.contacts[i].impulse, impulses[i], kCell);
  }
  EXPECT_EQ(outcome.contacts[1].intervals.size(), 2U);
  EXPECT_EQ(outcome.contacts[2].intervals.size(), 3U);
}

TEST(ElasticRods, ABudgetEndsTheWorkWithWhatIsKnown) {
  const RodsProblem problem{1e9, {rod_of("a", 1, 1, 1, 0, 1), rod_of("b", 1.37, 1.7, 1.1, 1)}, {{"w", -1}, {"x", 4}}};
  const WaveHistory history = follow(problem, {.most_fronts = 5000});
  const RodsOutcome outcome = outcome_of(history);
  EXPECT_FALSE(outcome.finished);
  EXPECT_EQ(outcome.status(), "not-finished");
  EXPECT_GT(outcome.reached, 5);
  EXPECT_LT(outcome.reached, 1e6);
  EXPECT_LT(outcome.energy_error, 1e-12);
  EXPECT_NE(outcome.message.find("fronts"), std::string::npos);
}

TEST(ElasticRods, WorkThatIsWatchedTellsHowFarItIsAndEndsWhenAsked) {
  const RodsProblem problem{3, {rod_of("a", 1, 1, 1, 0, 1), rod_of("b", 1.37, 1.7, 1.1, 1)}, {{"w", -1}, {"x", 4}}};
  Watch watch;
  ASSERT_TRUE(follow(problem, {.watch = &watch}).finished);
  EXPECT_GT(watch.spent.load(), 0.5);
  EXPECT_FALSE(watch.at_most);
  watch.cancelled = true;
  for (const RodsOutcome& outcome :
       {outcome_of(follow(problem, {.watch = &watch})), follow_elements(problem, {.watch = &watch}).outcome}) {
    EXPECT_FALSE(outcome.finished);
    EXPECT_LT(outcome.reached, 3);
    EXPECT_NE(outcome.message.find("told to stop"), std::string::npos) << outcome.message;
  }
}

TEST(ElasticRods, ATimeThatHidesACrossingEndsTheWork) {
  const RodsProblem problem{1e16, {plain_rod("a", 1, 0, 0.01), plain_rod("b", 1, 1e10)}, {}};
  const RodsOutcome outcome = outcome_of(follow(problem));
  EXPECT_FALSE(outcome.finished);
  EXPECT_NEAR(outcome.reached, 1e12, 1e3);
  EXPECT_NE(outcome.message.find("rounding of the time"), std::string::npos);
  EXPECT_LT(outcome.energy_error, 1e-12);
}

TEST(ElasticRods, CellsCoverTheDiagram) {
  const WaveHistory history = follow({3.7, {rod_of("a", 1, 1, 1, 0, 1), rod_of("b", 1.37, 1.7, 1.1, 1)}, {{"x", 2.5}}});
  for (int rod = 0; rod < 2; ++rod) {
    double area = 0;
    for (const Cell& cell : cells_of(history, rod, 10000)) {
      double x = 0, t = 0, twice = 0;
      const std::size_t n = cell.corners.size();
      for (std::size_t i = 0; i < n; ++i) {
        const Cell::Corner &p = cell.corners[i], &q = cell.corners[(i + 1) % n];
        x += p.x / static_cast<double>(n);
        t += p.t / static_cast<double>(n);
        twice += p.x * q.t - q.x * p.t;
      }
      area += 0.5 * std::abs(twice);
      for (const Piece& piece : fields_at(history, rod, t))
        if (x > piece.begin && x < piece.end) {
          EXPECT_NEAR(piece.stress, cell.stress, 1e-12);
          EXPECT_NEAR(piece.velocity, cell.velocity, 1e-12);
        }
    }
    EXPECT_NEAR(area, 3.7 * history.problem.rods[rod].length, 1e-6);
  }
  EXPECT_TRUE(cells_of(history, 0, 3).empty());
}

}  // namespace
}  // namespace carom::waves
