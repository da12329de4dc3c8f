// What must hold for any rods: balances, impenetrability, and that neither units nor a mirror nor the observer matter.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "random_share.h"
#include "rods_support.h"

namespace carom::waves {
namespace {

using testing::share_of;

double momentum_of(const RodsOutcome& outcome) {
  double sum = 0;
  for (const RodResult& rod : outcome.rods) sum += rod.momentum;
  return sum;
}

bool is_wall(const RodsProblem& problem, const std::string& name) {
  return std::any_of(problem.walls.begin(), problem.walls.end(), [&](const Wall& wall) { return wall.name == name; });
}

TEST(RandomRods, EnergyIsKept) {
  for (int seed = 0; seed < share_of(400); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const RodsOutcome outcome = outcome_of(follow(random_rods(random), {.most_fronts = 20000}));
    EXPECT_LT(outcome.energy_error, 1e-11);
    for (const RodResult& rod : outcome.rods) EXPECT_TRUE(std::isfinite(rod.velocity + rod.vibration));
  }
}

TEST(RandomRods, MomentumComesFromForcesAndWalls) {
  for (int seed = 0; seed < share_of(400); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const RodsProblem problem = random_rods(random, {.fixed = false});
    const RodsOutcome outcome = outcome_of(follow(problem, {.most_fronts = 20000}));
    double expected = 0, scale = 1e-3;
    for (const Rod& rod : problem.rods) {
      expected += rod.mass() * rod.velocity;
      scale += rod.mass() * std::abs(rod.velocity);
      for (const EndForce& force : rod.forces) {
        expected += force.value * outcome.reached;
        scale += std::abs(force.value) * outcome.reached;
      }
    }
    for (const ContactResult& contact : outcome.contacts) {
      if (is_wall(problem, contact.left)) expected += contact.impulse;
      if (is_wall(problem, contact.right)) expected -= contact.impulse;
      scale += contact.impulse;
    }
    EXPECT_NEAR(momentum_of(outcome), expected, 1e-11 * scale);
  }
}

TEST(RandomRods, NothingPenetratesOrPulls) {
  for (int seed = 0; seed < share_of(200); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const WaveHistory history = follow(random_rods(random), {.most_fronts = 20000});
    const RodsProblem& problem = history.problem;
    for (std::size_t k = 0; k < history.junctions.size(); ++k)
      for (const JunctionStep& step : history.met[k]) {
        const Junction& junction = history.junctions[k];
        EXPECT_GE(step.force, 0);
        if (!junction.contact) continue;
        EXPECT_GE(junction.gap + step.u_right - step.u_left, -1e-10) << step.t;
        if (step.force > 0) {
          EXPECT_NEAR(step.v_left, step.v_right, 1e-12);
        }
        if (junction.left != kNone && junction.right != kNone) {
          const Rod& rod = problem.rods[junction.left];
          const double end = position_of(history, junction.left, rod.length, step.t);
          EXPECT_NEAR(end, rod.position + rod.length + step.u_left, 1e-9) << "strains and end displacements agree";
        }
      }
  }
}

/// The same line seen from behind.
RodsProblem mirrored(const RodsProblem& problem) {
  RodsProblem result = problem;
  std::reverse(result.rods.begin(), result.rods.end());
  const auto other = [](End end) { return end == End::left ? End::right : End::left; };
  for (Rod& rod : result.rods) {
    rod.position = -(rod.position + rod.length);
    rod.velocity = -rod.velocity;
    if (rod.fixed) rod.fixed = other(*rod.fixed);
    for (EndForce& force : rod.forces) force = {other(force.end), -force.value};
  }
  for (Wall& wall : result.walls) wall.position = -wall.position;
  return result;
}

/// Whether b is a with velocities times `speed`, impulses times `impulse` and times times `time`, contact by contact.
void expect_same(const RodsOutcome& a, const RodsOutcome& b, double speed, double impulse, double time) {
  constexpr double kTolerance = 1e-7;  // rods that meet amplify rounding
  ASSERT_EQ(a.rods.size(), b.rods.size());
  ASSERT_EQ(a.contacts.size(), b.contacts.size());
  for (std::size_t i = 0; i < a.rods.size(); ++i)
    EXPECT_NEAR(a.rods[i].velocity * speed, b.rods[i].velocity, kTolerance * std::abs(speed));
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    EXPECT_NEAR(a.contacts[i].impulse * impulse, b.contacts[i].impulse, kTolerance * impulse);
    ASSERT_EQ(a.contacts[i].intervals.size(), b.contacts[i].intervals.size());
    for (std::size_t k = 0; k < a.contacts[i].intervals.size(); ++k) {
      EXPECT_NEAR(a.contacts[i].intervals[k].begin * time, b.contacts[i].intervals[k].begin, kTolerance * time);
      EXPECT_NEAR(a.contacts[i].intervals[k].end * time, b.contacts[i].intervals[k].end, kTolerance * time);
    }
  }
}

TEST(RandomRods, AMirrorChangesNothing) {
  for (int seed = 0; seed < share_of(300); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const RodsProblem problem = random_rods(random);
    const RodsOutcome outcome = outcome_of(follow(problem));
    RodsOutcome image = outcome_of(follow(mirrored(problem)));
    std::reverse(image.rods.begin(), image.rods.end());
    std::reverse(image.contacts.begin(), image.contacts.end());
    for (RodResult& rod : image.rods) rod.velocity = -rod.velocity;
    expect_same(outcome, image, 1, 1, 1);
  }
}

TEST(RandomRods, UnitsDoNotMatter) {
  constexpr double kMetre = 1e3, kKilogram = 1e-7, kSecond = 1e5;
  for (int seed = 0; seed < share_of(300); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const RodsProblem problem = random_rods(random);
    RodsProblem other = problem;
    const double newton = kKilogram * kMetre / kSecond / kSecond;
    other.duration *= kSecond;
    for (Rod& rod : other.rods) {
      rod.length *= kMetre;
      rod.position *= kMetre;
      rod.velocity *= kMetre / kSecond;
      rod.E *= newton / kMetre / kMetre;
      rod.rho *= kKilogram / kMetre / kMetre / kMetre;
      rod.area *= kMetre * kMetre;
      for (EndForce& force : rod.forces) force.value *= newton;
    }
    for (Wall& wall : other.walls) wall.position *= kMetre;
    expect_same(outcome_of(follow(problem)), outcome_of(follow(other)), kMetre / kSecond, newton * kSecond, kSecond);
  }
}

TEST(RandomRods, AMovingObserverSeesTheSameContacts) {
  constexpr double kSpeed = 3.7;
  for (int seed = 0; seed < share_of(300); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed));
    const RodsProblem problem = random_rods(random, {.walls = false, .fixed = false});
    RodsProblem moving = problem;
    for (Rod& rod : moving.rods) rod.velocity += kSpeed;
    RodsOutcome seen = outcome_of(follow(moving));
    for (RodResult& rod : seen.rods) rod.velocity -= kSpeed;
    expect_same(outcome_of(follow(problem)), seen, 1, 1, 1);
  }
}

TEST(RandomRods, TheOrderOfWallsDoesNotMatter) {
  for (int seed = 0; seed < share_of(100); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    RodsProblem problem = random_rods(random);
    const RodsOutcome outcome = outcome_of(follow(problem));
    std::reverse(problem.walls.begin(), problem.walls.end());
    expect_same(outcome, outcome_of(follow(problem)), 1, 1, 1);
  }
}

TEST(RandomRods, ManyRodsAndSizesEndOrSayHowFarTheyCame) {
  for (int seed = 0; seed < share_of(120); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<std::uint64_t>(seed) + 1000);
    RodsProblem problem = random_rods(random, {.most_rods = 60, .duration = 40});
    double shift = 0;
    for (Rod& rod : problem.rods) {  // lengths, stiffnesses and densities over many powers of ten
      const auto any = [&] { return random.uniform() < 0.5 ? 1 : std::pow(10, 8 * random.uniform() - 4); };
      const double longer = rod.length * (any() - 1);
      rod.position += shift;
      rod.length += longer;
      shift += longer;
      rod.E *= any();
      rod.rho *= any();
    }
    problem.walls.clear();
    const WaveHistory history = follow(problem, {.most_fronts = 30000});
    const RodsOutcome outcome = outcome_of(history);
    EXPECT_LT(outcome.energy_error, 1e-9);
    EXPECT_TRUE(outcome.finished || history.fronts >= 30000);
    for (const ContactResult& contact : outcome.contacts) EXPECT_TRUE(std::isfinite(contact.impulse));
  }
}

}  // namespace
}  // namespace carom::waves
