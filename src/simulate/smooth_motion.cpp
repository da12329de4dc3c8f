#include "simulate/smooth_motion.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <limits>
#include <utility>

#include "impact/joints.h"
#include "numerics/cone_problem.h"
#include "numerics/lcp.h"
#include "numerics/sparse_columns.h"

namespace carom {
namespace {

constexpr double kPivot = 1e-10;      // of a squared pivot of the unit-diagonal C'M^-1 C: below it, least norm
constexpr double kNoGain = 1e-9;      // of the accelerations around: tangential ones below it are none
constexpr int kNewtonSteps = 4;       // on the positions
constexpr double kPrecision = 1e-14;  // relative step at which Newton's method is done

/// All bilateral constraints at one state, C'u + drift = 0, and the directions F that their forces act in.
struct Constraints {
  SparseMatrix C, MinvF;
  Vector value, drift;
  Index joints = 0;           // the first so many columns
  TouchRows rows;             // of all contacts, with the tangents of those that rub
  SparseMatrix kept, spread;  // (rows x contact constraints) the rows that are constraints, those of their forces
  bool symmetric = true;      // F = C
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

std::vector<char> rubbing(const std::vector<Hold>& holds) {
  std::vector<char> along;
  along.reserve(holds.size());
  for (const Hold& hold : holds) along.push_back(hold.mu > 0 && hold.grip != Grip::smooth);
  return along;
}

/// The unit direction of slip now.
Vector3 slip_direction(const Model& model, const State& state, const Touch& touch, const Hold& hold) {
  const Vector3& normal = touch.point.normal;
  const Vector3 along = hold.heading - normal.dot(hold.heading) * normal;
  if (model.dimension() == Dimension::plane || hold.starting) return along.normalized();
  const Vector3 slip = slip_velocity(model, state, touch);
  return slip.norm() > 0 ? slip.normalized() : along.normalized();
}

/// Slip is no constraint: what projects velocities leaves it alone.
std::vector<Hold> without_slip(std::vector<Hold> holds) {
  for (Hold& hold : holds)
    if (hold.grip == Grip::slip) hold = {};
  return holds;
}

struct Selection {
  SparseMatrix kept, spread;  // (rows x constraints)
  bool symmetric = true;
};

/// Which rows of the contacts are constraints, and the rows that their forces act in.
Selection select(const Model& model, const State& state, const std::vector<Touch>& closed,
                 const std::vector<Hold>& holds, const TouchRows& rows) {
  std::vector<Eigen::Triplet<double>> kept, spread;
  Selection result;
  Index count = 0;
  for (std::size_t i = 0; i < closed.size(); ++i) {
    const Index row = rows.row[i];
    kept.emplace_back(row, count, 1);
    spread.emplace_back(row, count, 1);
    ++count;
    if (holds[i].mu <= 0 || holds[i].grip == Grip::smooth) continue;
    const Eigen::Matrix3Xd tangents = tangents_of(closed[i].point.normal, model.dimension());
    if (holds[i].grip == Grip::slip) {
      const Vector pull = -holds[i].mu * tangents.transpose() * slip_direction(model, state, closed[i], holds[i]);
      for (Index t = 0; t < pull.size(); ++t) spread.emplace_back(row + 1 + t, count - 1, pull[t]);
      result.symmetric = false;
      continue;
    }
    for (Index t = 0; t < tangents.cols(); ++t, ++count) {
      kept.emplace_back(row + 1 + t, count, 1);
      spread.emplace_back(row + 1 + t, count, 1);
    }
  }
  result.kept = numerics::by_columns(rows.drift.size(), count, kept);
  result.spread = numerics::by_columns(rows.drift.size(), count, spread);
  return result;
}

Constraints constraints(const Model& model, const State& state, const JointRows& joints,
                        const std::vector<Touch>& closed, const std::vector<Hold>& holds) {
  Constraints result;
  result.rows = touch_rows(model, state, closed, rubbing(holds));
  Selection selection = select(model, state, closed, holds, result.rows);
  Vector gaps = Vector::Zero(result.rows.drift.size());
  for (std::size_t i = 0; i < closed.size(); ++i) gaps[result.rows.row[i]] = closed[i].point.gap;
  const SparseMatrix& W = result.rows.W;
  result.C = side_by_side(joints.J, SparseMatrix(W * selection.kept));
  result.symmetric = selection.symmetric;
  result.MinvF =
      model.M().solve(result.symmetric ? result.C : side_by_side(joints.J, SparseMatrix(W * selection.spread)));
  result.value = stacked(joints.value, selection.kept.transpose() * gaps);
  result.drift = stacked(joints.drift, selection.kept.transpose() * result.rows.drift);
  result.joints = joints.J.cols();
  result.kept.swap(selection.kept);
  result.spread.swap(selection.spread);
  return result;
}

/// C'M^-1 F x = r, by least norm where constraints are redundant.
Vector solve_schur(const Constraints& constraints, const Vector& r) {
  const Matrix S = Matrix(constraints.C.transpose() * constraints.MinvF);
  const Vector scale = unit_scale(S.diagonal().cwiseAbs());
  const Matrix unit = scale.asDiagonal() * S * scale.asDiagonal();
  const Vector scaled = scale.asDiagonal() * r;
  if (constraints.symmetric) {
    const Eigen::LLT<Matrix> factor(unit);
    if (factor.info() == Eigen::Success && factor.matrixLLT().diagonal().cwiseAbs2().minCoeff() > kPivot)
      return scale.asDiagonal() * factor.solve(scaled);
  }
  Eigen::CompleteOrthogonalDecomposition<Matrix> rank_revealing;
  rank_revealing.setThreshold(kPivot);
  rank_revealing.compute(unit);
  return scale.asDiagonal() * rank_revealing.solve(scaled);
}

}  // namespace

Reactions react(const Model& model, const State& state, const std::vector<Touch>& closed,
                const std::vector<Hold>& holds) {
  const Forces acting = forces(model, state);
  Reactions result{model.M().solve(acting.h), {}, {}, {}, acting.work_rate, acting.damping_rate, 0};
  const JointRows joints = joint_rows(model, state);
  if (joints.J.cols() == 0 && closed.empty()) return result;
  const Constraints all = constraints(model, state, joints, closed, holds);
  const Vector bias = stacked(joints.bias, all.kept.transpose() * touch_bias(model, state, closed, rubbing(holds)));
  const Vector lambda = solve_schur(all, -(all.C.transpose() * result.acceleration + bias));
  result.acceleration += all.MinvF * lambda;
  result.joints = lambda.head(all.joints);
  const Vector force = all.spread * lambda.tail(lambda.size() - all.joints);  // (rows)
  result.work_rate -= joints.drift.dot(result.joints) + all.rows.drift.dot(force);
  result.contacts.resize(static_cast<Index>(closed.size()));
  for (std::size_t i = 0; i < closed.size(); ++i) {
    const Index row = all.rows.row[i];
    result.contacts[static_cast<Index>(i)] = force[row];
    result.friction.emplace_back(Vector3::Zero());
    if (holds[i].mu <= 0 || holds[i].grip == Grip::smooth) continue;
    const Eigen::Matrix3Xd tangents = tangents_of(closed[i].point.normal, model.dimension());
    result.friction.back() = tangents * force.segment(row + 1, tangents.cols());
    if (holds[i].grip == Grip::slip)
      result.friction_rate -= result.friction.back().dot(slip_velocity(model, state, closed[i]));
  }
  return result;
}

namespace {

/// The cones of contacts that touch; those that slip have their direction.
std::vector<numerics::FrictionCone> cones_of(const Model& model, const State& state, const std::vector<Touch>& touching,
                                             const std::vector<Hold>& holds, const TouchRows& rows) {
  std::vector<numerics::FrictionCone> cones;
  for (std::size_t i = 0; i < touching.size(); ++i) {
    numerics::FrictionCone cone{.row = rows.row[i], .tangents = 0, .mu = holds[i].mu, .least = 0, .slide = {}};
    if (holds[i].mu > 0) {
      const Eigen::Matrix3Xd tangents = tangents_of(touching[i].point.normal, model.dimension());
      cone.tangents = static_cast<int>(tangents.cols());
      if (holds[i].grip == Grip::slip) {
        const Vector along = tangents.transpose() * slip_direction(model, state, touching[i], holds[i]);
        for (Index t = 0; t < along.size(); ++t) cone.slide[static_cast<std::size_t>(t)] = along[t];
      }
    }
    cones.push_back(cone);
  }
  return cones;
}

}  // namespace

Closure close_contacts(const Model& model, const State& state, const std::vector<Touch>& touching,
                       std::vector<Hold> holds) {
  std::vector<char> along;
  bool rubs = false;
  for (const Hold& hold : holds) {
    along.push_back(hold.mu > 0);
    rubs = rubs || hold.mu > 0;
  }
  const Reactions free = react(model, state, {}, {});
  const TouchRows rows = touch_rows(model, state, touching, along);
  const Vector bias = touch_bias(model, state, touching, along);
  const Joints joints(model.M(), joint_rows(model, state).J);
  const SparseMatrix MinvW = joints.project(model.M().solve(rows.W));
  const SparseMatrix G = rows.W.transpose() * MinvW;
  const Vector terms = rows.W.cwiseAbs().transpose() * free.acceleration.cwiseAbs() + bias.cwiseAbs();
  const Vector q = rows.W.transpose() * free.acceleration + bias;
  if (!rubs) {
    const numerics::LcpSolution lcp = numerics::solve_lcp(G, q, terms);
    return {lcp.status != numerics::LcpStatus::infeasible, lcp.x, std::move(holds)};
  }
  const std::vector<numerics::FrictionCone> cones = cones_of(model, state, touching, holds, rows);
  const numerics::ConeSolution cone = numerics::solve_cone_problem(G, q, cones, terms);
  Closure result{cone.solved, cone.x(rows.row), std::move(holds)};
  for (std::size_t i = 0; i < touching.size(); ++i) {
    Hold& hold = result.holds[i];
    if (hold.mu <= 0 || hold.grip == Grip::slip) continue;
    const Vector gain = cone.w.segment(rows.row[i] + 1, cones[i].tangents);
    const Vector size = terms.segment(rows.row[i] + 1, cones[i].tangents);
    hold.grip = Grip::stick;
    if (gain.norm() <= kNoGain * std::max(size.norm(), terms.maxCoeff())) continue;
    hold = {hold.mu, Grip::slip, tangents_of(touching[i].point.normal, model.dimension()) * gain.normalized(), true};
  }
  return result;
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

void project_velocity(const Model& model, State& state, const std::vector<Touch>& closed,
                      const std::vector<Hold>& holds) {
  const Constraints all = constraints(model, state, joint_rows(model, state), closed, without_slip(holds));
  if (all.C.cols() == 0) return;
  state.u += all.MinvF * solve_schur(all, -(all.C.transpose() * state.u + all.drift));
}

double project(const Model& model, State& state, const std::vector<Touch>& closed, const std::vector<Hold>& holds) {
  double error = 0;
  if (model.description().joints.empty() && closed.empty()) return error;
  const std::vector<Hold> smooth(closed.size());
  for (int step = 0; step < kNewtonSteps; ++step) {
    const std::vector<Touch> here = follow(model, state, closed).touches;
    const Constraints all = constraints(model, state, joint_rows(model, state), here, smooth);
    if (all.C.cols() == 0) return error;
    const double left = all.value.cwiseAbs().maxCoeff();
    if (step == 0) error = left;
    const Vector move = all.MinvF * solve_schur(all, -all.value);
    model.displace(state.q, move);
    if (move.cwiseAbs().maxCoeff() <= kPrecision * state.q.cwiseAbs().maxCoeff()) break;
  }
  project_velocity(model, state, follow(model, state, closed).touches, holds);
  return error;
}

}  // namespace carom
