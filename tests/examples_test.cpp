// Every file of examples/ says what it shows and does it.

#include <filesystem>
#include <map>

#include "scene/problem_reader.h"
#include "support.h"

namespace carom::testing {
namespace {

namespace fs = std::filesystem;

struct Expected {
  Status status = Status::solved;
  bool consistent = true;
  Vector u_plus;
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
};

TEST(Examples, DoWhatTheySay) {
  std::size_t seen = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(CAROM_SOURCE_DIR) / "examples")) {
    if (entry.path().extension() != ".json") continue;
    ++seen;
    const std::string name = entry.path().stem().string();
    SCOPED_TRACE(name);
    ASSERT_TRUE(kExamples.contains(name)) << "an example without a test";
    const Expected& expected = kExamples.at(name);
    const scene::ProblemFile file = scene::read_problem(entry.path().string());
    EXPECT_GT(file.about.size(), 40U) << "says what it shows";
    ASSERT_TRUE(file.law.has_value());
    const ImpactOutcome outcome = solve(file.problem, *file.law);
    EXPECT_EQ(outcome.status, expected.status);
    EXPECT_EQ(outcome.certificate.consistent, expected.consistent);
    EXPECT_VECTOR_NEAR(outcome.u_plus, expected.u_plus, 1e-12);
  }
  EXPECT_EQ(seen, kExamples.size());
  EXPECT_GE(seen, 12U);
}

}  // namespace
}  // namespace carom::testing
