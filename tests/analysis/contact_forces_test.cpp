#include "carom/analysis/contact_forces.h"

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "carom/numerics/cone_problem.h"
#include "support.h"

namespace carom::testing {

using namespace analysis;
namespace {

constexpr double g = 9.81;

/// A uniform rod of mass 1 and half length 1 whose lower left end slides on the ground.
struct Rod {
  double angle = 0;  // [rad] from the ground
  double omega = 0, mu = 0;
  double slip = 0;  // tangential velocity of the end

  ImpactProblem problem() const {
    const double c = std::cos(angle), s = std::sin(angle);
    Matrix W(3, 2);
    W << 0, 1, 1, 0, -c, s;
    ImpactProblem result;
    result.M = MassMatrix::diagonal(vector({1, 1, 1.0 / 3}));
    result.W = W.sparseView();
    result.u_minus = vector({slip - s * omega, c * omega, omega});
    result.contacts = {{.name = "end", .tangents = 1, .mu = mu}};
    return result;
  }
  Vector bias() const { return omega * omega * vector({std::sin(angle), std::cos(angle)}); }  // centripetal
  ContactForces forces() const { return contact_forces(problem(), vector({0, -g, 0}), bias()); }
};

constexpr double kDegree = std::numbers::pi / 180;

TEST(ContactForces, PainleveRodWithoutASolution) {
  const ContactForces none = Rod{45 * kDegree, 0, 2, -1}.forces();
  EXPECT_EQ(none.status, Status::no_solution);
  EXPECT_TRUE(none.enumerated);
  EXPECT_TRUE(none.solutions.empty());
  EXPECT_NE(none.message.find("Painleve"), std::string::npos);
  EXPECT_NE(none.message.find("impact without collision"), std::string::npos);
}

TEST(ContactForces, PainleveRodWithTwoSolutions) {
  const Rod rod{45 * kDegree, 5, 2, -1};
  const ContactForces two = rod.forces();
  ASSERT_EQ(two.solutions.size(), 2U);
  EXPECT_TRUE(two.solved());
  EXPECT_FALSE(two.unique());
  EXPECT_NE(two.message.find("Painleve"), std::string::npos);
  EXPECT_NEAR(two.solutions[0].lambda[0], 0, 1e-9);
  EXPECT_NEAR(two.solutions[0].contact_acceleration[0], 7.867669529663685, 1e-9) << "b of A N + b";
  EXPECT_EQ(two.solutions[0].modes[0], ContactMode::open);
  EXPECT_NEAR(two.solutions[1].lambda[0], 15.735339059327384, 1e-9);
  EXPECT_NEAR(two.solutions[1].lambda[1], 2 * 15.735339059327384, 1e-9) << "against the slip to the left";
  EXPECT_NEAR(two.solutions[1].contact_acceleration[0], 0, 1e-9);
  EXPECT_EQ(two.solutions[1].modes[0], ContactMode::slip);
}

TEST(ContactForces, SlidingRodsOfTheReference) {
  struct Expected {
    double slip, N, Ft, ax, ay, alpha;
  };
  for (const Expected& expected : {Expected{1, 3.5676774655910424, -0.7135354931182085, -0.7135354931182085,
                                            -6.242322534408958, -8.51957630913348},
                                   Expected{-1, 4.652036130482963, 0.9304072260965927, 0.9304072260965927,
                                            -5.157963869517038, -6.832613697298573}}) {
    const ContactForces found = Rod{50 * kDegree, -1, 0.2, expected.slip}.forces();
    ASSERT_TRUE(found.unique()) << found.message;
    EXPECT_VECTOR_NEAR(found.solutions[0].lambda, vector({expected.N, expected.Ft}), 1e-9);
    EXPECT_VECTOR_NEAR(found.solutions[0].acceleration, vector({expected.ax, expected.ay, expected.alpha}), 1e-9);
  }
}

TEST(ContactForces, AFamilyOfSolutionsAtTheEdgeOfTheParadox) {
  // A = 0 and b = 0: every normal force keeps the end on the ground.
  const double angle = 45 * kDegree, mu = 2.5 / 1.5, omega = std::sqrt(g / std::sin(angle));
  const ContactForces family = Rod{angle, omega, mu, -1}.forces();
  ASSERT_TRUE(family.solved());
  EXPECT_FALSE(family.isolated);
  EXPECT_FALSE(family.unique());
}

TEST(ContactForces, AWedgedBodyMaySlipOrStickAsHardAsTheWallsPress) {
  // Between two rough walls without play nothing says how hard they press.
  ImpactProblem given;
  given.M = MassMatrix::diagonal(vector({1, 1}));
  given.W = Matrix{{1, 0, -1, 0}, {0, 1, 0, 1}}.sparseView();
  given.u_minus = Vector::Zero(2);
  for (const char* name : {"left", "right"}) given.contacts.push_back({.name = name, .tangents = 1, .mu = 0.5});
  const ContactForces wedged = contact_forces(given, vector({0, -g}));
  ASSERT_TRUE(wedged.solved());
  EXPECT_FALSE(wedged.isolated);
  EXPECT_FALSE(wedged.unique());
  EXPECT_NE(wedged.message.find("wedged"), std::string::npos);
}

/// A block of mass 2, height 1.2 and width 1 on a slope; coordinates up the slope, away from it, angle.
ImpactProblem block_on_slope(double mu, const Vector& u) {
  Matrix W(3, 4);
  W << 0, 1, 0, 1, 1, 0, 1, 0, 0.5, 0.6, -0.5, 0.6;
  ImpactProblem result;
  result.M = MassMatrix::diagonal(vector({2, 2, 2 * (1.44 + 1) / 12}));
  result.W = W.sparseView();
  result.u_minus = u;
  for (const char* name : {"upper", "lower"}) result.contacts.push_back({.name = name, .tangents = 1, .mu = mu});
  return result;
}
Vector weight_on(double slope) {
  return 2 * g * vector({-std::sin(slope), -std::cos(slope), 0});
}

TEST(ContactForces, BlockAtRestSticksBelowTheAngleOfFriction) {
  const double slope = 20 * kDegree;
  const ContactForces rest = contact_forces(block_on_slope(0.5, Vector::Zero(3)), weight_on(slope));
  ASSERT_TRUE(rest.unique()) << rest.message;
  const ForceSolution& found = rest.solutions[0];
  EXPECT_VECTOR_NEAR(found.acceleration, Vector::Zero(3), 1e-12);
  EXPECT_EQ(found.modes, (std::vector{ContactMode::stick, ContactMode::stick}));
  EXPECT_NEAR(found.lambda[0] + found.lambda[2], 2 * g * std::cos(slope), 1e-10);
  EXPECT_NEAR(found.lambda[1] + found.lambda[3], 2 * g * std::sin(slope), 1e-10);
  EXPECT_LT(found.lambda[0], found.lambda[2]) << "the lower corner bears more";
  for (const Index N : {0, 2}) EXPECT_LE(std::abs(found.lambda[N + 1]), 0.5 * found.lambda[N] + 1e-10);
  EXPECT_FALSE(found.unique_forces) << "the corners share one line of friction";
  EXPECT_NE(rest.message.find("redundant"), std::string::npos);
}

TEST(ContactForces, BlockAtRestStartsToSlipAboveTheAngleOfFriction) {
  const double slope = 30 * kDegree, mu = 0.3;
  const ContactForces slips = contact_forces(block_on_slope(mu, Vector::Zero(3)), weight_on(slope));
  ASSERT_TRUE(slips.unique()) << slips.message;
  EXPECT_VECTOR_NEAR(slips.solutions[0].acceleration, vector({-g * (std::sin(slope) - mu * std::cos(slope)), 0, 0}),
                     1e-11);
  EXPECT_EQ(slips.solutions[0].modes, (std::vector{ContactMode::slip, ContactMode::slip}));
  EXPECT_TRUE(slips.solutions[0].unique_forces);
  // The same while it slides down, and with more force while it slides up.
  const ContactForces down = contact_forces(block_on_slope(mu, vector({-1, 0, 0})), weight_on(slope));
  EXPECT_VECTOR_NEAR(down.solutions.at(0).acceleration, slips.solutions[0].acceleration, 1e-11);
  const ContactForces up = contact_forces(block_on_slope(mu, vector({1, 0, 0})), weight_on(slope));
  EXPECT_NEAR(up.solutions.at(0).acceleration[0], -g * (std::sin(slope) + mu * std::cos(slope)), 1e-11);
}

TEST(ContactForces, BlockTipsOverItsLowerCornerOnASteepRoughSlope) {
  const double slope = 45 * kDegree;  // beyond the critical tilt atan(1 / 1.2) of 39.8 degrees
  const ContactForces tips = contact_forces(block_on_slope(2, Vector::Zero(3)), weight_on(slope));
  ASSERT_TRUE(tips.unique()) << tips.message;
  EXPECT_EQ(tips.solutions[0].modes, (std::vector{ContactMode::open, ContactMode::stick}));
  EXPECT_GT(tips.solutions[0].acceleration[2], 0);
}

TEST(ContactForces, FrictionlessContactsAreALinearComplementarityProblem) {
  // (4) of Brogliato, Zhang, Liu 2012 at l = 0.5, L = 1, theta = 0.1, theta' = 6.5: only B presses.
  const double theta = 0.1, l = 0.5, L = 1, omega = 6.5, c = std::cos(theta), s = std::sin(theta);
  Matrix W(3, 2);
  W << 0, 0, 1, 1, (l * s + L * c) / 2, (l * s - L * c) / 2;
  ImpactProblem given =
      problem(MassMatrix::diagonal(vector({1, 1, (l * l + L * L) / 12})), W, Vector::Zero(3), Vector::Zero(2));
  const Vector bias = omega * omega / 2 * vector({l * c - L * s, l * c + L * s});
  const ContactForces found = contact_forces(given, vector({0, -g, 0}), bias);
  ASSERT_TRUE(found.unique());
  EXPECT_VECTOR_NEAR(found.solutions[0].lambda, vector({0.3892456255923632, 0}), 1e-9);
  EXPECT_VECTOR_NEAR(found.solutions[0].contact_acceleration, vector({0, 2.275407042651657}), 1e-9);
  EXPECT_EQ(found.solutions[0].modes, (std::vector{ContactMode::closed, ContactMode::open}));
}

TEST(ContactForces, ContactsThatOpenTakeNoPartAndThoseThatCloseAreRefused) {
  const ContactForces opens = contact_forces(block_on_slope(0.5, vector({0, 0.5, 1})), weight_on(0));
  ASSERT_TRUE(opens.unique());  // upper opens, lower stands still in the normal direction and slides
  EXPECT_EQ(opens.solutions[0].modes, (std::vector{ContactMode::open, ContactMode::slip}));
  EXPECT_EQ(opens.solutions[0].lambda[0], 0);
  try {
    contact_forces(block_on_slope(0.5, vector({0, -1, 0})), weight_on(0));
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.place, "contacts[0]");
    EXPECT_NE(error.rule.find("upper"), std::string::npos);
  }
  const ContactForces free = contact_forces(block_on_slope(0.5, vector({0, 1, 0})), weight_on(0));
  ASSERT_TRUE(free.unique());
  EXPECT_VECTOR_NEAR(free.solutions[0].acceleration, vector({0, -g, 0}), 1e-12);
}

TEST(ContactForces, JointsBearTheirShare) {
  // Two point masses on a rigid vertical rod, the lower on the ground.
  ImpactProblem given =
      problem(MassMatrix::diagonal(vector({1, 3})), Matrix{{1}, {0}}, Vector::Zero(2), Vector::Zero(1));
  given.J = Matrix{{-1}, {1}}.sparseView();
  const ContactForces found = contact_forces(given, vector({-g, -3 * g}));
  ASSERT_TRUE(found.unique());
  EXPECT_NEAR(found.solutions[0].lambda[0], 4 * g, 1e-12);
  EXPECT_VECTOR_NEAR(found.solutions[0].acceleration, Vector::Zero(2), 1e-12);
  given.J = Matrix{{1, 0}, {0, 1}}.sparseView();  // held fast: no force is needed, and no bias makes sense
  EXPECT_TRUE(contact_forces(given, vector({-g, 0})).unique());
  EXPECT_THROW(contact_forces(given, vector({-g, 0}), vector({1})), InputError);
}

TEST(ContactForces, WallsThatSqueezeHaveNoSolutionAndNoParadox) {
  const ImpactProblem given = problem(MassMatrix::diagonal(vector({1})), Matrix{{1, -1}}, vector({0}), Vector::Zero(2));
  const ContactForces none = contact_forces(given, vector({0}), vector({-1, -1}));
  EXPECT_EQ(none.status, Status::no_solution);
  EXPECT_EQ(none.message.find("Painleve"), std::string::npos);
  EXPECT_NE(none.message.find("contradict"), std::string::npos);
}

/// Planar bodies of random masses with random contacts, some of them redundant.
ImpactProblem random_planar(Random& random, Index n, int contacts, bool sliding) {
  ImpactProblem result;
  Matrix W(n, 2 * contacts);
  for (Index j = 0; j < W.cols(); ++j)
    for (Index i = 0; i < n; ++i) W(i, j) = random.normal();
  result.W = W.sparseView();
  Vector masses(n);
  for (double& mass : masses) mass = 0.2 + random.uniform();
  result.M = MassMatrix::diagonal(masses);
  result.u_minus = Vector::Zero(n);
  result.drift = Vector::Zero(W.cols());
  for (int i = 0; i < contacts; ++i) {
    if (sliding) result.drift[2 * i + 1] = random.normal();
    result.contacts.push_back({.name = std::to_string(i), .tangents = 1, .mu = 0.1 + random.uniform()});
  }
  return result;
}

/// The equations that contact_forces promises, relative to the size of the forces.
void expect_solves(const ImpactProblem& given, const Vector& h, const Vector& bias, const ForceSolution& found) {
  const double force = 1 + found.lambda.cwiseAbs().maxCoeff() + h.norm(), tolerance = 1e-7 * force;
  EXPECT_VECTOR_NEAR(given.M * found.acceleration, h + given.W * found.lambda, tolerance);
  const Vector a = given.W.transpose() * found.acceleration + bias;
  EXPECT_VECTOR_NEAR(a, found.contact_acceleration, tolerance * 10);
  for (std::size_t i = 0; i < given.contacts.size(); ++i) {
    const Index N = 2 * static_cast<Index>(i), T = N + 1;
    const double mu = given.contacts[i].mu, slip = given.drift[T];
    EXPECT_GE(a[N], -tolerance * 10);
    EXPECT_GE(found.lambda[N], 0);
    EXPECT_LE(std::min(std::abs(a[N]), found.lambda[N]), tolerance * 10);
    EXPECT_LE(std::abs(found.lambda[T]), mu * found.lambda[N] + tolerance);
    const bool starts = slip == 0 && std::abs(a[T]) > 1e-5 * force;
    if (slip == 0 && !starts) continue;
    const double direction = slip != 0 ? slip : a[T];
    EXPECT_NEAR(found.lambda[T], -mu * found.lambda[N] * (direction > 0 ? 1 : -1), tolerance * 10);
  }
}

TEST(ContactForces, EveryCombinationOfModesIsASolutionAndTheConeSolversAnswerIsAmongThem) {
  Random random(8);
  int several = 0, none = 0, agreed = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const bool sliding = trial % 2 == 0;
    const Index n = 3 + trial % 4;
    const int contacts = 1 + trial % 4;
    const ImpactProblem given = random_planar(random, n, contacts, sliding);
    Vector h(n), bias(2 * contacts);
    for (double& value : h) value = random.normal();
    for (double& value : bias) value = random.normal();
    const ContactForces found = contact_forces(given, h, bias);
    EXPECT_TRUE(found.enumerated);
    for (const ForceSolution& solution : found.solutions) expect_solves(given, h, bias, solution);
    several += found.solutions.size() > 1;
    none += found.solutions.empty();
    const ContactProblem reduced = reduce(given);
    std::vector<numerics::FrictionCone> cones;
    for (int i = 0; i < contacts; ++i) {
      cones.push_back({2 * i, 1, given.contacts[i].mu});
      if (sliding) cones.back().slide[0] = given.drift[2 * i + 1] > 0 ? 1 : -1;
    }
    const Vector b = given.W.transpose() * given.M.solve(h) + bias;
    const numerics::ConeSolution cone = numerics::solve_cone_problem(reduced.G, b, cones);
    if (!cone.solved) continue;
    double nearest = 1e300;
    for (const ForceSolution& solution : found.solutions)
      nearest = std::min(nearest, (solution.contact_acceleration - cone.w).norm());
    EXPECT_LE(nearest, 1e-6 * (1 + cone.w.norm() + cone.x.norm())) << trial;
    ++agreed;
  }
  EXPECT_GT(several, 2);
  EXPECT_GT(none, 2);
  EXPECT_GT(agreed, 100);
}

TEST(ContactForces, DoNotDependOnUnitsOrOnTheOrderOfContacts) {
  Random random(9);
  for (int trial = 0; trial < 30; ++trial) {
    const ImpactProblem given = random_planar(random, 4, 3, trial % 2 == 0);
    const Vector h = vector({1, -2, 0.5, random.normal()}), bias = Vector::Zero(6);
    const ContactForces found = contact_forces(given, h, bias);
    ImpactProblem grams = given;
    grams.M = MassMatrix::diagonal(1e6 * given.M.masses());
    const ContactForces scaled = contact_forces(grams, 1e6 * h, bias);
    ImpactProblem turned = given;
    Eigen::PermutationMatrix<Eigen::Dynamic> order(6);
    order.indices() << 4, 5, 0, 1, 2, 3;
    turned.W = Matrix(Matrix(given.W) * order.inverse()).sparseView();
    turned.drift = order * given.drift;
    std::rotate(turned.contacts.begin(), turned.contacts.begin() + 1, turned.contacts.end());
    const ContactForces other = contact_forces(turned, h, bias);
    ASSERT_EQ(scaled.solutions.size(), found.solutions.size());
    ASSERT_EQ(other.solutions.size(), found.solutions.size());
    for (std::size_t i = 0; i < found.solutions.size(); ++i) {
      const ForceSolution& solution = found.solutions[i];
      const double size = 1e-8 * (1 + solution.lambda.norm());
      EXPECT_VECTOR_NEAR(scaled.solutions[i].lambda / 1e6, solution.lambda, size);
      EXPECT_VECTOR_NEAR(other.solutions[i].acceleration, solution.acceleration, 10 * size);
      EXPECT_VECTOR_NEAR(other.solutions[i].lambda, order * solution.lambda, size);
    }
  }
}

/// A ball on the ground in space, coordinates x, y, z.
ImpactProblem particle(double mu, const Vector& u) {
  ImpactProblem result;
  result.M = MassMatrix::diagonal(vector({2, 2, 2}));
  result.W = Matrix{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}.sparseView();
  result.u_minus = u;
  result.contacts = {{.name = "ground", .tangents = 2, .mu = mu}};
  return result;
}

TEST(ContactForces, SpatialContactsAtRestAreSearched) {
  const ContactForces sticks = contact_forces(particle(0.5, Vector::Zero(3)), vector({3, 4, -20}));
  EXPECT_FALSE(sticks.enumerated);
  ASSERT_EQ(sticks.solutions.size(), 1U);
  EXPECT_VECTOR_NEAR(sticks.solutions[0].lambda, vector({20, -3, -4}), 1e-9);
  EXPECT_EQ(sticks.solutions[0].modes[0], ContactMode::stick);
  const ContactForces slips = contact_forces(particle(0.1, Vector::Zero(3)), vector({3, 4, -20}));
  ASSERT_EQ(slips.solutions.size(), 1U);
  EXPECT_VECTOR_NEAR(slips.solutions[0].acceleration, vector({0.9, 1.2, 0}), 1e-9);
  EXPECT_EQ(slips.solutions[0].modes[0], ContactMode::slip);
  const ContactForces lifts = contact_forces(particle(0.1, Vector::Zero(3)), vector({3, 4, 1}));
  ASSERT_EQ(lifts.solutions.size(), 1U);
  EXPECT_EQ(lifts.solutions[0].modes[0], ContactMode::open);
}

TEST(ContactForces, SpatialContactsThatSlideAreEnumerated) {
  const ContactForces slides = contact_forces(particle(0.1, vector({3, 4, 0})), vector({0, 0, -20}));
  EXPECT_TRUE(slides.enumerated);
  ASSERT_TRUE(slides.unique());
  EXPECT_VECTOR_NEAR(slides.solutions[0].lambda, vector({20, -1.2, -1.6}), 1e-12);
}

TEST(ContactForces, AreEnumeratedForFewContactsAndFoundForMany) {
  // A beam on five supports: 4^5 combinations, redundant in all directions.
  Matrix W(3, 10);
  for (int i = 0; i < 5; ++i) {
    W.col(2 * i) = vector({0, 1, i - 2.0});
    W.col(2 * i + 1) = vector({1, 0, 0.2});
  }
  ImpactProblem beam;
  beam.M = MassMatrix::diagonal(vector({10, 10, 20}));
  beam.W = W.sparseView();
  beam.u_minus = Vector::Zero(3);
  for (int i = 0; i < 5; ++i) beam.contacts.push_back({.name = std::to_string(i), .tangents = 1, .mu = 0.5});
  const ContactForces rest = contact_forces(beam, vector({10, -98.1, 0}));
  EXPECT_TRUE(rest.enumerated);
  ASSERT_TRUE(rest.unique()) << rest.message;
  EXPECT_VECTOR_NEAR(rest.solutions[0].acceleration, Vector::Zero(3), 1e-9);
  EXPECT_FALSE(rest.solutions[0].unique_forces);
  // Nine supports are too many combinations.
  Matrix more(3, 18);
  for (int i = 0; i < 9; ++i) {
    more.col(2 * i) = vector({0, 1, 0.5 * i - 2.0});
    more.col(2 * i + 1) = vector({1, 0, 0.2});
  }
  for (int i = 5; i < 9; ++i) beam.contacts.push_back({.name = std::to_string(i), .tangents = 1, .mu = 0.5});
  beam.W = more.sparseView();
  const ContactForces many = contact_forces(beam, vector({10, -98.1, 0}));
  EXPECT_FALSE(many.enumerated);
  ASSERT_EQ(many.solutions.size(), 1U);
  EXPECT_VECTOR_NEAR(many.solutions[0].acceleration, Vector::Zero(3), 1e-8);
}

TEST(ContactForces, RefusesForcesAndBiasesOfWrongLengthOrSize) {
  const ImpactProblem given = block_on_slope(0.5, Vector::Zero(3));
  EXPECT_THROW(contact_forces(given, vector({1, 2})), InputError);
  EXPECT_THROW(contact_forces(given, vector({1, 2, NAN})), InputError);
  EXPECT_THROW(contact_forces(given, vector({1, 2, 3}), vector({0, 0})), InputError);
}

}  // namespace
}  // namespace carom::testing
