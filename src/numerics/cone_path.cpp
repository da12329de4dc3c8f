#include "carom/numerics/cone_path.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/numerics/decompositions.h"

namespace carom::numerics {
namespace {

constexpr double kSoftness = 1e-7;       // added to the diagonal of A: redundant contacts share what they carry
constexpr double kOnPath = 1e-11;        // what may be left of the equations, relative to x
constexpr double kStalled = 10;          // times that, if rounding stops the corrections
constexpr double kPieceEnd = 1e-10;      // a margin that is none, relative to x
constexpr double kFirstStep = 1e-3;      // of a piece, at least; relative to x
constexpr double kLongestStep = 0.25;    // relative to x
constexpr double kShortestStep = 1e-14;  // relative to x
constexpr double kFarOff = 0.25;         // of a step: a correction that may have led to another path
constexpr double kSlow = 0.05;           // of the equations: what a correction by an old derivative may leave
constexpr int kCorrections = 8;          // of a step
constexpr int kFreshDerivatives = 4;     // among them
constexpr int kTrials = 60;              // of the length of a step
constexpr double kMostWork = 2e11;       // multiplications, about a minute
constexpr double kRunsAway = 1e12;       // an x that large is on its way to infinity: there is no end
constexpr int kStepsPerContact = 200;    // of the path
constexpr double kNearer = 0.1;          // of the push at the last attempt to finish
constexpr double kUnevenness = 0.1;      // of the push: equal contacts must not change at the same place
constexpr double kGoldenRatio = 0.61803398874989485;

struct Contact {
  FrictionCone cone;
  double push = 1;
  bool carries = false, slips = true;

  bool is_idle() const { return !carries && cone.least == 0; }
  bool may_stick() const { return cone.tangents > 0 && cone.mu > 0 && !cone.slides() && !is_idle(); }
};

/// A contact's equations in its piece, and their derivative: by its own unknowns, by w, and by s.
struct Piece {
  Eigen::Vector3d residual = Eigen::Vector3d::Zero();
  Eigen::Matrix3d own = Eigen::Matrix3d::Identity(), across = Eigen::Matrix3d::Zero();
  double by_push = 0;
};

/// How far a contact is within its piece, and how that changes along the path.
struct Margin {
  double value = std::numeric_limits<double>::infinity(), rate = 0;
};

class Path {
 public:
  Path(const Matrix& A, const Vector& q, const std::vector<FrictionCone>& cones)
      : A_(A), q_(q), z_(Vector::Zero(q.size() + 1)), along_(Vector::Zero(q.size() + 1)) {
    double phase = 0;
    for (const FrictionCone& cone : cones) {
      phase += kGoldenRatio;
      contacts_.push_back({cone, 1 + kUnevenness * (phase - std::floor(phase))});
      const double sideways = q.segment(cone.row + 1, cone.tangents).norm();
      if (contacts_.back().may_stick()) contacts_.back().slips = sideways > 0;
      start_ = std::max(start_, (cone.mu * sideways - q[cone.row]) / contacts_.back().push);
    }
    start_ = start_ > 0 ? (1 + kUnevenness) * start_ : 1;  // for no larger push does any contact carry, x'Ax >= 0
    z_[size()] = start_;
    along_[size()] = -1;
  }

  bool follow(const std::function<bool(const Vector&)>& finish) {
    double tried = start_;
    for (std::size_t step = 0; step < kStepsPerContact * (10 + contacts_.size()); ++step) {
      if (!turn() || !advance() || work_ > kMostWork || scale() > kRunsAway) return false;
      if (push() > kNearer * tried) continue;
      tried = push();
      if (finish(z_.head(size()))) return true;
      if (push() <= kPieceEnd * scale()) return false;
    }
    return false;
  }

 private:
  Index size() const { return q_.size(); }
  double push() const { return z_[size()]; }
  double scale() const { return std::max(1.0, z_.head(size()).cwiseAbs().maxCoeff()); }
  double least(const Contact& contact, double push) const { return contact.cone.least * (1 - push / start_); }

  /// How w changes with x and the push.
  Vector response(const Vector& z) const {
    Vector w = kSoftness * z.head(size());
    w.noalias() += A_ * z.head(size());
    for (const Contact& contact : contacts_) w[contact.cone.row] += contact.push * z[size()];
    return w;
  }

  Piece piece(const Contact& contact, const Vector& z, const Vector& w) const {
    const FrictionCone& cone = contact.cone;
    const Index n = cone.row, k = cone.tangents;
    Piece piece;
    if (contact.carries) {
      piece.residual[0] = w[n];
      piece.own(0, 0) = 0;
      piece.across(0, 0) = 1;
      piece.by_push = contact.push;
    } else {
      piece.residual[0] = z[n] - least(contact, z[size()]);
      piece.by_push = cone.least / start_;
    }
    if (!contact.slips) {
      for (Index i = 1; i <= k; ++i) {
        piece.residual[i] = w[n + i];
        piece.own(i, i) = 0;
        piece.across(i, i) = 1;
      }
      return piece;
    }
    Eigen::Vector2d direction(cone.slide[0], cone.slide[1]);  // of the slip
    if (contact.may_stick()) {
      direction.setZero();
      direction.head(k) = w.segment(n + 1, k) - z.segment(n + 1, k);
      const double length = direction.norm(), turning = cone.mu * z[n] / length;
      direction /= length;
      for (Index i = 0; i < k; ++i)
        for (Index t = 0; t < k; ++t) {
          const double part = turning * ((i == t ? 1 : 0) - direction[i] * direction[t]);
          piece.own(1 + i, 1 + t) -= part;
          piece.across(1 + i, 1 + t) += part;
        }
    }
    for (Index i = 0; i < k; ++i) {
      piece.own(1 + i, 0) = cone.mu * direction[i];
      piece.residual[1 + i] = z[n + 1 + i] + z[n] * piece.own(1 + i, 0);
    }
    return piece;
  }

  /// What is left of the equations, in `rows_`.
  Vector residual(const Vector& z) const {
    const Vector w = response(z) + q_;
    Vector F = Vector::Zero(active() + 1);
    Index first = 0;
    for (const Contact& contact : contacts_) {
      if (contact.is_idle()) continue;
      const Index k = 1 + contact.cone.tangents;
      F.segment(first, k) = piece(contact, z, w).residual.head(k);
      first += k;
    }
    return F;
  }

  /// The derivative in `rows_` and by the push; the last row looks along the path.
  void factor(const Vector& z) {
    const Vector w = response(z) + q_;
    Matrix derivative = Matrix::Zero(active() + 1, active() + 1);
    Index first = 0;
    for (const Contact& contact : contacts_) {
      if (contact.is_idle()) continue;
      const Index n = contact.cone.row, k = 1 + contact.cone.tangents;
      const Piece piece = this->piece(contact, z, w);
      for (Index j = 0; j < active(); ++j)
        derivative.col(j).segment(first, k) = piece.across.topLeftCorner(k, k) * A_.col(rows_[j]).segment(n, k);
      derivative.block(first, first, k, k) += (piece.own + kSoftness * piece.across).topLeftCorner(k, k);
      derivative(first, active()) = piece.by_push;
      first += k;
    }
    for (Index j = 0; j < active(); ++j) derivative(active(), j) = along_[rows_[j]];
    derivative(active(), active()) = along_[size()];
    factor_.compute(derivative);
    work_ += std::pow(static_cast<double>(active()), 3) / 3;
  }

  Index active() const { return static_cast<Index>(rows_.size()); }

  void spread(const Vector& change, Vector& z) const {
    for (Index j = 0; j < active(); ++j) z[rows_[j]] += change[j];
    z[size()] += change[active()];
  }

  /// Into the direction of the path in the present piece: the one in which the determinant keeps its sign.
  bool turn() {
    rows_.clear();
    for (const Contact& contact : contacts_)
      for (Index row = contact.cone.row; row <= contact.cone.row + contact.cone.tangents; ++row)
        if (!contact.is_idle()) rows_.push_back(row);
    factor(z_);
    const Vector direction = factor_.solve(Vector(Vector::Unit(active() + 1, active())));
    const double length = direction.norm();
    if (!(length > 0) || !std::isfinite(length)) return false;
    const bool is_positive = factor_.has_positive_determinant();
    along_.setZero();
    spread(direction / (is_positive ? -length : length), along_);  // negative at the start, where s falls
    return true;
  }

  /// Back to the path, across it.
  bool correct(Vector& z, bool has_derivative) {
    const double enough = kOnPath * scale();
    double before = std::numeric_limits<double>::infinity();
    for (int i = 0, fresh = 0; i <= kCorrections; ++i) {
      const Vector F = residual(z);
      const double left = F.cwiseAbs().maxCoeff();
      if (left <= enough) return true;
      if (!(left < before)) return left <= kStalled * enough;
      if ((left > kSlow * before || !has_derivative) && fresh++ < kFreshDerivatives) factor(z);
      has_derivative = true;
      before = left;
      spread(factor_.solve(Vector(-F)), z);
    }
    return false;
  }

  /// Two a contact: of carrying or not, of slip or stick; and one until the end.
  std::vector<Margin> margins(const Vector& z) const {
    const Vector w = response(z) + q_, change = response(along_);
    std::vector<Margin> margins(2 * contacts_.size() + 1);
    Margin* margin = margins.data();
    for (const Contact& contact : contacts_) {
      const FrictionCone& cone = contact.cone;
      const Index n = cone.row, k = cone.tangents;
      const double sign = contact.carries ? 1 : -1;
      margin->value = sign * (z[n] - w[n] - least(contact, z[size()]));
      margin->rate = sign * (along_[n] - change[n] + along_[size()] * cone.least / start_);
      ++margin;
      if (contact.may_stick()) {
        const Vector aim = z.segment(n + 1, k) - w.segment(n + 1, k);
        const double length = aim.norm(), side = contact.slips ? 1 : -1;
        const Vector turn = along_.segment(n + 1, k) - change.segment(n + 1, k);
        margin->value = side * (length - cone.mu * z[n]);
        margin->rate = side * ((length > 0 ? aim.dot(turn) / length : turn.norm()) - cone.mu * along_[n]);
      }
      ++margin;
    }
    *margin = {z[size()], along_[size()]};
    return margins;
  }

  /// To the end of the piece, or as far as the path is straight enough.
  bool advance() {
    const double none = kPieceEnd * scale();
    const std::vector<Margin> before = margins(z_);
    step_ = std::clamp(step_, kFirstStep * scale(), kLongestStep * scale());
    double length = step_;
    for (const Margin& margin : before)
      if (margin.rate < 0) length = std::min(length, std::max(margin.value, 0.0) / -margin.rate);
    bool has_derivative = true;
    for (int trial = 0; trial < kTrials && length > kShortestStep * scale(); ++trial) {
      const Vector ahead = z_ + length * along_;
      Vector z = ahead;
      if (!correct(z, has_derivative) || (z - ahead).norm() > kFarOff * length + none) {
        has_derivative = false;
        length *= 0.5;
        step_ = length;
        continue;
      }
      const std::vector<Margin> after = margins(z);
      double part = 1;  // of the step, to where the first contact leaves its piece
      for (std::size_t i = 0; i < after.size(); ++i)
        if (after[i].value < -none)
          part = std::min(part, before[i].value > none ? before[i].value / (before[i].value - after[i].value) : 0.5);
      if (part < 1) {
        length *= part;
        continue;
      }
      z_ = z;
      bool is_within = true;
      for (std::size_t i = 0; i / 2 < contacts_.size(); ++i) {
        if (after[i].value > none || after[i].rate >= 0) continue;
        change_piece(contacts_[i / 2], i % 2 == 0);
        is_within = false;
      }
      if (is_within && length == step_) step_ *= 2;
      return true;
    }
    return false;
  }

  void change_piece(Contact& contact, bool carrying) {
    const FrictionCone& cone = contact.cone;
    if (!carrying) {
      contact.slips = !contact.slips;
      return;
    }
    contact.carries = !contact.carries;
    if (cone.least > 0) return;
    z_.segment(cone.row, 1 + cone.tangents).setZero();
    contact.slips = true;
    if (contact.may_stick()) contact.slips = (response(z_) + q_).segment(cone.row + 1, cone.tangents).norm() > 0;
  }

  const Matrix& A_;
  const Vector& q_;
  std::vector<Contact> contacts_;
  double start_ = 0;  // the largest push
  Vector z_, along_;  // x and the push, and the unit direction of the path
  double step_ = 0;
  double work_ = 0;          // multiplications for factors
  std::vector<Index> rows_;  // of x, of contacts that are not idle
  Lu factor_;
};

}  // namespace

bool trace_cone_path(const Matrix& A, const Vector& q, const std::vector<FrictionCone>& cones,
                     const std::function<bool(const Vector& x)>& finish) {
  return Path(A, q, cones).follow(finish);
}

}  // namespace carom::numerics
