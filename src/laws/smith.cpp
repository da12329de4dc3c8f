#include "carom/laws/smith.h"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "carom/laws/moments.h"
#include "carom/laws/one_contact/final_slip.h"
#include "carom/numerics/root.h"

namespace carom {
namespace {

struct Solution {
  Eigen::Vector3d P;
  bool unique = true;
};

/// One tangent. Slip that keeps its sign s = sign(v) has the ratio r = P_t / P_n = -mu s; slip that changes it has
///   (r + mu s) v^2 D^2 + (r - mu s) N^2 = 0,   D = B_nn + B_nt r,  N = D w = c_t D + (B_nt + B_tt r) gain,
/// c_t being v but for what moments have changed, a cubic in r, which is solved between its extrema.
class Planar {
 public:
  explicit Planar(const one_contact::ClosingContact& contact)
      : contact_(contact),
        v_(contact.slip[0]),
        free_(contact.c[1]),
        limit_(std::copysign(contact.mu, v_)),
        gain_(contact.rebound() - contact.c_n()) {}

  std::vector<double> ratios() const {
    std::vector<double> found;
    if (opens(-limit_) > 0 && slips_on(-limit_)) found.push_back(-limit_);
    const std::vector<double> ends = monotone_pieces();
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      if ((cubic(ends[i]) < 0) == (cubic(ends[i + 1]) < 0)) continue;
      const double r = numerics::bracketed_zero([this](double x) { return cubic(x); }, ends[i], ends[i + 1]);
      if (opens(r) > 0 && !slips_on(r)) found.push_back(r);
    }
    std::sort(found.begin(), found.end(),
              [this](double a, double b) { return std::abs(a + limit_) < std::abs(b + limit_); });
    return found;
  }

 private:
  double opens(double r) const { return contact_.B(0, 0) + contact_.B(0, 1) * r; }
  double moved(double r) const { return free_ * opens(r) + (contact_.B(0, 1) + contact_.B(1, 1) * r) * gain_; }
  bool slips_on(double r) const { return moved(r) * v_ >= 0; }
  double cubic(double r) const {
    const double D = v_ * opens(r), N = moved(r);
    return (r + limit_) * D * D + (r - limit_) * N * N;
  }

  /// -mu, mu and the extrema of the cubic between them, where its slope, a parabola, vanishes.
  std::vector<double> monotone_pieces() const {
    const double mu = contact_.mu;
    const double D0 = v_ * contact_.B(0, 0), D1 = v_ * contact_.B(0, 1);
    const double N0 = moved(0), N1 = free_ * contact_.B(0, 1) + contact_.B(1, 1) * gain_;
    const double a = 3 * (D1 * D1 + N1 * N1);
    const double b = 2 * (2 * (D0 * D1 + N0 * N1) + limit_ * (D1 * D1 - N1 * N1));
    const double c = D0 * D0 + N0 * N0 + 2 * limit_ * (D0 * D1 - N0 * N1);
    std::vector<double> ends = {-mu};
    const double root = b * b - 4 * a * c;
    if (root > 0) {
      const double q = -0.5 * (b + std::copysign(std::sqrt(root), b));
      std::array<double, 2> extrema = {a != 0 ? q / a : mu, q != 0 ? c / q : mu};
      std::sort(extrema.begin(), extrema.end());
      for (const double x : extrema)
        if (x > -mu && x < mu) ends.push_back(x);
    }
    ends.push_back(mu);
    return ends;
  }

  const one_contact::ClosingContact& contact_;
  double v_, free_, limit_, gain_;  // limit = mu s
};

/// Two tangents. For a given size w of the final slip, c_t+ and P_t follow from P_n by a linear equation and P_n from
/// the rebound: a zero in P_n inside a zero in w, and both have one because P_t stays in the friction cone.
class Spatial {
 public:
  explicit Spatial(const one_contact::ClosingContact& contact)
      : contact_(contact), v_(contact.slip), speed_(v_.norm()), gain_(contact.rebound() - contact.c_n()) {}

  std::optional<Solution> solve() const {
    const auto excess = [this](double size) { return slip(size, normal_impulse(size)).norm() - size; };
    double most = speed_;
    for (int i = 0; !(excess(most) < 0); ++i, most *= 2)
      if (i == kDoublings) return std::nullopt;
    const double size = numerics::bracketed_zero(excess, 0, most), P_n = normal_impulse(size);
    const Eigen::Vector2d P_t = friction(size, P_n);
    const double rest = contact_.B_nn() * P_n + contact_.B_tn().dot(P_t) - gain_;
    if (!(std::abs(rest) <= kReached * gain_)) return std::nullopt;
    return Solution{Eigen::Vector3d(P_n, P_t[0], P_t[1]), true};
  }

 private:
  static constexpr int kDoublings = 200;
  static constexpr double kReached = 1e-9;  // of the rebound: more missing is no solution

  double weight(double size) const { return contact_.mu / (speed_ * speed_ + size * size); }

  /// c_t+ from (1 + weight size P_n B_tt) c_t+ = c_t + P_n (B_tn - weight |v| B_tt v).
  Eigen::Vector2d slip(double size, double P_n) const {
    const double w = weight(size);
    const Eigen::Matrix2d A = Eigen::Matrix2d::Identity() + w * size * P_n * contact_.B_tt();
    const Eigen::Vector2d right = contact_.c_t() + P_n * (contact_.B_tn() - w * speed_ * (contact_.B_tt() * v_));
    return A.inverse() * right;
  }
  Eigen::Vector2d friction(double size, double P_n) const {
    return -weight(size) * P_n * (speed_ * v_ + size * slip(size, P_n));
  }

  double normal_impulse(double size) const {
    const auto excess = [&](double P_n) {
      return contact_.B_nn() * P_n + contact_.B_tn().dot(friction(size, P_n)) - gain_;
    };
    double most = gain_ / contact_.B_nn();
    for (int i = 0; excess(most) < 0 && i < kDoublings; ++i) most *= 2;
    return numerics::bracketed_zero(excess, 0, most);
  }

  const one_contact::ClosingContact& contact_;
  Eigen::Vector2d v_;
  double speed_, gain_;
};

std::optional<Solution> solution_of(const one_contact::ClosingContact& contact) {
  if (contact.slip.isZero(0) || contact.mu == 0) {
    const std::optional<one_contact::FinalSlip> end = one_contact::impulse_of_final_slip(contact);
    return end ? std::optional(Solution{end->P}) : std::nullopt;
  }
  if (!(contact.B_nn() > 0)) return std::nullopt;
  if (contact.tangents == 2) return Spatial(contact).solve();
  const std::vector<double> ratios = Planar(contact).ratios();
  if (ratios.empty()) return std::nullopt;
  const std::optional<Eigen::Vector3d> P = contact.impulse_of_ratio({ratios[0], 0});
  return P ? std::optional(Solution{*P, ratios.size() == 1}) : std::nullopt;
}

}  // namespace

Impulses Smith::impulses(const ContactProblem& problem) const {
  const Moments moments(problem, moment, moment_directions);
  const std::optional<one_contact::ClosingContact> closing = one_contact::closing_contact(problem, name);
  if (!closing) return one_contact::no_impact(problem);
  const std::optional<one_contact::ClosingContact> contact = moments.acting_on(*closing);
  if (!contact) return moments.alone();
  const std::optional<Solution> solution = solution_of(*contact);
  if (!solution) return one_contact::held_fast(problem, *contact, name);
  const Eigen::Vector2d after = (contact->c + contact->B * solution->P).tail<2>();
  Impulses impulses =
      one_contact::impulse_at(problem, *contact, solution->P, after.dot(contact->slip) < 0 ? "reversed" : "sliding");
  impulses.unique = {solution->unique, solution->unique, solution->unique};
  if (!solution->unique) impulses.message = "smith: there are other solutions; the one nearest to sliding on is shown";
  moments.add_to(impulses);
  return impulses;
}

}  // namespace carom
