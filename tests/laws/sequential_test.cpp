// One contact after the other.

#include "carom/laws/sequential.h"

#include "random_problem.h"
#include "support.h"

namespace carom::testing {
namespace {

/// The textbook's loop over a line of balls: the fastest closing pair collides with restitution e, until none does.
Vector by_pairs(const Vector& m, Vector u, double e) {
  for (int impact = 0; impact < 100000; ++impact) {
    Index hit = -1;
    double fastest = 1e-15;
    for (Index i = 0; i + 1 < u.size(); ++i)
      if (u[i] - u[i + 1] > fastest) fastest = u[i] - u[i + 1], hit = i;
    if (hit < 0) break;
    const double P = (1 + e) * fastest * m[hit] * m[hit + 1] / (m[hit] + m[hit + 1]);
    u[hit] -= P / m[hit];
    u[hit + 1] += P / m[hit + 1];
  }
  return u;
}

TEST(Sequential, SendsTheLastBallsOfTheCradleAway) {
  for (const Index N : {2, 3, 5, 40}) {
    const ImpactOutcome one = solve(chain(Vector::Ones(N), Vector::Unit(N, 0), 1), Sequential{});
    EXPECT_VECTOR_NEAR(one.u_plus, Vector::Unit(N, N - 1), 1e-13);
    EXPECT_TRUE(one.certificate.consistent);
  }
  const ImpactOutcome two = solve(chain(Vector::Ones(5), vector({1, 1, 0, 0, 0}), 1), Sequential{});
  EXPECT_VECTOR_NEAR(two.u_plus, vector({0, 0, 0, 1, 1}), 1e-13);
}

TEST(Sequential, IsTheLoopOverPairs) {
  Random random(5);
  for (int k = 0; k < 50; ++k) {
    const Index N = pick(random, 2, 9);
    Vector m(N), u(N);
    for (Index i = 0; i < N; ++i) m[i] = between(random, 0.3, 3), u[i] = between(random, -1, 1);
    const double e = between(random, 0.5, 1);
    const ImpactOutcome outcome = solve(chain(m, u, e), Sequential{});
    ASSERT_TRUE(outcome.solved());
    EXPECT_VECTOR_NEAR(outcome.u_plus, by_pairs(m, u, e), 1e-10);
    EXPECT_TRUE(outcome.certificate.consistent);
  }
}

TEST(Sequential, FollowsTheOrderItIsGiven) {
  // A ball between two that come from both sides: who is first decides.
  const ImpactProblem pinched = chain(vector({1, 2, 1}), vector({1, 0, -0.8}), 0.5);
  Sequential left, right;
  left.order = vector({0, 1});
  right.order = vector({1, 0});
  const Vector first = solve(pinched, left).u_plus, second = solve(pinched, right).u_plus;
  EXPECT_GT((first - second).norm(), 0.01);
  EXPECT_VECTOR_NEAR(solve(pinched, Sequential{}).u_plus, first, 1e-9);  // the left one is faster
  EXPECT_FALSE(solve(pinched, Sequential{}).remarks.empty());
  left.order = vector({0, 0});
  EXPECT_THROW(solve(pinched, left), InputError);
  left.order = vector({2});
  EXPECT_THROW(solve(pinched, left), InputError);
  left.order = vector({0, 1.5});
  EXPECT_THROW(solve(pinched, left), InputError);
}

TEST(Sequential, TurnsMayBeNamedAndSomeContactsHaveNone) {
  const ImpactProblem row = chain(vector({1, 2, 1, 3}), vector({1, 0, -0.8, -0.9}), 0.5);  // contacts "1", "2", "3"
  const auto ends = [&](const ContactTurns& order) { return solve(row, Sequential{.order = order}).u_plus; };
  EXPECT_VECTOR_NEAR(ends(std::vector<std::string>{"2", "3", "1"}), ends(vector({1, 2, 0})), 0);
  EXPECT_VECTOR_NEAR(ends(std::vector<std::string>{"nobody"}), ends({}), 0);  // of another island
  // "2" first whenever it closes, else the fastest: after "2", "1" closes and then "2" has its turn again
  const Vector some = ends(std::vector<std::string>{"2"});
  EXPECT_GT((some - ends({})).norm(), 1e-3);
  const ImpactOutcome outcome = solve(row, Sequential{.order = std::vector<std::string>{"2"}});
  EXPECT_TRUE(outcome.solved() && outcome.certificate.consistent);
  EXPECT_THROW(solve(row, Sequential{.order = std::vector<std::string>{"2", "2"}}), InputError);
  EXPECT_EQ(solve(row, Sequential{.most = 1}).status, Status::iteration_limit);
  EXPECT_THROW(solve(row, Sequential{.most = 1.5}), InputError);
}

TEST(Sequential, KeepsAMirrorImage) {
  const ImpactOutcome outcome = solve(chain(vector({1, 2, 1}), vector({1, 0, -1}), 0.5), Sequential{});
  EXPECT_VECTOR_NEAR(outcome.u_plus, vector({-0.5, 0, 0.5}), 1e-13);
  EXPECT_FALSE(outcome.unique.u_plus);
  ASSERT_FALSE(outcome.remarks.empty());
}

TEST(Sequential, SaysWhereImpactsNeverEnd) {
  // Plastic impacts of three balls in turn: geometric, ends with one velocity.
  const ImpactOutcome outcome = solve(chain(vector({1, 1, 1}), vector({1, 0, 0}), 0), Sequential{});
  EXPECT_VECTOR_NEAR(outcome.u_plus, Vector::Constant(3, 1.0 / 3), 1e-11);
  ASSERT_FALSE(outcome.remarks.empty());
  EXPECT_NE(outcome.remarks.front().find("never end"), std::string::npos);
  EXPECT_TRUE(outcome.certificate.consistent);
  // So slow that it does not arrive: ended at once, and said.
  const ImpactOutcome slow =
      solve(chain(vector({1e-4, 1, 1e-4, 1, 1e-4}), vector({0, 1, 0, -0.5, 0}), 0), Sequential{});
  EXPECT_LE(slow.certificate.relative.kinematic, 1e-9);
  EXPECT_LE(slow.certificate.relative.ledger, 1e-9);
  if (!slow.solved()) {
    EXPECT_NE(slow.message.find("does not end"), std::string::npos);
  }
}

TEST(Sequential, WithFrictionIsKellerWhereOneContactCloses) {
  Matrix W(3, 2);
  W << 0, 1, 1, 0, 0.3, 0.8;
  ImpactProblem rod =
      problem(MassMatrix::diagonal(vector({1, 1, 0.2})), Matrix(W.col(0)), vector({1, -1, 0.5}), vector({0.6}));
  rod.W = W.sparseView();
  rod.contacts[0].tangents = 1;
  rod.contacts[0].mu = 0.4;
  EXPECT_VECTOR_NEAR(solve(rod, Sequential{}).u_plus, solve(rod, Keller{}).u_plus, 1e-14);
}

TEST(Sequential, NeverCreatesEnergyWithWorkAsRestitution) {
  Random random(11);
  for (int k = 0; k < 200; ++k) {
    ImpactProblem made = random_problem(random, static_cast<Kind>(pick(random, 0, static_cast<Index>(Kind::most) - 1)));
    set_restitution(made, random, false);
    const ImpactOutcome outcome = solve(made, Sequential{});
    if (outcome.status == Status::no_solution) continue;
    EXPECT_LE(outcome.certificate.relative.energetic, 1e-9) << k;
    EXPECT_LE(outcome.certificate.relative.kinematic, 1e-9) << k;
    EXPECT_LE(outcome.certificate.relative.ledger, 1e-9) << k;
  }
}

}  // namespace
}  // namespace carom::testing
