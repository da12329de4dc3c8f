#include "carom/simulate/smooth_motion.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "carom/numerics/sparse_columns.h"
#include "carom/simulate/shared_forces.h"

namespace carom::simulate {

Vector3 slip_direction(const Model& model, const State& state, const ContactPair& pair,
                       const TangentialState& tangential) {
  const Vector3& normal = pair.point.normal;
  const Vector3 along = tangential.heading - normal.dot(tangential.heading) * normal;
  if (model.dimension() == Dimension::plane || tangential.starting) return along.normalized();
  const Vector3 slip = slip_velocity(model, state, pair);
  return slip.norm() > 0 ? slip.normalized() : along.normalized();
}

namespace {

constexpr int kNewtonSteps = 4;       // on the positions
constexpr double kSamePlace = 1e-7;   // of the smaller body's size
constexpr double kPrecision = 1e-14;  // relative step at which Newton's method is done

/// All bilateral constraints at one state, C'u + drift = 0, and the directions F that their forces act in.
struct Constraints {
  SparseMatrix C, MinvF;
  Vector value, drift;
  Index joints = 0;           // the first so many columns
  ContactRows rows;           // of all contacts, with the tangents of those that rub
  SparseMatrix kept, spread;  // (rows x contact constraints) the rows that are constraints, those of their forces
  std::vector<ForceCone> cones;
  bool symmetric = true;  // F = C
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

std::vector<char> with_tangents(const std::vector<TangentialState>& tangential) {
  std::vector<char> along;
  along.reserve(tangential.size());
  for (const TangentialState& one : tangential) along.push_back(one.mu > 0 && one.mode != ContactMode::closed);
  return along;
}

/// Slip is no constraint: what projects velocities leaves it alone.
std::vector<TangentialState> without_slip(std::vector<TangentialState> tangential) {
  for (TangentialState& one : tangential)
    if (one.mode == ContactMode::slip) one = {};
  return tangential;
}

struct Selection {
  SparseMatrix kept, spread;     // (rows x constraints)
  std::vector<ForceCone> cones;  // by constraint
  bool symmetric = true;
};

/// Which rows of the contacts are constraints, and the rows that their forces act in.
Selection select(const Model& model, const State& state, const Mode& mode, const ContactRows& rows) {
  const auto& [closed, tangential] = mode;
  std::vector<Eigen::Triplet<double>> kept, spread;
  Selection result;
  Index count = 0;
  for (std::size_t i = 0; i < closed.size(); ++i) {
    const Index row = rows.row[i];
    kept.emplace_back(row, count, 1);
    spread.emplace_back(row, count, 1);
    result.cones.push_back({count, 0, tangential[i].bound()});
    ++count;
    if (tangential[i].mu <= 0 || tangential[i].mode == ContactMode::closed) continue;
    const Eigen::Matrix3Xd tangents = tangents_of(closed[i].point.normal, model.dimension());
    if (tangential[i].mode == ContactMode::slip) {
      const Vector pull =
          -tangential[i].mu * tangents.transpose() * slip_direction(model, state, closed[i], tangential[i]);
      for (Index t = 0; t < pull.size(); ++t) spread.emplace_back(row + 1 + t, count - 1, pull[t]);
      result.symmetric = false;
      continue;
    }
    result.cones.back().tangents = static_cast<int>(tangents.cols());
    for (Index t = 0; t < tangents.cols(); ++t, ++count) {
      kept.emplace_back(row + 1 + t, count, 1);
      spread.emplace_back(row + 1 + t, count, 1);
    }
  }
  result.kept = numerics::by_columns(rows.drift.size(), count, kept);
  result.spread = numerics::by_columns(rows.drift.size(), count, spread);
  return result;
}

Constraints constraints(const Model& model, const State& state, const JointRows& joints, const Mode& mode) {
  const auto& [closed, tangential] = mode;
  Constraints result;
  result.rows = contact_rows(model, state, closed, with_tangents(tangential));
  Selection selection = select(model, state, mode, result.rows);
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
  result.cones = std::move(selection.cones);
  for (ForceCone& cone : result.cones) cone.row += result.joints;
  result.kept.swap(selection.kept);
  result.spread.swap(selection.spread);
  return result;
}

SharedForces solve_schur(const Constraints& constraints, const Vector& r) {
  const SparseMatrix S = constraints.C.transpose() * constraints.MinvF;
  return share_forces(S, r, constraints.cones);
}

/// Which constraint forces are not determined, of joints and of contacts (one entry each).
void tell_open(const Constraints& constraints, const std::vector<char>& open, Reactions& result) {
  if (open.empty()) return;
  result.open_joints.assign(open.begin(), open.begin() + constraints.joints);
  for (const ForceCone& cone : constraints.cones)
    result.open_contacts.push_back(std::any_of(open.begin() + cone.row, open.begin() + cone.row + 1 + cone.tangents,
                                               [](char one) { return one; }));
}

/// The same without a sense: corrections may pull.
Vector solve_bilateral(const Constraints& constraints, const Vector& r) {
  return share_forces(SparseMatrix(constraints.C.transpose() * constraints.MinvF), r, {}).x;
}

}  // namespace

Reactions react(const Model& model, const State& state, const Mode& mode, const Vector& applied) {
  const auto& [closed, tangential] = mode;
  const Forces acting = acting_forces(model, state);
  Reactions result{model.M().solve(applied.size() > 0 ? Vector(acting.h + applied) : acting.h),
                   {},
                   {},
                   {},
                   acting.work_rate,
                   acting.damping_rate,
                   0,
                   {},
                   {}};
  const JointRows joints = joint_rows(model, state);
  if (joints.J.cols() == 0 && closed.empty()) return result;
  const Constraints all = constraints(model, state, joints, mode);
  const Vector bias =
      stacked(joints.bias, all.kept.transpose() * contact_bias(model, state, closed, with_tangents(tangential)));
  const SharedForces shared = solve_schur(all, -(all.C.transpose() * result.acceleration + bias));
  const Vector& lambda = shared.x;
  tell_open(all, shared.open, result);
  result.acceleration += all.MinvF * lambda;
  result.joints = lambda.head(all.joints);
  const Vector force = all.spread * lambda.tail(lambda.size() - all.joints);  // (rows)
  result.work_rate -= joints.drift.dot(result.joints) + all.rows.drift.dot(force);
  result.contacts.resize(static_cast<Index>(closed.size()));
  for (std::size_t i = 0; i < closed.size(); ++i) {
    const Index row = all.rows.row[i];
    result.contacts[static_cast<Index>(i)] = force[row];
    result.friction.emplace_back(Vector3::Zero());
    if (tangential[i].mu <= 0 || tangential[i].mode == ContactMode::closed) continue;
    const Eigen::Matrix3Xd tangents = tangents_of(closed[i].point.normal, model.dimension());
    result.friction.back() = tangents * force.segment(row + 1, tangents.cols());
    if (tangential[i].mode == ContactMode::slip)
      result.friction_rate -= result.friction.back().dot(slip_velocity(model, state, closed[i]));
  }
  return result;
}

namespace {

/// Where a touch is found again among those of the same pair; if it is not, the nearest.
struct Place {
  std::size_t index = 0;
  bool same = false;
};
Place place_of(const ContactPair& pair, const std::vector<ContactPair>& found, double distance) {
  Place nearest;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].same_as(pair)) return {i, true};
    const double apart = std::min((found[i].local_a - pair.local_a).norm(), (found[i].local_b - pair.local_b).norm());
    if (apart < least) {
      least = apart;
      nearest.index = i;
    }
  }
  nearest.same = found[nearest.index].coincides_with(pair, distance);
  return nearest;
}

}  // namespace

Tracked follow(const Model& model, const State& state, const Mode& mode) {
  Tracked result;
  std::vector<ContactPair> found;
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    const ContactPair& pair = mode.closed[i];
    if (i == 0 || !(pair.parts == mode.closed[i - 1].parts)) {
      found.clear();
      find_contact_pairs(model, state, pair.parts, std::numeric_limits<double>::infinity(), found);
    }
    const Place here = place_of(pair, found, kSamePlace * smaller_size(model, pair.parts));
    result.lost = result.lost || !here.same;
    result.mode.add(found[here.index], mode.tangential[i]);
    if (here.same) result.found.add(found[here.index], mode.tangential[i]);
  }
  return result;
}

State project_velocity(const Model& model, const State& state, const Mode& mode) {
  const Mode holding{mode.closed, without_slip(mode.tangential)};
  const Constraints all = constraints(model, state, joint_rows(model, state), holding);
  if (all.C.cols() == 0) return state;
  State result = state;
  result.u += all.MinvF * solve_bilateral(all, -(all.C.transpose() * state.u + all.drift));
  return result;
}

Projected project(const Model& model, const State& state, const Mode& mode) {
  Projected result{state, 0};
  if (model.description().joints.empty() && mode.empty()) return result;
  for (int step = 0; step < kNewtonSteps; ++step) {
    Mode smooth = follow(model, result.state, mode).found;
    smooth.tangential.assign(smooth.closed.size(), {});
    const Constraints all = constraints(model, result.state, joint_rows(model, result.state), smooth);
    if (all.C.cols() == 0) return result;
    if (step == 0) result.error = all.value.cwiseAbs().maxCoeff();
    const Vector move = all.MinvF * solve_bilateral(all, -all.value);
    model.displace(result.state.q, move);
    if (move.cwiseAbs().maxCoeff() <= kPrecision * result.state.q.cwiseAbs().maxCoeff()) break;
  }
  result.state = project_velocity(model, result.state, follow(model, result.state, mode).found);
  return result;
}

}  // namespace carom::simulate
