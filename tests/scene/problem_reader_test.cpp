#include "carom/scene/problem_reader.h"

#include <gtest/gtest.h>

#include "scene/reading.h"

namespace carom::scene {
namespace {

constexpr std::string_view kCradle = R"({ "format": "carom-problem/1", "about": "three balls",
  "mass": [1, 2, 3], "u": [1, 0, -1],
  "contacts": [
    { "name": "12", "normal": [-1, 1, 0], "e": 0.9, "k": 2, "eta": 1, "E0": 0.5, "e_t": 0.3 },
    { "normal": [0, -1, 1], "tangents": [[0, 1, 0], [0, 0, 1]], "mu": 0.1, "drift": [0.1, 0.2, 0.3], "bias": [4, 5, 6] } ],
  "h": [7, 8, 9],
  "joints": [[1, 0, 0]],
  "candidates": [[0, 0, 1], [1, 2, 3]] })";

TEST(ProblemReader, ReadsEveryField) {
  const ProblemFile file = read_text(kCradle);
  const ImpactProblem& problem = file.problem;
  EXPECT_EQ(file.about, "three balls");
  EXPECT_EQ(problem.M.to_dense(), Matrix(Eigen::Vector3d(1, 2, 3).asDiagonal()));
  EXPECT_EQ(problem.u_minus, Vector(Eigen::Vector3d(1, 0, -1)));
  ASSERT_EQ(problem.contacts.size(), 2u);
  const Contact& contact = problem.contacts[0];
  EXPECT_EQ(contact.name, "12");
  EXPECT_EQ(contact.tangents, 0);
  EXPECT_EQ(contact.e, 0.9);
  EXPECT_EQ(problem.contacts[1].mu, 0.1);
  EXPECT_EQ(contact.k, 2);
  EXPECT_EQ(contact.eta, 1);
  EXPECT_EQ(contact.E0, 0.5);
  EXPECT_EQ(contact.e_t, 0.3);
  Matrix W(3, 4);
  W << -1, 0, 0, 0, 1, -1, 1, 0, 0, 1, 0, 1;
  EXPECT_EQ(Matrix(problem.W), W);
  EXPECT_EQ(problem.drift, Vector(Eigen::Vector4d(0, 0.1, 0.2, 0.3)));
  EXPECT_EQ(Matrix(problem.J), Matrix(Eigen::Vector3d(1, 0, 0)));
  ASSERT_EQ(file.candidates.size(), 2u);
  EXPECT_EQ(file.candidates[1], Vector(Eigen::Vector3d(1, 2, 3)));
  EXPECT_EQ(file.h, Vector(Eigen::Vector3d(7, 8, 9)));
  EXPECT_EQ(file.bias, Vector(Eigen::Vector4d(0, 4, 5, 6)));
  EXPECT_FALSE(file.law);
}

TEST(ProblemReader, WhatIsLeftOutHasItsDefault) {
  const ImpactProblem problem = read_text(R"({"mass": [1], "u": [-1], "contacts": [{"normal": [1]}]})").problem;
  const Contact& contact = problem.contacts[0];
  EXPECT_EQ(contact.name, "1");
  EXPECT_EQ(contact.tangents, 0);
  EXPECT_EQ(contact.e, 0);
  EXPECT_EQ(contact.mu, 0);
  EXPECT_EQ(contact.k, 1);
  EXPECT_EQ(contact.eta, 1.5);
  EXPECT_EQ(contact.E0, 0);
  EXPECT_EQ(contact.e_t, 0);
  EXPECT_EQ(problem.drift.size(), 0);
  EXPECT_EQ(problem.p.size(), 0);
  EXPECT_EQ(problem.J.cols(), 0);
}

TEST(ProblemReader, SparseDirectionsAreDenseOnes) {
  const auto dense = read_text(R"({"mass": [1, 1, 1], "u": [1, 0, 0], "joints": [[0, 0, 2]],
    "contacts": [{"normal": [-1, 1, 0], "tangents": [[0, 0, 1]]}]})");
  const auto sparse = read_text(R"({"mass": [1, 1, 1], "u": [1, 0, 0], "joints": [{"2": 2}],
    "contacts": [{"normal": {"1": 1, "0": -1, "2": 0}, "tangents": [{"2": 1}]}]})");
  EXPECT_EQ(Matrix(dense.problem.W), Matrix(sparse.problem.W));
  EXPECT_EQ(Matrix(dense.problem.J), Matrix(sparse.problem.J));
  EXPECT_EQ(dense.problem.W.nonZeros(), 3);
  EXPECT_EQ(sparse.problem.W.nonZeros(), 3);
}

TEST(ProblemReader, ADenseMassMatrix) {
  const auto file = read_text(R"({"M": [[2, 1], [1, 2]], "u": [0, 0], "contacts": [{"normal": [1, 0]}]})");
  EXPECT_EQ(file.problem.M.to_dense(), (Matrix(2, 2) << 2, 1, 1, 2).finished());
}

TEST(ProblemReader, DriftAsANumberIsOfTheNormal) {
  const auto file =
      read_text(R"({"mass": [1], "u": [0], "contacts": [{"normal": [1], "tangents": [[1]], "drift": -2}]})");
  EXPECT_EQ(file.problem.drift, Vector(Eigen::Vector2d(-2, 0)));
}

TEST(ProblemReader, ASmoothImpulse) {
  const auto file = read_text(R"({"mass": [1, 1], "u": [0, 0], "p": [3, 4], "contacts": [{"normal": [1, 0]}]})");
  EXPECT_EQ(file.problem.p, Vector(Eigen::Vector2d(3, 4)));
}

TEST(ProblemReader, LaterErrorsOfALawAreFoundInTheFile) {
  const auto file = read_text("{\"mass\": [1], \"u\": [-1], \"contacts\": [{\"normal\": [1],\n  \"e\": 1.2}]}");
  try {
    solve(file.problem, *law_by_name("newton"));
    FAIL() << "e = 1.2 was accepted";
  } catch (const InputError& error) {
    const std::string line = located(error, file.document).what();
    EXPECT_TRUE(line.starts_with("p.json:2:8: contacts[0].e = 1.2 is outside [0, 1]")) << line;
  }
}

TEST(ProblemReader, AChainOfManyContactsIsAnOrdinaryProblem) {
  constexpr int balls = 20'000;
  std::string mass = "1", u = "1", contacts;
  for (int i = 1; i < balls; ++i) {
    mass += ",1";
    u += ",0";
    contacts += (i > 1 ? ",{\"normal\":{\"" : "{\"normal\":{\"") + std::to_string(i - 1) + "\":-1,\"" +
                std::to_string(i) + "\":1}}";
  }
  const auto file = read_text("{\"mass\":[" + mass + "],\"u\":[" + u + "],\"contacts\":[" + contacts + "]}");
  EXPECT_EQ(file.problem.W.rows(), balls);
  EXPECT_EQ(file.problem.W.nonZeros(), 2 * (balls - 1));
  EXPECT_EQ(file.problem.contacts.back().name, std::to_string(balls - 1));
}

}  // namespace
}  // namespace carom::scene
