#include "simulate/smooth_motion.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <limits>

#include "impact/joints.h"
#include "numerics/lcp.h"

namespace carom {
namespace {

constexpr double kPivot = 1e-10;      // of a squared pivot of the unit-diagonal C'M^-1 C: below it, least norm
constexpr int kNewtonSteps = 4;       // on the positions
constexpr double kPrecision = 1e-14;  // relative step at which Newton's method is done

/// All bilateral constraints at one state: C'u + drift = 0.
struct Constraints {
  SparseMatrix C, MinvC;
  Vector value, drift;
  Index joints = 0;  // the first so many columns
};

SparseMatrix side_by_side(const SparseMatrix& A, const SparseMatrix& B) {
  if (B.cols() == 0) return A;
  if (A.cols() == 0) return B;
  SparseMatrix result(A.rows(), A.cols() + B.cols());
  result.leftCols(A.cols()) = A;
  result.rightCols(B.cols()) = B;
  return result;
}

Vector stacked(const Vector& a, const Vector& b) {
  Vector result(a.size() + b.size());
  result << a, b;
  return result;
}

Constraints constraints(const Model& model, const State& state, const JointRows& joints,
                        const std::vector<Touch>& closed) {
  Constraints result;
  const TouchRows normals = touch_rows(model, state, closed);
  Vector gaps(static_cast<Index>(closed.size()));
  for (std::size_t i = 0; i < closed.size(); ++i) gaps[static_cast<Index>(i)] = closed[i].point.gap;
  result.C = side_by_side(joints.J, normals.W);
  result.MinvC = model.M().solve(result.C);
  result.value = stacked(joints.value, gaps);
  result.drift = stacked(joints.drift, normals.drift);
  result.joints = joints.J.cols();
  return result;
}

/// C'M^-1 C x = r, by least norm where constraints are redundant.
Vector solve_schur(const Constraints& constraints, const Vector& r) {
  const Matrix S = Matrix(constraints.C.transpose() * constraints.MinvC);
  const Vector scale = unit_scale(S.diagonal());
  const Matrix unit = scale.asDiagonal() * S * scale.asDiagonal();
  const Eigen::LLT<Matrix> factor(unit);
  const Vector scaled = scale.asDiagonal() * r;
  if (factor.info() == Eigen::Success && factor.matrixLLT().diagonal().cwiseAbs2().minCoeff() > kPivot)
    return scale.asDiagonal() * factor.solve(scaled);
  Eigen::CompleteOrthogonalDecomposition<Matrix> rank_revealing;
  rank_revealing.setThreshold(kPivot);
  rank_revealing.compute(unit);
  return scale.asDiagonal() * rank_revealing.solve(scaled);
}

}  // namespace

Reactions react(const Model& model, const State& state, const std::vector<Touch>& closed) {
  const Forces acting = forces(model, state);
  Reactions result{model.M().solve(acting.h), {}, {}, acting.work_rate, acting.damping_rate};
  const JointRows joints = joint_rows(model, state);
  if (joints.J.cols() == 0 && closed.empty()) return result;
  const Constraints all = constraints(model, state, joints, closed);
  const Vector bias = stacked(joints.bias, touch_bias(model, state, closed));
  const Vector lambda = solve_schur(all, -(all.C.transpose() * result.acceleration + bias));
  result.acceleration += all.MinvC * lambda;
  result.work_rate -= all.drift.dot(lambda);
  result.joints = lambda.head(all.joints);
  result.contacts = lambda.tail(lambda.size() - all.joints);
  return result;
}

Vector contact_forces(const Model& model, const State& state, const std::vector<Touch>& touching) {
  if (touching.empty()) return {};
  const Reactions free = react(model, state, {});
  const TouchRows normals = touch_rows(model, state, touching);
  const Vector bias = touch_bias(model, state, touching);
  const Joints joints(model.M(), joint_rows(model, state).J);
  const SparseMatrix MinvW = joints.project(model.M().solve(normals.W));
  const SparseMatrix G = normals.W.transpose() * MinvW;
  const Vector terms = normals.W.cwiseAbs().transpose() * free.acceleration.cwiseAbs() + bias.cwiseAbs();
  return numerics::solve_lcp(G, normals.W.transpose() * free.acceleration + bias, terms).x;
}

Followed follow(const Model& model, const State& state, const std::vector<Touch>& touches) {
  Followed result;
  std::vector<Touch> found;
  for (const Touch& touch : touches) {
    found.clear();
    find_touches(model, state, touch.pair, std::numeric_limits<double>::infinity(), found);
    const Touch* here = &found.front();
    bool same = false;
    for (const Touch& one : found)
      if (one.same_as(touch)) {
        here = &one;
        same = true;
      }
    result.lost = result.lost || !same;
    result.touches.push_back(*here);
  }
  return result;
}

void project_velocity(const Model& model, State& state, const std::vector<Touch>& closed) {
  const Constraints all = constraints(model, state, joint_rows(model, state), closed);
  if (all.C.cols() == 0) return;
  state.u += all.MinvC * solve_schur(all, -(all.C.transpose() * state.u + all.drift));
}

double project(const Model& model, State& state, const std::vector<Touch>& closed) {
  double error = 0;
  if (model.description().joints.empty() && closed.empty()) return error;
  for (int step = 0; step < kNewtonSteps; ++step) {
    const std::vector<Touch> here = follow(model, state, closed).touches;
    const Constraints all = constraints(model, state, joint_rows(model, state), here);
    if (all.C.cols() == 0) return error;
    const double left = all.value.cwiseAbs().maxCoeff();
    if (step == 0) error = left;
    const Vector move = all.MinvC * solve_schur(all, -all.value);
    model.displace(state.q, move);
    if (move.cwiseAbs().maxCoeff() <= kPrecision * state.q.cwiseAbs().maxCoeff()) break;
  }
  project_velocity(model, state, follow(model, state, closed).touches);
  return error;
}

}  // namespace carom
