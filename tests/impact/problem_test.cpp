#include "carom/impact/problem.h"

#include <Eigen/Dense>

#include "random_problem.h"

namespace carom::testing {
namespace {

TEST(MassMatrix, DiagonalBlocksAndDenseAreOneMatrix) {
  Matrix A(2, 2);
  A << 2, 0.5, 0.5, 1;
  Matrix whole = Matrix::Zero(4, 4);
  whole.topLeftCorner(2, 2) = A;
  whole.bottomRightCorner(2, 2) = 3 * A;
  const MassMatrix blocks = MassMatrix::block_diagonal({A, 3 * A}), dense = MassMatrix::dense(whole);
  const Vector u = vector({1, -2, 3, 0.5});
  EXPECT_VECTOR_NEAR(blocks * u, whole * u, 1e-15);
  EXPECT_VECTOR_NEAR(dense * u, whole * u, 1e-15);
  EXPECT_VECTOR_NEAR(blocks.solve(u), whole.llt().solve(u), 1e-14);
  EXPECT_VECTOR_NEAR(dense.solve(u), whole.llt().solve(u), 1e-14);
  EXPECT_NEAR(blocks.kinetic_energy(u), 0.5 * u.dot(whole * u), 1e-14);
  EXPECT_TRUE(MassMatrix::dense(Matrix(vector({1, 2}).asDiagonal())).is_diagonal());

  SparseMatrix W(4, 2);
  W.insert(0, 0) = 1;
  W.insert(3, 0) = -2;
  W.insert(2, 1) = 1;
  const Matrix expected = whole.llt().solve(Matrix(W));
  EXPECT_LE((Matrix(blocks.solve(W)) - expected).norm(), 1e-14);
  EXPECT_LE((Matrix(dense.solve(W)) - expected).norm(), 1e-14);
  EXPECT_EQ(blocks.solve(W).nonZeros(), 6) << "only the touched blocks fill in";
}

void expect_refused(const std::string& place, auto&& make) {
  try {
    make();
    ADD_FAILURE() << "accepted, but " << place << " is wrong";
  } catch (const InputError& error) {
    EXPECT_EQ(error.place, place) << error.what();
  }
}

TEST(MassMatrix, RefusesWhatIsNotPositiveDefinite) {
  expect_refused("mass[1]", [] { MassMatrix::diagonal(vector({1, 0})); });
  expect_refused("mass[0]", [] { MassMatrix::diagonal(vector({std::numeric_limits<double>::infinity(), 1})); });
  Matrix M(2, 2);
  M << 1, 2, 2, 1;
  expect_refused("M", [&] { MassMatrix::dense(M); });
  M << 1, 0.5, 0.4, 1;
  expect_refused("M[1][0]", [&] { MassMatrix::dense(M); });
  M << 1, 0.5, 0.5, -1;
  expect_refused("M[1][1]", [&] { MassMatrix::dense(M); });
  M << 1, std::nan(""), 0.5, 1;
  expect_refused("M[0][1]", [&] { MassMatrix::dense(M); });
  M << 1e-12, 0, 0, 1e12;
  EXPECT_NO_THROW(MassMatrix::dense(M)) << "unequal units are not indefinite";
}

/// u+ of the whole saddle-point system, as an independent way: [M -W_a -J; W_a' 0 0; J' 0 0].
Vector with_joints(const ImpactProblem& problem, const std::vector<Index>& loaded, const Vector& velocity) {
  const Matrix M = problem.M.to_dense(), W = Matrix(problem.W)(Eigen::all, loaded), J = problem.J;
  const Index n = M.rows(), a = W.cols(), j = J.cols();
  Matrix K = Matrix::Zero(n + a + j, n + a + j);
  K.topLeftCorner(n, n) = M;
  K.block(0, n, n, a) = -W;
  K.block(0, n + a, n, j) = -J;
  K.block(n, 0, a, n) = W.transpose();
  K.block(n + a, 0, j, n) = J.transpose();
  Vector right(n + a + j);
  right << M * problem.u_minus, velocity, Vector::Zero(j);
  return K.completeOrthogonalDecomposition().solve(right).head(n);
}

TEST(Reduce, EliminatesJointsLikeTheSaddlePointSystem) {
  Random random(11);
  for (int trial = 0; trial < 100; ++trial) {
    ImpactProblem given = random_problem(random, Kind::dense, 6);
    const Index n = given.M.size(), joints = std::min<Index>(n - 2, 3);
    if (joints < 1) continue;
    Matrix J = random_matrix(random, n, joints + 1);
    J.col(joints) = J.col(0) * 2 - J.col(joints - 1);  // a redundant joint
    given.J = J.sparseView();
    given.u_minus = Joints(given.M, given.J).project(given.u_minus);
    set_restitution(given, random, false);
    const ImpactOutcome outcome = solve(given, Newton{});
    if (!outcome.solved()) continue;
    EXPECT_LE((J.transpose() * outcome.u_plus).norm(), 1e-11 * outcome.u_plus.norm());
    std::vector<Index> loaded;
    for (Index i = 0; i < outcome.Lambda.size(); ++i)
      if (outcome.Lambda[i] > 0) loaded.push_back(i);
    EXPECT_VECTOR_NEAR(outcome.u_plus, with_joints(given, loaded, outcome.gamma_plus(loaded)),
                       1e-8 * (1 + outcome.u_plus.norm()));
    EXPECT_LE(outcome.certificate.relative.dynamics, 1e-12);
    EXPECT_LE(outcome.certificate.relative.ledger, 1e-12);
    EXPECT_LE(std::abs(outcome.energy.dissipated_joints), 1e-10 * outcome.energy.before);
  }
}

TEST(Reduce, TwoBallsJoinedByARodHitAWallAsOne) {
  ImpactProblem given = problem(MassMatrix::diagonal(vector({1, 3})), vector({1, 0}), vector({-2, -2}), vector({0.5}));
  given.J = Matrix(vector({1, -1})).sparseView();
  const ImpactOutcome outcome = solve(given, Newton{});
  EXPECT_VECTOR_NEAR(outcome.u_plus, vector({1, 1}), 1e-14);
  EXPECT_NEAR(outcome.Lambda[0], 4 * 3, 1e-13);
}

TEST(Reduce, AJointThatClosesSuddenlyTakesEnergy) {
  // Two balls moving apart are caught by a rigid rod while the first touches nothing.
  ImpactProblem given = problem(MassMatrix::diagonal(vector({1, 1})), vector({1, 0}), vector({3, 1}), vector({1}));
  given.J = Matrix(vector({1, -1})).sparseView();
  const ImpactOutcome outcome = solve(given, Poisson{});
  EXPECT_VECTOR_NEAR(outcome.u_plus, vector({2, 2}), 1e-14);
  EXPECT_NEAR(outcome.energy.dissipated_joints, 1, 1e-14);
  EXPECT_LE(outcome.certificate.absolute.ledger, 1e-14);
}

TEST(Reduce, AContactThatJointsHoldFastCarriesNothing) {
  ImpactProblem given =
      problem(MassMatrix::diagonal(vector({1, 1})), Matrix::Identity(2, 2), vector({0, -1}), vector({1, 1}));
  given.J = Matrix(vector({1, 0})).sparseView();
  const ImpactOutcome outcome = solve(given, Newton{});
  ASSERT_TRUE(outcome.solved());
  EXPECT_VECTOR_NEAR(outcome.u_plus, vector({0, 1}), 1e-15);
  EXPECT_EQ(outcome.Lambda[0], 0);
  EXPECT_FALSE(outcome.unique.impulse) << "pressed against a fixed body, any impulse would do";
}

TEST(Reduce, JointsOnLightBodiesLeaveTheRestItsDigits) {
  // The joint holds a mass of 1e-13 whose share of w'M^-1 w is 1e13 times that of the body that moves.
  ImpactProblem given =
      problem(MassMatrix::diagonal(vector({1e-13, 1})), vector({1, 1}), vector({0, -1}), vector({0.5}));
  given.J = Matrix(vector({1, 0})).sparseView();
  const ImpactOutcome outcome = solve(given, Newton{});
  EXPECT_NEAR(outcome.gamma_plus[0], 0.5, 1e-12);
  EXPECT_NEAR(outcome.Lambda[0], 1.5, 1e-12);
}

TEST(Reduce, ContactsOfABodyThatJointsHoldCompletely) {
  ImpactProblem given =
      problem(MassMatrix::diagonal(vector({0.3, 2})), Matrix::Identity(2, 2), vector({0, 0}), vector({0, 0}));
  Matrix J(2, 2);
  J << 1, 0.7, 0.1, -0.9;
  given.J = J.sparseView();
  given.drift = vector({-1, 0});  // a wall moves in
  const ImpactOutcome outcome = solve(given, Newton{});
  EXPECT_EQ(outcome.status, Status::no_solution);
  EXPECT_NE(outcome.message.find("joints hold contact '1' fast"), std::string::npos) << outcome.message;
}

TEST(Reduce, SmoothImpulseOfATimeStep) {
  // A ball at rest on the floor, weight acting for h: the contact carries exactly m g h.
  ImpactProblem given = problem(MassMatrix::diagonal(vector({2})), vector({1}), vector({0}), vector({0}));
  given.p = vector({-2 * 9.81 * 0.01});
  const ImpactOutcome outcome = solve(given, Moreau{});
  EXPECT_NEAR(outcome.Lambda[0], 2 * 9.81 * 0.01, 1e-15);
  EXPECT_NEAR(outcome.u_plus[0], 0, 1e-15);
  EXPECT_TRUE(outcome.certificate.consistent);
}

TEST(Reduce, ManyRowsAndFewRowsGiveTheSameDelassusMatrix) {
  Random random(5);
  const ImpactProblem given = random_problem(random, Kind::chain, 40);
  Vector masses = Vector::Ones(200), u = Vector::Zero(200);
  for (double& mass : masses) mass = 1 + random.uniform();
  const ImpactProblem problem = chain(masses, u, 0);
  const ContactProblem reduced = reduce(problem);
  for (Index i = 0; i + 1 < 199; ++i) {
    EXPECT_NEAR(reduced.G.coeff(i, i), 1 / masses[i] + 1 / masses[i + 1], 1e-15);
    EXPECT_NEAR(reduced.G.coeff(i, i + 1), -1 / masses[i + 1], 1e-15);
  }
  EXPECT_EQ(reduced.G.nonZeros(), 3 * 199 - 2);
}

/// Every way of assembling: few and many contacts; a full W, one whose contacts share some of the rows, and a sparse
/// one; one mass each and masses in blocks.
TEST(Reduce, DelassusMatrixIsTheProductHoweverWIsFilled) {
  Random random(43);
  Matrix block = random_matrix(random, 4, 4);
  block = Matrix(block * block.transpose() + Matrix::Identity(4, 4));
  for (const auto& [dofs, contacts] : {std::pair<Index, Index>{16, 5}, {80, 5}, {80, 70}})
    for (const MassMatrix& M : {MassMatrix::diagonal(Vector::LinSpaced(dofs, 0.5, 2)),
                                MassMatrix::block_diagonal(std::vector<Matrix>(dofs / 4, block))})
      for (const Index shared : {Index{0}, Index{3}, dofs - 2, dofs}) {
        Matrix W = random_matrix(random, dofs, contacts);
        for (Index j = 0; j < contacts; ++j)
          for (Index i = shared; i < dofs; ++i)
            if (i != j + 3 && i != j + 7) W(i, j) = 0;
        ImpactProblem problem;
        problem.M = M;
        problem.W = W.sparseView();
        problem.u_minus = Vector::Ones(dofs);
        problem.contacts.resize(contacts);
        const Matrix expected = W.transpose() * M.to_dense().llt().solve(W);
        const Matrix G = reduce(problem).G;
        EXPECT_LE((G - expected).norm(), 1e-13 * expected.norm())
            << dofs << " degrees of freedom, " << contacts << " contacts, " << shared << " shared";
        EXPECT_EQ(G, Matrix(G.transpose()));
      }
}

TEST(Solve, MovingWallDoesWork) {
  // A wall closing at speed V on a ball at rest: u+ = (1 + e) V, and the ledger balances.
  ImpactProblem given = problem(MassMatrix::diagonal(vector({2})), vector({1}), vector({0}), vector({0.5}));
  given.drift = vector({-3});
  for_each_law([&](auto law) {
    if (std::is_same_v<decltype(law), Compliant>) return;  // has no e
    const ImpactOutcome outcome = solve(given, suited(law, given));
    const double tolerance = has_path(law) ? 1e-8 : 1e-13;
    EXPECT_NEAR(outcome.u_plus[0], 4.5, tolerance) << law.name;
    EXPECT_NEAR(outcome.energy.wall_work, 3 * 9, tolerance) << law.name;
    EXPECT_NEAR(outcome.energy.dissipated(), 27 - 0.5 * 2 * 4.5 * 4.5, tolerance) << law.name;
    EXPECT_TRUE(outcome.certificate.consistent) << law.name;
  });
}

TEST(Solve, TangentsOfFrictionlessContactsCarryNothing) {
  ImpactProblem given;
  given.M = MassMatrix::diagonal(vector({1, 1, 1}));
  given.W = Matrix(Matrix::Identity(3, 3)).sparseView();
  given.u_minus = vector({-1, 2, 3});
  given.contacts = {{.name = "floor", .tangents = 2, .e = 0.5}};
  const ImpactOutcome outcome = solve(given, Newton{});
  EXPECT_VECTOR_NEAR(outcome.u_plus, vector({0.5, 2, 3}), 1e-15);
  EXPECT_EQ(outcome.tangential(outcome.Lambda, 0).size(), 2);
  EXPECT_EQ(outcome.tangential(outcome.Lambda, 0).norm(), 0);
  EXPECT_EQ(outcome.normal(outcome.gamma_plus).size(), 1);
}

TEST(Solve, SaysWhichContactsContradictEachOther) {
  // A ball between two walls, moving left; the left wall reflects, the right one holds.
  const ImpactProblem given =
      problem(MassMatrix::diagonal(vector({1})), vector({1, -1}).transpose(), vector({-1}), vector({1, 0}));
  const ImpactOutcome outcome = solve(given, Newton{});
  EXPECT_EQ(outcome.status, Status::no_solution);
  EXPECT_NE(outcome.message.find("'1', '2'"), std::string::npos) << outcome.message;
  EXPECT_EQ(outcome.u_plus.size(), 0) << "no answer is no answer";
  EXPECT_FALSE(outcome.certificate.consistent);
}

}  // namespace
}  // namespace carom::testing
