// Every file of examples/ says what it shows and does it.

#include <filesystem>
#include <map>

#include "carom/analysis/contact_forces.h"
#include "carom/scene/problem_reader.h"
#include "support.h"

namespace carom::testing {
namespace {

namespace fs = std::filesystem;

struct Expected {
  Status status = Status::solved;
  bool consistent = true;
  Vector u_plus;
  double tolerance = 1e-12;  // laws that integrate: 1e-8
};

const double s = std::sqrt(0.19);

const std::map<std::string, Expected> kExamples = {
    {"newtons_cradle", {.u_plus = vector({-0.6, 0.4, 0.4, 0.4, 0.4})}},
    {"three_balls", {.u_plus = vector({0, 0, 1})}},
    {"rocking_rod", {.u_plus = vector({1.0 / 28, 1.0 / 7})}},
    {"rod_on_two_obstacles", {.u_plus = vector({32.0 / 55, -0.4581818181818182})}},
    {"rocking_block", {.u_plus = vector({0.8, 0.4, -0.8})}},
    {"table_on_four_legs", {.u_plus = vector({0.5, -0.15, -0.05})}},
    {"moving_wall", {.u_plus = vector({-1.25, -0.65})}},
    {"energy_gain", {.consistent = false, .u_plus = vector({0.5, -1})}},
    {"symmetric_matrix", {.consistent = false, .u_plus = vector({-0.25, -0.25, 0.75, 0.75})}},
    {"pinched_ball", {.status = Status::no_solution, .consistent = false, .u_plus = {}}},
    // Lambda = 1.5 / (1 - 0.64 / 1.5), then along the rod by its share 0.8 / 1.5
    {"dumbbell", {.u_plus = vector({-36.0 / 43, 0.5, 18.0 / 43, -19.0 / 43})}},
    {"flexible_beam", {.u_plus = vector({-0.75, -1.5, 0.5})}},
    {"narrow_wedge", {.u_plus = vector({0.19, 0.9 * s})}},
    {"heavy_column", {.u_plus = vector({0.9, 0.9, 0.9})}},
    // by a Runge-Kutta method of fixed step in a program of its own
    {"hertz_cradle",
     {.u_plus = vector({-0.07108501708607, -0.03027376409707, -0.01446362903206, 0.12704498606787, 0.98877742414734}),
      .tolerance = 1e-8}},
    {"pressed_chain",
     {.u_plus = vector({-0.50232192421637, -0.10259881844576, 0.02655188366421, 0.56286846457498, 1.01550039442294}),
      .tolerance = 1e-8}},
    // tests/data/lzb.json: T7_pi/6, S8_tennis_top_bi, S8_basket_top_mono, S9_h3.1_N5_0.96
    {"bernoulli",
     {.u_plus = vector({0.6, 0.2 * std::sqrt(3.0), -0.2, 0, 0.6, -0.2 * std::sqrt(3.0)}), .tolerance = 1e-8}},
    {"tennis_on_basketball", {.u_plus = vector({1.1457009244979455, 0.6394451360600235}), .tolerance = 1e-8}},
    {"basketball_on_tennis", {.u_plus = vector({0, 0}), .tolerance = 1e-8}},
    {"beads_on_wall",
     {.u_plus = vector(
          {0.3015692062140706, 0.2561530739111678, 0.23475797127689993, 0.17052597462080524, 0.057534260340233984}),
      .tolerance = 1e-8}},
    // tests/data/laws.json: rod_C-reversed, rod_tangential_impact_painleve, double_pendulum_mu0.5_e0.7
    {"rod_reverses", {.u_plus = vector({0.34919512146444653, -0.3249051506740671, -1.115601791385051})}},
    {"rod_digs_in", {.u_plus = vector({-0.2625, 0.5625, 0.37123106012293755})}},
    {"double_pendulum",
     {.consistent = false, .u_plus = vector({-0.44303839983043, 0.49093893408315}), .tolerance = 1e-8}},
    // by a Runge-Kutta method of fixed step in a program of its own
    {"brick_corner",
     {.u_plus = vector({0.54375594706442, 0.50391852108232, -0.75098040476533, -2.45884778368807, -0.26104128698085,
                        -0.12248395519587}),
      .tolerance = 1e-8}},
    // slip (4, 3/4) afterwards: Lambda_T = -3/2 (0.01 4, 0.16 3/4) / 0.5
    {"grained_floor", {.u_plus = vector({4, 0.75, 0.5}), .tolerance = 1e-9}},
    // 31 reflections: the line is turned by 32 times the angle of the corner
    {"pi_by_collisions", {.u_plus = vector({-10 * std::sin(32 * std::atan(0.1)), -std::cos(32 * std::atan(0.1))})}},
    {"oblique_sphere", {.u_plus = vector({5.0 / 14, 0.8, -5.0 / 14})}},  // rolls: P_t = -1/7
    {"superball", {.u_plus = vector({1 - 1.6 / 3.5, 1.8, -4 / 3.5})}},
};

/// Examples of lasting contact: the normal forces of every solution.
const std::map<std::string, std::vector<Vector>> kForces = {
    {"painleve_rod", {vector({0}), vector({15.735339059327384})}},
    {"block_on_slope", {vector({5.192123482680037, 13.244645737139488})}},
};

TEST(Examples, ForcesDoWhatTheySay) {
  for (const auto& [name, expected] : kForces) {
    SCOPED_TRACE(name);
    const scene::ProblemFile file = scene::read_problem(std::string(CAROM_SOURCE_DIR) + "/examples/" + name + ".json");
    EXPECT_GT(file.about.size(), 40U) << "says what it shows";
    const analysis::ContactForces forces = analysis::contact_forces(file.problem, file.h, file.bias);
    ASSERT_EQ(forces.solutions.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const Vector normal = forces.solutions[i].lambda(reduce(file.problem).row);
      EXPECT_VECTOR_NEAR(normal, expected[i], 1e-9);
    }
  }
}

TEST(Examples, DoWhatTheySay) {
  std::size_t seen = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(CAROM_SOURCE_DIR) / "examples")) {
    if (entry.path().extension() != ".json") continue;
    const std::string name = entry.path().stem().string();
    if (kForces.contains(name)) continue;
    ++seen;
    SCOPED_TRACE(name);
    ASSERT_TRUE(kExamples.contains(name)) << "an example without a test";
    const Expected& expected = kExamples.at(name);
    const scene::ProblemFile file = scene::read_problem(entry.path().string());
    EXPECT_GT(file.about.size(), 40U) << "says what it shows";
    ASSERT_TRUE(file.law.has_value());
    const ImpactOutcome outcome = solve(file.problem, *file.law);
    EXPECT_EQ(outcome.status, expected.status);
    EXPECT_EQ(outcome.certificate.consistent, expected.consistent);
    EXPECT_VECTOR_NEAR(outcome.u_plus, expected.u_plus, expected.tolerance);
  }
  EXPECT_EQ(seen, kExamples.size());
  EXPECT_GE(seen, 12U);
}

}  // namespace
}  // namespace carom::testing
