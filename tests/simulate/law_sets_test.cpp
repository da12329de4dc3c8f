// Contacts with a law of their own: a block that rocks in time under its restitution matrix.

#include <fmt/format.h>

#include <cmath>

#include "carom/analysis/rocking_block.h"
#include "simulate/running.h"
#include "support.h"

namespace carom::testing {
namespace {

constexpr double kBlockGravity = 10, kHeight = 0.2, kWidth = 0.1, kTilt = 0.15;
constexpr const char* kCorners =
    R"([[{body = "block", at = [-0.05, -0.1]}, "floor"], [{body = "block", at = [0.05, -0.1]}, "floor"]])";
constexpr const char* kCornersTurnedRound =
    R"([["floor", {body = "block", at = [0.05, -0.1]}], [{body = "block", at = [-0.05, -0.1]}, "floor"]])";

/// A block that stands on its right corner, tilted to the right, and falls back; it does not slip.
std::string tilted_block(const std::string& set, const std::string& law = "newton", double mu = 3) {
  const double c = std::cos(kTilt), s = std::sin(kTilt);
  const double x = -kWidth / 2 * c + kHeight / 2 * s, y = kWidth / 2 * s + kHeight / 2 * c;  // from the corner
  return fmt::format(
      "duration = 1.5\ngravity = {}\ncontact = {{e = 0, mu = {}}}\n"
      "[[body]]\nname = \"block\"\nmass = 5\nshape = {{type = \"rectangle\", size = [{}, {}]}}\n"
      "position = [{:.17g}, {:.17g}]\nangle = {:.17g}\n[[wall]]\nname = \"floor\"\nshape = \"plane\"\n"
      "[law]\nname = \"{}\"\n{}",
      kBlockGravity, mu, kWidth, kHeight, x, y, -kTilt * 180 / M_PI, law, set);
}

std::string set_of(const std::string& parameters, const std::string& contacts = kCorners,
                   const std::string& name = "generalized-kinematic") {
  return "[[law.set]]\nname = \"" + name + "\"\ncontacts = " + contacts + "\n" + parameters + "\n";
}

/// Impacts of both corners that are not too slow to count.
std::vector<Watched::Impact> of_both(const Played& played) {
  std::vector<Watched::Impact> both;
  for (const Watched::Impact& impact : played.seen.impacts)
    if (impact.Lambda.size() == 2 && !impact.at_rest) both.push_back(impact);
  return both;
}

/// The time from one impact to the next of a block that turns about its corner with the angular velocity `spin` at
/// first: twice the integral of d theta / theta' up to the angle at which it turns back.
double time_of_rocking(double spin) {
  const double R = std::hypot(kWidth, kHeight) / 2, alpha = std::atan2(kWidth, kHeight);
  const double factor = 2 * kBlockGravity * R / (4.0 / 3 * R * R);  // 2 m g R / I about the corner
  const auto risen = [&](double theta) { return factor * (std::cos(alpha - theta) - std::cos(alpha)); };
  double low = 0, high = alpha;
  for (int i = 0; i < 200; ++i) (risen(0.5 * (low + high)) < spin * spin ? low : high) = 0.5 * (low + high);
  const int count = 20000;
  double sum = 0;
  for (int i = 0; i < count; ++i) {  // theta = low sin(phi), so that the integrand stays bounded
    const double phi = (i + 0.5) * M_PI / 2 / count, theta = low * std::sin(phi);
    sum += low * std::cos(phi) / std::sqrt(spin * spin - risen(theta)) * M_PI / 2 / count;
  }
  return 2 * sum;
}

/// Housner's ratio, and one that no law with e gives.
TEST(LawSets, ABlockRocksWithItsRatioAtEveryImpact) {
  const analysis::RockingBlock theory(5, kHeight, kWidth);
  ASSERT_NEAR(theory.housner_ratio(), -0.7, 1e-12);
  for (const double e21 : {0.7, 0.8}) {
    ASSERT_GE(theory.e21_sticking().largest, e21);
    const Played played = play(tilted_block(set_of(fmt::format("r = {}\nE_t = 0", -e21))));
    ASSERT_EQ(played.summary.status, RunStatus::solved) << played.summary.message;
    EXPECT_EQ(played.summary.inconsistent, 0);
    const std::vector<Watched::Impact> impacts = of_both(played);
    ASSERT_GE(impacts.size(), 5U);
    double spin = impacts[0].u_minus[2];
    const double slow = 1e-3 * std::abs(spin);  // below it the corners rise by less than a billionth of the block
    for (std::size_t i = 0; i < impacts.size() && std::abs(impacts[i].u_minus[2]) > slow; ++i) {
      EXPECT_NEAR(impacts[i].u_minus[2], spin, 1e-8 * std::abs(impacts[0].u_minus[2])) << i;
      const analysis::BlockImpact told = theory.sticking_rocking(-std::abs(impacts[i].u_minus[2]), e21);
      EXPECT_NEAR(impacts[i].u_plus[2], e21 * impacts[i].u_minus[2], 1e-9) << i;
      EXPECT_NEAR(std::abs(impacts[i].u_plus[0]), std::abs(told.after.x), 1e-9) << i;
      EXPECT_NEAR(impacts[i].u_plus[1], told.after.y, 1e-9) << i;
      EXPECT_NEAR(impacts[i].Lambda.maxCoeff(), std::max(told.p_n1, told.p_n2), 1e-8) << i;
      if (i > 0) {
        EXPECT_NEAR(impacts[i].t - impacts[i - 1].t, time_of_rocking(std::abs(impacts[i - 1].u_plus[2])), 1e-7) << i;
      }
      spin = -e21 * impacts[i].u_minus[2];  // it comes back
    }
  }
}

TEST(LawSets, TheOrderOfContactsAndSidesDoesNotMatter) {
  const Played one = play(tilted_block(set_of("E_n = [[0.05, 0.6], [0.4, 0.1]]\nE_t = 0")));
  const Played other = play(tilted_block(set_of("E_n = [[0.1, 0.4], [0.6, 0.05]]\nE_t = 0", kCornersTurnedRound)));
  const std::vector<Watched::Impact> impacts = of_both(one), others = of_both(other);
  ASSERT_GE(impacts.size(), 2U);
  ASSERT_EQ(impacts.size(), others.size());
  for (std::size_t i = 0; i < impacts.size(); ++i) EXPECT_VECTOR_NEAR(impacts[i].u_plus, others[i].u_plus, 1e-12);
  const Played wrong = play(tilted_block(set_of("E_n = [[0.1, 0.4], [0.6, 0.05]]\nE_t = 0")));
  EXPECT_GT((of_both(wrong)[0].u_plus - impacts[0].u_plus).norm(), 1e-3);
}

TEST(LawSets, TheNumberingOfBodiesDoesNotMatter) {
  std::string behind = tilted_block(set_of("E_n = [[0.05, 0.6], [0.4, 0.1]]\nE_t = 0\nE_tn = [[0, 0], [0, 0]]"));
  std::string before = behind;
  const std::string wall = "[[wall]]\nname = \"floor\"\nshape = \"plane\"\n";
  before.replace(before.find(wall), wall.size(), "");
  before.replace(before.find("[[body]]"), 0, "[[body]]\nname = \"floor\"\nfixed = true\nshape = \"plane\"\n");
  const std::vector<Watched::Impact> one = of_both(play(behind)), other = of_both(play(before));
  ASSERT_GE(one.size(), 2U);
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_VECTOR_NEAR(one[i].u_plus, other[i].u_plus, 1e-10);
}

/// Fremond's matrix carries the impact of one corner to the other: sliding corners, gamma_A+ = e21 gamma_B-.
TEST(LawSets, NewtonsMatrixMakesASlidingBlockRock) {
  const Played played = play(tilted_block(set_of("matrix = [[0, 0.5], [0.5, 0]]", kCorners, "newton"), "poisson", 0));
  const std::vector<Watched::Impact> impacts = of_both(played);
  ASSERT_GE(impacts.size(), 3U);
  const analysis::RockingBlock theory(5, kHeight, kWidth);
  for (const Watched::Impact& impact : impacts) {
    const analysis::BlockImpact told = theory.sliding_rocking(-std::abs(impact.u_minus[2]), 0.5);
    EXPECT_NEAR(impact.u_plus[2] / impact.u_minus[2], 0.5, 1e-6);
    EXPECT_NEAR(impact.u_plus[1], told.after.y, 1e-6);
  }
}

TEST(LawSets, ShapesHaveNamesAndOtherImpactsHaveTheLawOfTheScene) {
  const std::string scene = R"(
    duration = 0.6
    gravity = 10
    contact = {e = 0.5}
    [[body]]
    name = "block"
    mass = 2
    inertia = 0.1
    position = [0, 0.3]
    shapes = [{type = "disc", radius = 0.02, position = [-0.2, 0], name = "left"},
              {type = "disc", radius = 0.02, position = [0.2, 0], name = "right"}]
    [[body]]
    name = "ball"
    mass = 1
    position = [1, 0.3]
    shape = {type = "disc", radius = 0.02}
    [[wall]]
    name = "floor"
    shape = "plane"
    [law]
    name = "newton"
    [[law.set]]
    name = "newton"
    matrix = [[0.9, 0], [0, 0.9]]
    contacts = [["block.left", "floor"], ["floor", "block.right"]]
  )";
  const Played played = play(scene);
  int of_block = 0, of_ball = 0;
  for (const Watched::Impact& impact : played.seen.impacts) {
    const double ratio = -impact.gamma_plus[0] / impact.gamma_minus[0];
    const bool block = impact.Lambda.size() == 2;
    EXPECT_NEAR(ratio, block ? 0.9 : 0.5, 1e-6);
    ++(block ? of_block : of_ball);
  }
  EXPECT_GE(of_block, 1);
  EXPECT_GE(of_ball, 1);
}

std::string refusal_of_sets(const std::string& scene) {
  try {
    play(scene);
  } catch (const InputError& error) {
    return error.place + ": " + error.rule;
  }
  return "nothing";
}

TEST(LawSets, AreRefusedWhereTheyMakeNoSense) {
  const auto expect = [](const std::string& scene, const std::string& words) {
    const std::string told = refusal_of_sets(scene);
    EXPECT_NE(told.find(words), std::string::npos) << told;
  };
  expect(tilted_block(set_of("E_n = [[0]]\nE_t = 0")), "law.set[0].E_n");
  expect(tilted_block(set_of("r = -0.7")), "E_t");
  expect(tilted_block(set_of("r = 1.7\nE_t = 0")), "outside");
  expect(tilted_block(set_of("r = -0.7\nE_t = 0", R"([["block", "floor"], ["block", "floor"]])")), "told from");
  expect(tilted_block(set_of("r = -0.7\nE_t = 0", R"([["block.left", "floor"]])")), "no shape of the name \"left\"");
  expect(tilted_block(set_of("r = -0.7\nE_t = 0", R"([["block", "flor"]])")), "floor");
  expect(tilted_block(set_of("r = -0.7\nE_t = 0", R"([["block", "block"]])")), "never touch");
  expect(tilted_block(set_of("r = -0.7\nE_t = 0", "[]")), "empty");
  expect(tilted_block(set_of("r = -0.7\nE_t = 0", R"([["block"]])")), "two bodies");
  expect(tilted_block(set_of("r = -0.7\nE_t = 0\nq = 1")), "\"q\"");
  expect(tilted_block(set_of("r = -0.7\nE_t = 0") + set_of("r = -0.5\nE_t = 0")), "law.set[1].contacts");
  expect("scheme = \"time-stepping\"\n" + tilted_block(set_of("r = -0.7\nE_t = 0")), "event-driven");
}

}  // namespace
}  // namespace carom::testing
