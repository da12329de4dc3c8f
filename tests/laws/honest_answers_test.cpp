// Answers that arrive, or say why not: impacts that once stalled, that never end, that a light body spoils.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "carom/laws/all.h"
#include "carom/numerics/cone_contradiction.h"
#include "carom/numerics/factored_lcp.h"
#include "carom/scene/json.h"
#include "carom/scene/problem_reader.h"
#include "json.h"
#include "random_problem.h"
#include "random_share.h"

namespace carom::testing {
namespace {

scene::ProblemFile file_of(const std::string& json) {
  return scene::read_problem(scene::parse_json(json, "case.json"));
}

ImpactOutcome solved(const std::string& json) {
  const scene::ProblemFile file = file_of(json);
  return solve(file.problem, *file.law);
}

TEST(HonestAnswers, ContactsOfOneBodyStopTogether) {
  Json document;
  std::ifstream(CAROM_SOURCE_DIR "/tests/data/lzb_stalls.json") >> document;
  for (const Json& given : document.at("cases")) {
    SCOPED_TRACE(given.at("name").get<std::string>());
    const scene::ProblemFile file = file_of(given.at("problem").dump());
    const ImpactOutcome outcome = solve(file.problem, Lzb{}), coarse = solve(file.problem, Lzb{.tolerance = 1e-6});
    ASSERT_TRUE(outcome.solved()) << outcome.message;
    EXPECT_TRUE(outcome.certificate.consistent);
    EXPECT_EQ(outcome.message, "");
    EXPECT_LT(outcome.cost.iterations, 20000);
    EXPECT_VECTOR_NEAR(coarse.u_plus, outcome.u_plus, 1e-5 * file.problem.u_minus.cwiseAbs().maxCoeff());
  }
}

TEST(HonestAnswers, ATiltedTableOnUnequalLegsComesToAnEnd) {
  for (const double mu : {0.1, 0.4, 0.9})
    for (const double tilt : {0.0, 0.2, -0.7}) {
      ImpactProblem table;
      table.M = MassMatrix::diagonal(vector({1, 1, 1, 0.4, 0.4, 0.6}));
      Matrix W(6, 12);
      const double x[] = {1, 1, -1, -1}, y[] = {1, -1, -1, 1};
      for (int leg = 0; leg < 4; ++leg) {
        W.col(3 * leg) << 0, 0, 1, y[leg], -x[leg], 0;
        W.col(3 * leg + 1) << 1, 0, 0, 0, -0.8, -y[leg];
        W.col(3 * leg + 2) << 0, 1, 0, 0.8, 0, x[leg];
        table.contacts.push_back({.name = fmt::format("{}", leg), .tangents = 2, .e = 0.5, .mu = mu, .k = 1.0 + leg});
      }
      table.W = W.sparseView();
      table.u_minus = vector({0.2, 0.1, -1, tilt, 0.3 * tilt, 0});
      const ImpactOutcome outcome = solve(table, Lzb{});
      EXPECT_TRUE(outcome.solved()) << outcome.message << " mu " << mu << " tilt " << tilt;
      EXPECT_TRUE(outcome.certificate.consistent);
      EXPECT_TRUE(outcome.duration.has_value() || outcome.history->collapsed);
    }
}

TEST(HonestAnswers, ElasticContactsThatEncloseABallNeverLetGo) {
  for (const char* law : {"compliant", "lzb"}) {
    const ImpactOutcome outcome = solved(fmt::format(
        R"({{"mass": [1, 1], "u": [1, 0.3], "law": "{}", "contacts": [
        {{"name": "left", "normal": [1, 0.1], "e": 1}}, {{"name": "right", "normal": [-1, 0.1], "e": 1, "k": 2}},
        {{"name": "top", "normal": [0, -1], "e": 1}}]}})",
        law));
    EXPECT_EQ(outcome.status, Status::no_solution) << outcome.message;
    EXPECT_NE(outcome.message.find("never ends"), std::string::npos) << outcome.message;
    EXPECT_EQ(outcome.u_plus.size(), 0);
  }
}

TEST(HonestAnswers, AContactThatLosesEnergyEndsWhatTheOthersEnclose) {
  for (const double e : {0.3, 0.9}) {
    const ImpactOutcome outcome = solved(fmt::format(
        R"({{"mass": [1, 1], "u": [1, 0.3], "law": "lzb", "contacts": [
        {{"normal": [1, 0.1], "e": 1}}, {{"normal": [-1, 0.1], "e": 1, "k": 2}}, {{"normal": [0, -1], "e": {}}}]}})",
        e));
    EXPECT_EQ(outcome.message.find("never ends"), std::string::npos) << outcome.message;
    EXPECT_NE(outcome.status, Status::no_solution);
    EXPECT_GT(outcome.u_plus.size(), 0);
  }
}

TEST(HonestAnswers, WhereOneSideIsOpenTheyDo) {
  const ImpactOutcome outcome = solved(R"({"mass": [1, 1], "u": [1, -0.3], "law": "compliant", "contacts": [
        {"normal": [1, 0.1]}, {"normal": [-1, 0.1], "k": 2}]})");
  EXPECT_TRUE(outcome.solved()) << outcome.message;
  EXPECT_TRUE(outcome.certificate.consistent);
}

/// A contact that joints hold fast and a wall that moves into it, beside one that is a million million times faster.
TEST(HonestAnswers, AFastContactElsewhereExcusesNothing) {
  for (const char* law : {"newton", "poisson", "moreau", "lzb", "compliant"}) {
    const ImpactOutcome outcome = solved(fmt::format(
        R"({{"mass": [1, 1, 1], "u": [0, -1e6, 0], "law": "{}", "joints": [[1, 0, -1], [1, 0, 1]], "contacts": [
        {{"normal": [1, 0, 0], "e": 0.5, "drift": [-1e-6]}}, {{"normal": [0, 1, 0], "e": 0.5}}]}})",
        law));
    EXPECT_EQ(outcome.status, Status::no_solution) << law;
  }
}

/// A light ball between heavy ones: what it does carries no energy, and is no less wrong for that.
TEST(HonestAnswers, PenetrationOfALightBodyIsSeen) {
  const ImpactOutcome outcome = solved(R"({"mass": [1e9, 1, 1e9], "u": [1, 0, -1], "law": "newton", "contacts": [
      {"normal": [-1, 1, 0], "e": 0.5}, {"normal": [0, -1, 1], "e": 0.5}, {"normal": [0, 1, 0], "e": 0.9}]})");
  ASSERT_TRUE(outcome.solved()) << outcome.message;
  const ImpactOutcome opens = solved(R"({"mass": [1e9, 1], "u": [1, 3], "law": "moreau", "contacts": [
      {"normal": [-1, 0], "e": 0.5}, {"normal": [-1, 1], "e": 0.5}]})");
  ASSERT_TRUE(opens.solved());
  EXPECT_NEAR(opens.gamma_plus[0], 0.5, 1e-9);
  EXPECT_LT(opens.gamma_plus[1], 4);
  EXPECT_EQ(opens.certificate.consistent, opens.gamma_plus[1] >= 0) << opens.gamma_plus.transpose();
}

TEST(FactoredLcp, SolvesOrProvesThatThereIsNothingToSolve) {
  Random random(3);
  int solved = 0, without = 0;
  for (int round = 0; round < share_of(1000); ++round) {
    const Index n = pick(random, 1, 8), m = pick(random, 1, 14);
    Matrix V = random_matrix(random, n, m);
    if (round % 3 == 0) V.topRows((n + 1) / 2) *= std::pow(10, between(random, -8, 0));
    const Vector q = random_matrix(random, m, 1), terms = q.cwiseAbs();
    const std::optional<numerics::LcpSolution> found = numerics::solve_factored_lcp(V, q, terms);
    if (!found) continue;
    if (found->status == numerics::LcpStatus::solved) {
      ++solved;
      const Vector moved = V * found->x, w = V.transpose() * moved + q;
      const Vector allowed = 1e-11 * (terms + V.cwiseAbs().transpose() * moved.cwiseAbs());
      EXPECT_GE(found->x.minCoeff(), 0);
      for (Index i = 0; i < m; ++i) {
        EXPECT_GE(w[i], -allowed[i]);
        if (found->x[i] > 0) {
          EXPECT_LE(w[i], allowed[i]);
        }
      }
    } else {
      ++without;
      const Vector& z = found->ray;
      EXPECT_GE(z.minCoeff(), 0);
      EXPECT_LT(q.dot(z), 0);
      EXPECT_LE((V * z).norm(), 1e-10 * z.dot(V.colwise().norm().transpose()));
    }
  }
  EXPECT_GT(solved, share_of(1000) / 3);
  EXPECT_GT(without, share_of(1000) / 20);
}

TEST(ConeContradiction, ProvesThatWallsCannotPinchABallBetweenThem) {
  // Two walls that close on a ball, whatever friction there is; and one that does not.
  const Matrix W = (Matrix(2, 4) << 1, 0, -1, 0, 0, 1, 0, 1).finished();
  const SparseMatrix G = Matrix(W.transpose() * W).sparseView();
  const std::vector<numerics::FrictionCone> cones = {{.row = 0, .tangents = 1, .mu = 0.7},
                                                     {.row = 2, .tangents = 1, .mu = 2}};
  const Vector closing = vector({-1, 0.3, -0.5, 0.1}), opening = vector({-1, 0.3, 1.5, 0.1});
  const std::optional<Vector> z = numerics::cone_contradiction(G, closing, cones, closing.cwiseAbs());
  ASSERT_TRUE(z.has_value());
  EXPECT_GE(z->minCoeff(), 0);
  EXPECT_LT((*z)[0] * closing[0] + (*z)[1] * closing[2], 0);
  EXPECT_FALSE(numerics::cone_contradiction(G, opening, cones, opening.cwiseAbs()).has_value());
}

}  // namespace
}  // namespace carom::testing
