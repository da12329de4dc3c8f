// The rocking block of Brogliato, Zhang and Liu 2012: numbers of an independent program, the corrected formulas of the
// paper, and the laws on the same block.

#include "carom/analysis/rocking_block.h"

#include <cmath>
#include <fstream>
#include <map>
#include <numbers>

#include "carom/analysis/kinetic_metric.h"
#include "json.h"
#include "support.h"

namespace carom::testing {

using namespace analysis;
namespace {

const Json& reference() {
  static const Json cases =
      Json::parse(std::ifstream(std::string(CAROM_SOURCE_DIR) + "/tests/data/rocking_block.json")).at("cases");
  return cases;
}

RockingBlock block_of(const Json& inputs) {
  const double L = inputs.value("L", 1.0);
  return {inputs.at("m"), inputs.at("l_over_L").get<double>() * L, L};
}

std::vector<Json> cases_of(std::string_view kind) {
  std::vector<Json> found;
  for (const Json& entry : reference())
    if (entry.at("kind") == kind) found.push_back(entry);
  return found;
}

struct Printed {  // what the paper prints and is wrong
  double mu_c, e_c2;
};
Printed printed(const RockingBlock& block, double mu) {
  const double ll = block.height() * block.height(), LL = block.width() * block.width(), wide = (4 * LL + ll) / 3;
  return {std::sqrt(wide / (2 * LL)), (wide - 2 * mu * mu * LL) / (wide + 2 * mu * mu * LL)};
}

TEST(RockingBlock, AnglesRatiosAndDomainsOfTheReference) {
  const std::vector<Json> cases = cases_of("block");
  ASSERT_EQ(cases.size(), 8U);
  for (const Json& entry : cases) {
    SCOPED_TRACE(entry.at("id").get<std::string>());
    const RockingBlock block = block_of(entry.at("inputs"));
    const Json& expected = entry.at("outputs");
    const double tolerance = entry.at("tol");
    const auto near = [&](double value, const char* key) {
      EXPECT_NEAR(value, expected.at(key).get<double>(), tolerance) << key;
    };
    near(block.height() / block.width(), "a");
    near(block.kinetic_angle(), "theta12");
    near(block.kinetic_angle() * 180 / std::numbers::pi, "theta12_deg");
    near(block.kinetic_cosine(), "cos_n1n2");
    near(block.sliding_ratio(), "r_sli");
    near(block.housner_ratio(), "r_H");
    near(block.housner_angle(), "theta_H");
    near(block.e21_sliding().least, "e21_min_sliding");
    near(block.e21_sliding().largest, "e21_max");
    near(block.e21_sticking().least, "e21_min_sticking");
    near(block.r_sliding().largest, "r_max_sliding");
    near(block.r_sticking().largest, "r_max_sticking");
    near(block.r_sliding().least, "r_min");
    EXPECT_EQ(block.can_half_rock(), expected.at("half_rocking_possible").get<bool>());
    EXPECT_EQ(!block.r_half_rocking().empty(), block.can_half_rock());
    EXPECT_EQ(block.flat(), expected.at("flat").get<bool>());
  }
}

TEST(RockingBlock, DomainsWithFrictionOfTheReference) {
  for (const Json& entry : cases_of("block"))
    for (const double mu : {0.1, 0.3, 0.5}) {
      SCOPED_TRACE(entry.at("id").get<std::string>() + " mu " + std::to_string(mu));
      const RockingBlock block = block_of(entry.at("inputs"));
      const BlockFriction found = block.friction(mu);
      const Json& expected = entry.at("outputs").at("mu" + std::to_string(mu).substr(0, 3));
      const double tolerance = entry.at("tol");
      const std::map<std::string, double> numbers = {
          {"e_c1_plus", found.e_c1_right},
          {"e_c1_minus", found.e_c1_left},
          {"e_c2_corrected", found.e_c2},
          {"e_c3", found.e_c2},
          {"e_c2_printed", printed(block, mu).e_c2},
          {"mu_c_corrected", found.mu_c},
          {"mu_c_printed", printed(block, mu).mu_c},
          {"e21_min_stick_coulomb_eq30", found.e21_stick},
          {"e21_min_sticking_with_coulomb", found.sticking.least},
          {"halfrock_mu_max", found.mu_half_rocking},
      };
      std::size_t seen = 0;
      for (const auto& [key, value] : expected.items()) {
        if (value.is_array()) continue;
        EXPECT_NEAR(numbers.at(key), value.get<double>(), tolerance) << key;
        ++seen;
      }
      EXPECT_EQ(seen, numbers.size());
      EXPECT_VECTOR_NEAR(vector({found.right.least, found.right.largest}), to_vector(expected.at("interval_right")),
                         tolerance);
      EXPECT_VECTOR_NEAR(vector({found.left.least, found.left.largest}),
                         to_vector(expected.at("interval_left_kinetic")), tolerance);
    }
}

/// The impact that a key of the reference's "impulses" names, such as "3.4 sticking rocking e21=0.3".
BlockImpact impact_named(const RockingBlock& block, const std::string& key, double theta) {
  const auto after = [&](const char* mark) {
    const std::size_t at = key.find(mark);
    return at == std::string::npos ? 0 : std::stod(key.substr(at + std::string(mark).size()));
  };
  const int slip = key.find("slipL") != std::string::npos ? -1 : 1;
  if (key.starts_with("3.1 ")) return block.one_corner(theta, after("e1="));
  if (key.starts_with("3.2 ") || key.starts_with("3.3 ")) return block.sliding_rocking(theta, after("e21="));
  if (key.starts_with("3.4 ")) return block.sticking_rocking(theta, after("e21="));
  if (key.starts_with("3.5 ")) return block.half_rocking(theta, after("e1="));
  if (key.starts_with("3.6.3 ")) return block.slipping_rocking(theta, after("e21="), after("mu="), slip, 2.0 * slip);
  if (key.starts_with("3.6.4 ")) return block.slipping_half_rocking(theta, after("e1="), after("mu="), slip, 2);
  ADD_FAILURE() << "an impact of an unknown kind: " << key;
  return {};
}

void expect_velocity(const BlockVelocity& velocity, const Json& expected, double tolerance) {
  EXPECT_VECTOR_NEAR(vector({velocity.x, velocity.y, velocity.theta}), to_vector(expected), tolerance);
}

TEST(RockingBlock, ImpulsesOfTheReference) {
  std::size_t seen = 0;
  for (const Json& entry : cases_of("block"))
    for (const auto& [key, expected] : entry.at("outputs").at("impulses").items()) {
      SCOPED_TRACE(entry.at("id").get<std::string>() + ": " + key);
      ++seen;
      const double tolerance = entry.at("tol"), theta = entry.at("inputs").at("thd_minus");
      const BlockImpact impact = impact_named(block_of(entry.at("inputs")), key, theta);
      EXPECT_NEAR(impact.p_n1, expected.at("pn1").get<double>(), tolerance);
      if (key.starts_with("3.1 ")) {
        EXPECT_NEAR(impact.p_n2, 0, tolerance);
        EXPECT_NEAR(impact.after.theta, expected.at("theta_plus").get<double>(), tolerance);
        EXPECT_NEAR(impact.after.y, expected.at("y_plus").get<double>(), tolerance);
        continue;
      }
      EXPECT_NEAR(impact.p_n2, expected.at("pn2").get<double>(), tolerance);
      EXPECT_NEAR(impact.p_t, expected.at("pt").get<double>(), tolerance);
      EXPECT_NEAR(impact.energy_change, expected.at("dT").get<double>(), tolerance);
      expect_velocity(impact.before, expected.at("pre"), tolerance);
      expect_velocity(impact.after, expected.at("post"), tolerance);
    }
  EXPECT_EQ(seen, 8U * 26U);
}

TEST(RockingBlock, MatricesWithTangentialPartOfTheReference) {
  const std::vector<Json> cases = cases_of("generalized_kinematic_tan");
  ASSERT_EQ(cases.size(), 4U);
  for (const Json& entry : cases) {
    SCOPED_TRACE(entry.at("id").get<std::string>());
    const RockingBlock block = block_of(entry.at("inputs"));
    const Json& expected = entry.at("outputs");
    const double tolerance = entry.at("tol"), theta = entry.at("inputs").at("thd_minus");
    const Matrix E = to_matrix(entry.at("inputs").at("E"));
    const BlockImpact impact = block.rebound(theta, E(0, 0), E(1, 0), E(2, 2));
    expect_velocity(impact.before, expected.at("u_minus"), tolerance);
    expect_velocity(impact.after, expected.at("u_plus"), tolerance);
    EXPECT_NEAR(impact.p_n1, expected.at("pn1").get<double>(), tolerance);
    EXPECT_NEAR(impact.p_n2, expected.at("pn2").get<double>(), tolerance);
    EXPECT_NEAR(impact.p_t, expected.at("pt").get<double>(), tolerance);
    EXPECT_NEAR(impact.slip_after, expected.at("vt_plus").get<double>(), tolerance);
    EXPECT_NEAR(impact.energy_change, expected.at("T_plus").get<double>() - expected.at("T_minus").get<double>(),
                tolerance);
    const BlockRebound conditions = block.rebound_conditions(E(0, 0), E(1, 0), E(2, 2));
    EXPECT_NEAR(conditions.energetic, expected.at("eq51_rhs").get<double>() - expected.at("eq51_lhs").get<double>(),
                tolerance);
    EXPECT_NEAR(conditions.p_n1, expected.at("eq53_corrected").get<double>(), tolerance);
    EXPECT_NEAR(conditions.p_n2, expected.at("eq54_corrected").get<double>(), tolerance);
    const BlockFeasibility judged = block.feasibility(E.topLeftCorner(2, 2), E(2, 2), impact.before);
    EXPECT_NEAR(judged.impact.p_n2, impact.p_n2, tolerance);
    EXPECT_EQ(judged.kinetic, conditions.p_n1 >= 0 && conditions.p_n2 >= 0);
    EXPECT_EQ(judged.energetic, conditions.energetic >= 0);
    EXPECT_TRUE(judged.kinematic);
  }
}

TEST(RockingBlock, ImpulsesAreTheCorrectedFormulasOfThePaper) {
  Random random(12);
  for (int trial = 0; trial < 200; ++trial) {
    const double m = 0.1 + 5 * random.uniform(), l = 0.1 + 4 * random.uniform(), L = 0.1 + 2 * random.uniform();
    const double thd = -3 * random.uniform(), e = random.uniform(), mu = random.uniform(), x = random.normal();
    const RockingBlock block(m, l, L);
    const double I = block.inertia(), tolerance = 1e-12 * m * (l * l + L * L) / L;
    const auto expect = [&](const BlockImpact& impact, double p_n1, double p_n2) {
      EXPECT_NEAR(impact.p_n1, p_n1, tolerance);
      EXPECT_NEAR(impact.p_n2, p_n2, tolerance);
    };
    const double unit = m / (12 * L) * thd, steep = l * l - 2 * L * L, wide = l * l + 4 * L * L, rub = 3 * mu * l * L;
    expect(block.sliding_rocking(thd, 0), -(m * L / 4 + I / L) * thd, unit * steep);  // 3.2
    expect(block.sliding_rocking(thd, e), unit * (steep * e - wide), unit * (steep - wide * e));
    expect(block.sticking_rocking(thd, e), 2 * unit * ((2 * l * l - L * L) * e - 2 * (l * l + L * L)),  // (29)
           -2 * unit * (2 * (l * l + L * L) * e + L * L - 2 * l * l));
    expect(block.half_rocking(thd, e), -unit * (e + 1) * wide, unit * (e + 1) * steep);  // (26)
    for (const int s : {-1, 1}) {                                                        // (31), (33), (36)
      expect(block.slipping_rocking(thd, e, mu, s, x), unit * ((steep - s * rub) * e - (wide + s * rub)),
             unit * (-(wide - s * rub) * e + steep + s * rub));
      expect(block.slipping_half_rocking(thd, e, mu, s, x), -unit * (e + 1) * (wide + s * rub),
             unit * (e + 1) * (steep + s * rub));
    }
    const double y = L / 2 * thd, r = -e;  // (42) and 3.7.2
    expect(block.sliding_rocking(thd, e), ((m * L / 4 - I / L) * r - I / L) * thd - m / 2 * y,
           ((m * L / 4 + I / L) * r + I / L) * thd - m / 2 * y);
    const double arm = (4 * I + m * l * l) / (4 * L);
    expect(block.sticking_rocking(thd, e), (m * L / 4 * (r - 1) - arm * (r + 1)) * thd,
           (m * L / 4 * (r - 1) + arm * (r + 1)) * thd);
  }
}

TEST(RockingBlock, TheEdgesOfTheDomainsAreWhereACornerStopsPressingOrEnergyIsKept) {
  for (const double l : {0.3, 0.9, 1.3, 2.0, 5.0})
    for (const double mu : {0.05, 0.2, 0.4}) {
      const RockingBlock block(2, l, 1);
      const BlockFriction friction = block.friction(mu);
      const double tolerance = 1e-12 * block.inertia();
      EXPECT_NEAR(block.sliding_rocking(-1, -block.sliding_ratio()).p_n2, 0, tolerance);
      EXPECT_NEAR(block.sticking_rocking(-1, -block.housner_ratio()).p_n2, 0, tolerance);
      EXPECT_NEAR(block.slipping_rocking(-1, friction.e_c1_right, mu, 1, 9).p_n2, 0, tolerance);
      EXPECT_NEAR(block.slipping_rocking(-1, friction.e_c1_left, mu, -1, -9).p_n2, 0, tolerance);
      if (friction.left.largest < 1) {
        EXPECT_NEAR(block.slipping_rocking(-1, friction.left.largest, mu, -1, -9).p_n1, 0, tolerance);
      }
      // e_c2 is sharp where the centre stands still: then friction can only set it in motion.
      EXPECT_NEAR(block.slipping_rocking(-1, friction.e_c2, mu, 1, 0).energy_change, 0, tolerance);
      EXPECT_NEAR(block.slipping_half_rocking(-1, friction.e_c2, mu, 1, 0).energy_change, 0, tolerance);
      EXPECT_LT(block.slipping_rocking(-1, friction.e_c2, mu, 1, l / 2).energy_change, 0);
      EXPECT_NEAR(block.friction(friction.mu_c).e_c2, 0, 1e-14);
      const double e_stick = (l - mu) / (l + mu);
      const BlockImpact stick = block.sticking_rocking(-1, e_stick);
      EXPECT_NEAR(std::abs(stick.p_t), mu * (stick.p_n1 + stick.p_n2), tolerance);
      const RockingBlock right(1, friction.slenderness_right, 1), left(1, friction.slenderness_left, 1);
      EXPECT_NEAR(right.friction(mu).e_c1_right, 0, 1e-14);
      EXPECT_NEAR(left.friction(mu).e_c1_left, 0, 1e-14);
    }
  const RockingBlock half(1, 0.7, 1);
  EXPECT_NEAR(half.slipping_half_rocking(-1, 0.4, half.friction(0).mu_half_rocking, 1, 3).p_n2, 0, 1e-15);
}

TEST(RockingBlock, LeftSlipOfASlenderBlockHasALargestCoefficientAndRightSlipNone) {
  const BlockFriction friction = RockingBlock(1, 4, 1).friction(0.3);
  EXPECT_NEAR(friction.left.largest, 0.9318, 5e-5);
  EXPECT_TRUE(friction.right.empty());
  EXPECT_TRUE(RockingBlock(1, 4, 1).friction(2).right.empty()) << "no coefficient lets A press";
  EXPECT_TRUE(RockingBlock(1, 1, 1).friction(0.4).half_rocking.empty());
  EXPECT_FALSE(RockingBlock(1, 1, 1).friction(0.3).half_rocking.empty());
}

TEST(RockingBlock, CriticalAngleAndHousnersRatioShareTheAngleOfTheDiagonalWithTheHeight) {
  for (const double l : {0.4, 1.0, 3.0}) {
    const RockingBlock block(1, l, 1);
    EXPECT_NEAR(block.housner_ratio(), -(1 - 1.5 * std::pow(std::sin(block.critical_angle()), 2)), 1e-15);
  }
}

TEST(RockingBlock, AnswersDoNotDependOnUnits) {
  const RockingBlock metres(2, 3, 1.5), millimetres(2e3, 3e3, 1.5e3);
  EXPECT_NEAR(metres.kinetic_angle(), millimetres.kinetic_angle(), 1e-15);
  EXPECT_NEAR(metres.friction(0.3).left.largest, millimetres.friction(0.3).left.largest, 1e-15);
  EXPECT_NEAR(metres.sticking_rocking(-1, 0.8).p_n2 * 1e6, millimetres.sticking_rocking(-1, 0.8).p_n2, 1e-9);
  EXPECT_TRUE(RockingBlock(1, std::sqrt(2.0) * 1e-9, 1e-9).can_half_rock());
}

Matrix antidiagonal(double e) {
  Matrix E(2, 2);
  E << 0, e, e, 0;
  return E;
}

TEST(RockingBlock, TheLawsAgree) {
  for (const double l : {0.3, 1.0, 2.0, 6.0})
    for (const double e : {0.0, 0.4, 0.9}) {
      const RockingBlock block(1.5, l, 1);
      const auto velocity = [](const BlockVelocity& v) { return vector({v.x, v.y, v.theta}); };
      const auto expect = [&](const BlockImpact& impact, const ImpactOutcome& outcome) {
        const double tolerance = 1e-12 * (1 + l * l);
        ASSERT_TRUE(outcome.solved());
        EXPECT_VECTOR_NEAR(outcome.u_plus, velocity(impact.after), tolerance);
        EXPECT_VECTOR_NEAR(outcome.normal(outcome.Lambda), vector({impact.p_n1, impact.p_n2}), tolerance);
        EXPECT_NEAR(outcome.energy.after - outcome.energy.before, impact.energy_change, tolerance);
      };
      const BlockImpact slides = block.sliding_rocking(-1, e), sticks = block.sticking_rocking(-1, e);
      expect(slides, solve(block.problem(slides.before), GeneralizedKinematic{antidiagonal(e), {}}));
      expect(sticks, solve(block.problem(sticks.before), GeneralizedKinematic{antidiagonal(e), Matrix{{-e}}}));
      if (!block.can_half_rock()) continue;
      const BlockImpact half = block.half_rocking(-1, e);  // e at B, any e at A, which does not move
      ImpactProblem newton = block.problem(half.before);
      newton.contacts[0].e = e;
      expect(half, solve(newton, Newton{}));
    }
}

TEST(RockingBlock, KineticAngleIsThatOfTheProblem) {
  for (const double l : {0.3, 1.0, 2.0, 6.0}) {
    const RockingBlock block(1.5, l, 0.7);
    const ImpactProblem given = block.problem({});
    EXPECT_NEAR(kinetic_angles(reduce(given))(0, 1), block.kinetic_angle(), 1e-14);
    EXPECT_NEAR(kinetic_cosines(reduce(given))(0, 1), block.kinetic_cosine(), 1e-14);
  }
}

TEST(RockingBlock, CompliantCornersThatDoNotReboundFollowHousnerOrTheEdgeOfTheSlidingDomain) {
  // LZB with e = 0 finds out by itself whether the corners slip: above mu = 3 l L / (4 l^2 + L^2) they stick and the
  // ratio is Housner's, below both slip to the right and A just does not press.
  for (const double l : {1.0, 2.0, 4.0}) {
    const RockingBlock block(1, l, 1);
    const double enough = 3 * l / (4 * l * l + 1);
    for (const double share : {0.4, 0.9, 1.1, 2.0}) {
      const double mu = share * enough;
      const ImpactOutcome outcome = solve(block.problem(block.sticking_rocking(-1, 0).before, mu), Lzb{});
      ASSERT_TRUE(outcome.solved()) << outcome.message;
      const double kept = share > 1 ? -block.housner_ratio() : block.friction(mu).e_c1_right;
      EXPECT_NEAR(-outcome.u_plus[2], std::max(0.0, kept), 1e-7) << l << " " << mu;
    }
  }
}

TEST(RockingBlock, JudgesRestitutionMatrices) {
  const RockingBlock block(1, 2, 1);
  const BlockVelocity before = block.sticking_rocking(-1, 0).before;
  EXPECT_TRUE(block.feasibility(antidiagonal(0.8), -0.8, before).feasible());
  EXPECT_TRUE(block.feasibility(antidiagonal(0.8), -0.8, before).dissipative);
  const BlockFeasibility pulls = block.feasibility(antidiagonal(0.6), -0.6, before);
  EXPECT_FALSE(pulls.kinetic) << "below -r_H";
  EXPECT_TRUE(pulls.kinematic && pulls.energetic);
  EXPECT_FALSE(block.feasibility(antidiagonal(-0.2), -1, before).kinematic);
  EXPECT_FALSE(block.feasibility(antidiagonal(1.1), -1, before).energetic);
  EXPECT_THROW(block.feasibility(Matrix::Identity(3, 3), -1, before), InputError);
}

TEST(RockingBlock, ASymmetricMatrixWithSmallEigenvaluesMayStillGainEnergy) {
  const RockingBlock block(1, std::sqrt(11.0), 1);
  Matrix E(2, 2);
  E << -0.4, 0.9, 0.9, 0.4;
  const double root = std::sqrt(15.0 / 12);  // of G_11 = (l^2 + 4 L^2) / (m (l^2 + L^2))
  const double gamma_B = -0.7 * root, gamma_A = -0.45 * root;
  const BlockFeasibility judged = block.feasibility(E, -1, {0, (gamma_A + gamma_B) / 2, gamma_B - gamma_A});
  EXPECT_TRUE(judged.kinematic && judged.kinetic);
  EXPECT_FALSE(judged.energetic || judged.dissipative);
  EXPECT_NEAR(judged.impact.energy_change, 0.429863 - 0.245703, 2e-6);
}

TEST(RockingBlock, TheReboundEllipsoidHasItsAxes) {
  const RockingBlock block(1, 2, 1);
  const auto [sum, difference, tangential] = block.rebound_axes();
  EXPECT_NEAR(block.rebound_conditions(sum / 2, sum / 2, 0).energetic, 0, 1e-13);
  EXPECT_NEAR(block.rebound_conditions(-difference / 2, difference / 2, 0).energetic, 0, 1e-13);
  EXPECT_NEAR(block.rebound_conditions(0, 0, tangential).energetic, 0, 1e-13);
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const double e1 = random.normal(), e21 = random.normal(), e_t3 = random.normal();
    const BlockImpact impact = block.rebound(-1, e1, e21, e_t3);
    const BlockRebound conditions = block.rebound_conditions(e1, e21, e_t3);
    const double unit = block.mass() / 12;
    EXPECT_NEAR(impact.energy_change, -unit / 2 * conditions.energetic,
                1e-12 * (1 + e1 * e1 + e21 * e21 + e_t3 * e_t3));
    EXPECT_NEAR(impact.p_n1, unit * conditions.p_n1, 1e-12 * (1 + std::abs(e1) + std::abs(e21) + std::abs(e_t3)));
    EXPECT_NEAR(impact.p_n2, unit * conditions.p_n2, 1e-12 * (1 + std::abs(e1) + std::abs(e21) + std::abs(e_t3)));
  }
}

TEST(RockingBlock, RefusesWhatIsNoBlock) {
  EXPECT_THROW(RockingBlock(0, 1, 1), InputError);
  EXPECT_THROW(RockingBlock(1, -1, 1), InputError);
  EXPECT_THROW(RockingBlock(1, 1, NAN), InputError);
  EXPECT_THROW(RockingBlock(1, 1e300, 1), InputError);
  EXPECT_THROW(RockingBlock(1, 1, 1).friction(-0.1), InputError);
}

}  // namespace
}  // namespace carom::testing
