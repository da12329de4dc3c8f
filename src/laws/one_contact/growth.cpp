#include "carom/laws/one_contact/growth.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/laws/one_contact/friction_disc.h"
#include "carom/numerics/cone_minimum.h"
#include "carom/numerics/decompositions.h"

namespace carom::one_contact {
namespace {

constexpr double kNoGrowth = 1e-12;  // of what forces do, relative to the terms it is summed from: rounding
constexpr double kSurely = 1e-9;     // of entries of C, scaled to about 1: beyond doubt
constexpr double kHeld = 1e-13;      // of the forces: a change of friction that ends the sweeps
constexpr int kSweeps = 40;          // over contacts that stick
constexpr Index kMostOfCone = 8;     // contacts whose cone of forces is searched face by face
constexpr Index kMostProven = 100;   // contacts whose matrix is looked at

bool slips(const ClosingContact& contact) {
  return contact.tangents > 0 && !contact.c_t().isZero(0);
}

bool may_stick(const ClosingContact& contact) {
  return contact.tangents > 0 && contact.mu_s > 0 && contact.c_t().isZero(0);
}

/// H_ij = min(C_ij, C_ji) is strictly copositive. Where no contact gives back more work than it took,
///   0 >= sum_i int gamma_i dP_i = P'gamma_0 + sum_ij C_ij int P_j dP_i >= P'gamma_0 + 1/2 P'H P,
/// because 0 <= int P_j dP_i <= P_i P_j.
bool is_bound_by_energy(const Matrix& C) {
  const Matrix H = C.cwiseMin(C.transpose());
  if (numerics::symmetric_spectrum(H).values[0] > kSurely) return true;
  if (H.diagonal().minCoeff() <= kSurely || H.rows() > kMostOfCone) return false;
  const Matrix identity = Matrix::Identity(H.rows(), H.rows());
  return numerics::least_on_cone(H, identity, identity).value().value > kSurely;
}

}  // namespace

Growth::Growth(const ContactProblem& problem, const std::vector<Index>& group) : all_(problem.size()) {
  std::vector<Index> rows;
  eta_ = std::numeric_limits<double>::infinity();
  for (const Index i : group) {
    const ClosingContact contact = seen_alone(problem, i);
    if (contact.c_n() != 0 || !(contact.B_nn() > 0)) continue;
    at_rest_.push_back(contact);
    eta_ = std::min(eta_, problem.contacts()[i].eta);
    first_.push_back(static_cast<Index>(rows.size()));
    for (Index t = 0; t <= contact.tangents; ++t) rows.push_back(contact.row + t);
  }
  G_.resize(static_cast<Index>(rows.size()), static_cast<Index>(rows.size()));
  for (Index a = 0; a < G_.rows(); ++a)
    for (Index b = 0; b < G_.cols(); ++b) G_(a, b) = problem.G.coeff(rows[a], rows[b]);
  scale_.resize(size());
  stiffness_.setZero(size());
  returned_.resize(size());
  for (Index j = 0; j < size(); ++j) {
    scale_[j] = std::sqrt(at_rest_[j].B_nn());
    const Contact& own = problem.contacts()[at_rest_[j].contact];
    if (own.eta == eta_) stiffness_[j] = own.k;
    returned_[j] = 1 + (own.e_of ? 1 : own.e);
  }
}

/// C_ij of contacts that slip; of those that do not, with the friction that presses contact i most.
double Growth::least_pressed(Index i, Index j) const {
  const ClosingContact& contact = at_rest_[j];
  const auto across = G_.row(first_[i]).segment(first_[j] + 1, contact.tangents);
  const double normal = G_(first_[i], first_[j]);
  if (!slips(contact)) return normal - contact.mu_s * across.norm();
  return normal - contact.mu * across.dot(contact.c_t().head(contact.tangents)) / contact.c_t().norm();
}

Matrix Growth::scaled_C() const {
  Matrix C(size(), size());
  for (Index j = 0; j < size(); ++j)
    for (Index i = 0; i < size(); ++i) C(i, j) = least_pressed(i, j) / (scale_[i] * scale_[j]);
  return C;
}

/// P <= (1 + e) P_c, and when a contact is compressed for the last time, gamma_i <= 0, it has had its P_c,i:
///   C_ii P_c,i <= -gamma_0,i + sum_j max(-C_ij, 0) (1 + e_j) P_c,j   over the others,
/// which bounds all of them if the matrix of P_c is an M-matrix: it takes some x > 0 to one.
bool Growth::is_bound_by_impulses(const Matrix& C) const {
  Matrix A = C.cwiseMin(0) * returned_.asDiagonal();
  A.diagonal() = C.diagonal();
  if (A.diagonal().minCoeff() <= kSurely) return false;
  const Vector x = numerics::PivotedQr(A).solve(Vector::Ones(size()));
  return x.minCoeff() > 0 && (A * x).minCoeff() > 0.5;
}

bool Growth::nothing_grows(Restitution restitution) const {
  if (std::none_of(at_rest_.begin(), at_rest_.end(), [](const auto& one) { return one.mu > 0 && slips(one); }))
    return true;
  if (size() > kMostProven) return false;
  const Matrix C = scaled_C();
  return is_bound_by_impulses(C) || (restitution == Restitution::stronge && is_bound_by_energy(C));
}

bool Growth::grows_one_way() const {
  const Index n = size();
  if (n > kMostProven || std::any_of(at_rest_.begin(), at_rest_.end(), may_stick)) return false;
  const Matrix A = -scaled_C();
  if (!(A.minCoeff() > kSurely) || !(stiffness_.minCoeff() > 0)) return false;
  double ratio = 1;  // C_ik C_jl / (C_jk C_il)
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const Eigen::ArrayXd quotient = A.row(i).array() / A.row(j).array();
      ratio = std::max(ratio, quotient.maxCoeff() / quotient.minCoeff());
    }
  return eta_ * std::tanh(std::log(ratio) / 4) < 1;
}

Vector Growth::accelerations(const Vector& d) const {
  const Vector forces = stiffness_.array() * (scale_.array() * d.array()).pow(eta_);
  Vector rows = Vector::Zero(G_.rows());
  for (Index j = 0; j < size(); ++j) {
    const ClosingContact& contact = at_rest_[j];
    rows[first_[j]] = forces[j];
    if (slips(contact))
      rows.segment(first_[j] + 1, contact.tangents) =
          -contact.mu * forces[j] / contact.c_t().norm() * contact.c_t().head(contact.tangents);
  }
  hold(forces, rows);
  Vector result(size());
  for (Index i = 0; i < size(); ++i) {
    const double sum = -G_.row(first_[i]).dot(rows), terms = G_.row(first_[i]).cwiseAbs().dot(rows.cwiseAbs());
    result[i] = sum > kNoGrowth * terms ? sum / scale_[i] : 0;
  }
  return result;
}

Vector Growth::speeds(const Vector& d) const {
  Vector result = Vector::Zero(all_);
  for (Index i = 0; i < size(); ++i) result[at_rest_[i].contact] = scale_[i] * d[i];
  return result;
}

/// Adds the friction of contacts without slip, one after the other until nothing changes.
void Growth::hold(const Vector& forces, Vector& rows) const {
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double change = 0;
    for (Index j = 0; j < size(); ++j) {
      const ClosingContact& contact = at_rest_[j];
      const Index row = first_[j] + 1, tangents = contact.tangents;
      if (!may_stick(contact) || !(forces[j] > 0)) continue;
      const Vector old = rows.segment(row, tangents);
      rows.segment(row, tangents).setZero();
      Eigen::Vector2d q = Eigen::Vector2d::Zero();
      for (Index t = 0; t < tangents; ++t) q[t] = G_.row(row + t).dot(rows);
      FrictionDisc held = friction_on_disc(contact.B_tt(), q, contact.mu_s * forces[j]);
      if (!held.sticks) held = friction_on_disc(contact.B_tt(), q, contact.mu * forces[j]);
      rows.segment(row, tangents) = held.P.head(tangents);
      change = std::max(change, (rows.segment(row, tangents) - old).cwiseAbs().maxCoeff() / forces.maxCoeff());
    }
    if (change <= kHeld) return;
  }
}

int surely_moves(const ContactProblem& problem, Index j, Index i) {
  const ClosingContact pushing = seen_alone(problem, j), moved = seen_alone(problem, i);
  Eigen::Vector3d G = Eigen::Vector3d::Zero();
  for (Index t = 0; t <= pushing.tangents; ++t) G[t] = problem.G.coeff(moved.row, pushing.row + t);
  const double friction = G.tail<2>().norm(), slip = pushing.c_t().norm();
  const double middle = slip > 0 ? G[0] - pushing.mu * G.tail<2>().dot(pushing.c_t()) / slip : G[0];
  const double range = slip > 0 ? 0 : pushing.mu_s * friction;
  const double rounding = kSurely * std::sqrt(moved.B_nn() * pushing.B_nn());
  if (middle - range > rounding) return 1;
  return middle + range < -rounding ? -1 : 0;
}

}  // namespace carom::one_contact
