#include <fmt/format.h>

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/base/random.h"
#include "impact_generator.h"

namespace carom::soak {
namespace {

/// Contacts that touch and do not close, most of which slip, with friction that presses many of them together.
class TangentialDraft {
 public:
  explicit TangentialDraft(std::uint64_t seed) : random_(seed ^ 0x7a6e61ull) {
    impact_.seed = seed;
    impact_.tangential = true;
  }

  RandomImpact make() {
    impact_.law =
        Keller{.restitution = chance(0.3) ? one_contact::Restitution::poisson : one_contact::Restitution::stronge};
    spatial_ = chance(0.25);
    spread_ = chance(0.5) ? between(0, 0.5) : between(0, 3);
    chance(0.3) ? mirror_images() : bodies();
    if (chance(0.15)) repeat_one();
    let_slip();
    for (std::size_t i = 0; i < impact_.problem.contacts.size(); ++i) fill(static_cast<Index>(i));
    return std::move(impact_);
  }

 private:
  using Vector3 = Eigen::Vector3d;

  bool chance(double share) { return random_.uniform() < share; }
  double between(double low, double high) { return low + (high - low) * random_.uniform(); }
  Index pick(Index least, Index most) {
    return least + static_cast<Index>(random_.uniform() * static_cast<double>(most - least + 1));
  }
  Matrix matrix(Index rows, Index cols) {
    Matrix result(rows, cols);
    for (double& value : result.reshaped()) value = random_.normal();
    return result;
  }
  double mass() { return std::pow(10, between(-spread_, spread_) / 2); }
  Index size() const { return spatial_ ? 6 : 3; }
  Index wide() const { return spatial_ ? 3 : 2; }

  /// Directions of a contact at a point of a body.
  Matrix at(const Vector3& point, const Eigen::Matrix3d& axes) const {
    Matrix result(size(), wide());
    for (Index t = 0; t < wide(); ++t) {
      const Vector3 axis = axes.col(t), moment = point.cross(axis);
      if (spatial_)
        result.col(t) << axis, moment;
      else
        result.col(t) << axis.head(2), moment[2];
    }
    return result;
  }

  Eigen::Matrix3d axes() {
    if (spatial_) return Eigen::Matrix3d(matrix(3, 3)).householderQr().householderQ();
    const double angle =
        chance(0.3) ? std::numbers::pi / 2 * static_cast<double>(pick(0, 3)) : between(0, 2 * std::numbers::pi);
    Eigen::Matrix3d result = Eigen::Matrix3d::Identity();
    result.topLeftCorner(2, 2) << std::cos(angle), -std::sin(angle), std::sin(angle), std::cos(angle);
    return result;
  }

  Vector3 point() {
    Vector3 result = matrix(3, 1);
    if (!spatial_) result[2] = 0;
    return result;
  }

  void set(const char* kind, const Vector& masses, const Matrix& W) {
    impact_.kind = kind;
    impact_.problem.M = MassMatrix::diagonal(masses);
    impact_.problem.W = W.sparseView();
    for (Index j = 0; j < W.cols() / wide(); ++j)
      impact_.problem.contacts.push_back({.name = fmt::format("{}", j + 1), .tangents = static_cast<int>(wide()) - 1});
  }

  void bodies() {
    const Index count = pick(1, 3), m = pick(1, 5);
    Vector masses(size() * count);
    for (double& one : masses) one = mass();
    Matrix W = Matrix::Zero(size() * count, wide() * m);
    for (Index j = 0; j < m; ++j) {
      const Eigen::Matrix3d frame = axes();
      const Index a = pick(0, count - 1), b = pick(-1, count - 1);
      W.block(size() * a, wide() * j, size(), wide()) += at(point(), frame);
      if (b >= 0 && b != a) W.block(size() * b, wide() * j, size(), wide()) -= at(point(), frame);
    }
    set("slip of bodies", masses, W);
  }

  /// Equal bodies on the floor, each with feet that the others have too, and contacts between neighbours.
  void mirror_images() {
    const Index count = pick(1, 3), feet = pick(1, 2);
    Vector one(size());
    for (double& entry : one) entry = mass();
    std::vector<Vector3> places;
    for (Index k = 0; k < feet; ++k) places.push_back(point());
    const Eigen::Matrix3d frame = axes();
    const Index links = count > 1 && chance(0.6) ? count - 1 : 0;
    Vector masses(size() * count);
    Matrix W = Matrix::Zero(size() * count, wide() * (count * feet + links));
    Index column = 0;
    for (Index body = 0; body < count; ++body) {
      masses.segment(size() * body, size()) = one;
      for (const Vector3& place : places) {
        W.block(size() * body, column, size(), wide()) = at(place, frame);
        column += wide();
      }
    }
    const Vector3 near = point(), far = point();
    const Eigen::Matrix3d between_them = axes();
    for (Index body = 0; body < links; ++body, column += wide()) {
      W.block(size() * body, column, size(), wide()) = -at(near, between_them);
      W.block(size() * (body + 1), column, size(), wide()) = at(far, between_them);
    }
    set("slip of equal bodies", masses, W);
    common_ = true;
  }

  void repeat_one() {
    ImpactProblem& problem = impact_.problem;
    const Matrix W = problem.W;
    const Index one = pick(0, static_cast<Index>(problem.contacts.size()) - 1);
    Matrix more(W.rows(), W.cols() + wide());
    more << W, W.middleCols(wide() * one, wide());
    problem.W = more.sparseView();
    problem.contacts.push_back(problem.contacts[one]);
    problem.contacts.back().name = fmt::format("{}", problem.contacts.size());
  }

  /// The velocity of least kinetic distance from a random one at which contacts rest, some of them without slip.
  void let_slip() {
    ImpactProblem& problem = impact_.problem;
    const Index n = problem.M.size(), m = static_cast<Index>(problem.contacts.size());
    const Matrix W = problem.W;
    Vector u = matrix(n, 1);
    if (common_ && chance(0.7))
      for (Index body = 1; body < n / size(); ++body) u.segment(size() * body, size()) = u.head(size());
    std::vector<Index> held;
    const bool opens = chance(0.3);
    for (Index j = 0; j < m; ++j) {
      if (opens && chance(0.3)) continue;
      held.push_back(wide() * j);
      if (chance(0.15))
        for (Index t = 1; t < wide(); ++t) held.push_back(wide() * j + t);
    }
    for (Index j = 0; j < m; ++j)  // those that would close rest, too, but for a few
      if (W.col(wide() * j).dot(u) < 0 && !chance(0.1)) held.push_back(wide() * j);
    const Vector root = Vector(problem.M * Vector::Ones(n)).cwiseSqrt();
    if (!held.empty()) {
      const Matrix H = root.cwiseInverse().asDiagonal() * Matrix(W(Eigen::all, held));
      const Eigen::CompleteOrthogonalDecomposition<Matrix> factor(H);
      Vector v = root.cwiseProduct(u);
      for (int again = 0; again < 3; ++again) v -= H * factor.solve(v);  // to all digits of what is left
      u = root.cwiseInverse().cwiseProduct(v);
    }
    problem.u_minus = u * (chance(0.2) ? std::pow(10, between(-6, 6)) : 1);
  }

  void fill(Index j) {
    Contact& contact = impact_.problem.contacts[j];
    if (common_ && j > 0 && chance(0.9)) {
      const Contact& first = impact_.problem.contacts[0];
      contact.e = first.e, contact.mu = first.mu, contact.k = first.k, contact.eta = first.eta;
      return;
    }
    contact.e = chance(0.2) ? 0 : chance(0.2) ? 1 : random_.uniform();
    contact.mu = chance(0.1) ? 0 : between(0, 2);
    const double needed = mu_that_presses(j);
    if (needed > 0 && needed < 100 && chance(0.85)) contact.mu = needed * (1 + std::pow(10, between(-2, 0.7)));
    contact.k = chance(0.5) ? 1 : std::pow(10, between(-1, 1) * (chance(0.2) ? 3 : 1));
    contact.eta = chance(0.9) ? common_eta_ : std::array<double, 3>{1, 1.5, 2}[pick(0, 2)];
  }

  /// The coefficient above which friction of contact j presses it together; 0 if none does.
  double mu_that_presses(Index j) const {
    const ContactProblem reduced = reduce(impact_.problem);
    const Index row = reduced.row[j];
    const Matrix G = reduced.G;
    const Vector slip = reduced.gamma_minus.segment(row + 1, wide() - 1);
    if (!(slip.norm() > 0)) return 0;
    const double turns = G.block(row + 1, row, wide() - 1, 1).col(0).dot(slip) / slip.norm();
    return turns > 0 ? G(row, row) / turns : 0;
  }

  Random random_;
  RandomImpact impact_;
  bool spatial_ = false, common_ = false;
  double spread_ = 0;
  const double common_eta_ = std::array<double, 4>{1, 1.5, 1.5, 2}[pick(0, 3)];
};

}  // namespace

RandomImpact random_tangential_impact(std::uint64_t seed) {
  return TangentialDraft(seed).make();
}

}  // namespace carom::soak
