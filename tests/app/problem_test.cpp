#include "carom/app/problem.h"

#include <gtest/gtest.h>

#include "carom/app/compare.h"
#include "carom/app/version.h"
#include "carom/scene/json.h"

namespace carom::testing {
namespace {

/// Three balls on a line; the first hits the others. `more` is text of further members.
scene::ProblemFile cradle(const std::string& more, const std::string& u = "[1, 0, 0]") {
  const std::string contacts = R"([{"normal": [-1, 1, 0], "e": 0.5}, {"normal": [0, -1, 1], "e": 0.5}])";
  return scene::read_problem(
      scene::parse_json(R"({"mass": [1, 1, 1], "u": )" + u + R"(, "contacts": )" + contacts + more + "}", "p.json"));
}

template <class Act>
std::string refusal(Act&& act) {
  try {
    act();
  } catch (const scene::ReadError& error) {
    return error.what();
  }
  return "";
}

TEST(SolveImpact, GivesTheOutcomeAndThePathWhereAskedFor) {
  const scene::ProblemFile file = cradle(R"(, "law": "lzb")");
  const app::SolvedImpact alone = app::solve_impact(file), followed = app::solve_impact(file, {.path = true});
  EXPECT_TRUE(alone.outcome.solved());
  EXPECT_FALSE(alone.path);
  ASSERT_TRUE(followed.path);
  EXPECT_GT(followed.path->states.size(), 10U);
  EXPECT_LE((followed.path->states.back().u - followed.outcome.u_plus).norm(), 1e-12);
  EXPECT_LE((alone.outcome.u_plus - followed.outcome.u_plus).norm(), 1e-9);
}

TEST(SolveImpact, ListsAllSolutionsWithAPathToo) {
  const app::SolvedImpact impact = app::solve_impact(cradle(R"(, "law": "lzb")"), {.path = true, .all = true});
  EXPECT_TRUE(impact.path);
  EXPECT_EQ(impact.outcome.solutions.size(),
            app::solve_impact(cradle(R"(, "law": "lzb")"), {.all = true}).outcome.solutions.size());
}

TEST(SolveImpact, RefusesWithThePlaceInTheFile) {
  EXPECT_TRUE(refusal([] { app::solve_impact(cradle("")); }).starts_with("p.json:1:1: names no law"))
      << refusal([] { app::solve_impact(cradle("")); });
  const std::string no_path = refusal([] { app::solve_impact(cradle(R"(, "law": "newton")"), {.path = true}); });
  EXPECT_NE(no_path.find("newton does not follow the impact in time"), std::string::npos) << no_path;
}

TEST(Path, KeepsNoMoreStatesThanItMay) {
  const scene::ProblemFile file = cradle(R"(, "law": "lzb")");
  Path path;
  path.most_states = 5;
  const ImpactOutcome outcome = solve(file.problem, *file.law, &path);
  EXPECT_TRUE(outcome.solved());
  EXPECT_LE(path.states.size(), 6U) << "and the end";
  EXPECT_GT(outcome.cost.iterations, 6);
}

TEST(CompareImpacts, TakesAllLawsThatApplyOrThoseNamed) {
  const scene::ProblemFile file = cradle("");
  const app::ComparedImpacts all = app::compare_impacts(file, {});
  EXPECT_GT(all.outcomes.size(), 3U);
  EXPECT_FALSE(all.left_out.empty());
  const app::ComparedImpacts two = app::compare_impacts(file, {"poisson", "newton"});
  ASSERT_EQ(two.outcomes.size(), 2U);
  EXPECT_EQ(two.outcomes[0].law, "poisson");
  EXPECT_TRUE(two.not_reading_e.empty());
  EXPECT_NE(refusal([&] { app::compare_impacts(file, {"nwton"}); }).find("unknown law"), std::string::npos);
}

TEST(KnownVelocities, AreCandidatesAndLaws) {
  const auto known = app::known_velocities(cradle(R"(, "candidates": [[0, 0, 1]])"));
  ASSERT_GT(known.size(), 3U);
  EXPECT_EQ(known[0].name, "candidate 1");
  EXPECT_EQ(known[1].name, "newton");
}

TEST(ForcesOf, AProblemNeedsGeneralizedForces) {
  EXPECT_NE(refusal([] { app::forces_of(cradle("")); }).find("has no \"h\""), std::string::npos);
  EXPECT_TRUE(app::forces_of(cradle(R"(, "h": [0, 0, 0])", "[0, 0, 0]")).solved());
}

TEST(Version, TellsHowItWasBuilt) {
  const std::string text = app::version();
  EXPECT_TRUE(text.starts_with("0.")) << text;
  EXPECT_NE(text.find(" HDF5, "), std::string::npos) << text;
  EXPECT_NE(text.find(" robots, "), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with(" reports)")) << text;
  EXPECT_EQ(text.find('/'), std::string::npos) << "no paths";
}

}  // namespace
}  // namespace carom::testing
