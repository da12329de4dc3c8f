#include "carom/analysis/rocking_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "carom/analysis/restitution_matrix.h"

namespace carom::analysis {
namespace {

constexpr double kEqual = 1e-12;  // relative: comparisons this close are equalities

double squared(double value) {
  return value * value;
}

void require_positive(double value, const char* name) {
  if (!(value > 0 && std::isfinite(value)))
    throw InputError(name, fmt::format("{} is not positive; a block has a mass, a height and a width", value));
}

}  // namespace

RockingBlock::RockingBlock(double mass, double height, double width) : m_(mass), l_(height), L_(width) {
  require_positive(mass, "mass");
  require_positive(height, "height");
  require_positive(width, "width");
  const bool in_range = l_ * l_ > 0 && L_ * L_ > 0 && inertia() > 0 && std::isfinite(inertia());
  if (!in_range)
    throw InputError("", "mass, height or width leave the range of floating point; choose units nearer to 1");
}

double RockingBlock::kinetic_cosine() const {
  return (l_ * l_ - 2 * L_ * L_) / (l_ * l_ + 4 * L_ * L_);
}

double RockingBlock::kinetic_angle() const {
  return std::acos(-kinetic_cosine());  // pi - acos
}

double RockingBlock::sliding_ratio() const {
  return -kinetic_cosine();
}

double RockingBlock::housner_ratio() const {
  return (L_ * L_ - 2 * l_ * l_) / (2 * (l_ * l_ + L_ * L_));
}

double RockingBlock::housner_angle() const {
  return std::acos(housner_ratio());
}

double RockingBlock::critical_angle() const {
  return std::atan2(L_, l_);
}

bool RockingBlock::flat() const {
  return kinetic_cosine() < -kEqual;
}

bool RockingBlock::can_half_rock() const {
  return kinetic_cosine() <= kEqual;
}

Interval RockingBlock::e21_sliding() const {
  return {std::max(0.0, -sliding_ratio()), 1};
}

Interval RockingBlock::e21_sticking() const {
  return {std::max(0.0, -housner_ratio()), 1};
}

Interval RockingBlock::r_sliding() const {
  return {-1, std::min(0.0, sliding_ratio())};
}

Interval RockingBlock::r_sticking() const {
  return {-1, std::min(0.0, housner_ratio())};
}

Interval RockingBlock::r_half_rocking() const {
  return can_half_rock() ? Interval{0, 1} : Interval{1, 0};
}

BlockFriction RockingBlock::friction(double mu) const {
  if (!(mu >= 0 && std::isfinite(mu)))
    throw InputError("mu", fmt::format("{} is not a finite number >= 0, as friction coefficients are", mu));
  const double steep = l_ * l_ - 2 * L_ * L_, wide = l_ * l_ + 4 * L_ * L_, rub = 3 * mu * l_ * L_;
  const double gain = 3 * squared(mu * L_), infinity = std::numeric_limits<double>::infinity();
  BlockFriction result;
  // A presses if (wide - slip rub) e21 >= steep + slip rub, B if (steep - slip rub) e21 <= wide + slip rub.
  result.e_c1_right = wide > rub ? (steep + rub) / (wide - rub) : infinity;
  result.e_c1_left = (steep - rub) / (wide + rub);
  result.e_c2 = (wide - gain) / (wide + gain);
  result.mu_c = std::sqrt(wide / 3) / L_;
  result.mu_half_rocking = -steep / (3 * l_ * L_);
  result.e21_stick = std::max(0.0, (l_ - mu * L_) / (l_ + mu * L_));
  result.right = {std::max(0.0, result.e_c1_right), std::min(1.0, result.e_c2)};
  result.left = {std::max(0.0, result.e_c1_left), steep + rub > 0 ? std::min(1.0, (wide - rub) / (steep + rub)) : 1};
  result.sticking = {std::max(result.e21_stick, e21_sticking().least), 1};
  const bool presses = steep + rub <= kEqual * wide;
  result.half_rocking = presses ? Interval{0, result.e_c2} : Interval{1, 0};
  const double root = std::sqrt(9 * mu * mu + 8);
  result.slenderness_right = (root - 3 * mu) / 2;
  result.slenderness_left = (root + 3 * mu) / 2;
  return result;
}

double RockingBlock::kinetic_energy(const BlockVelocity& velocity) const {
  return m_ / 2 * (squared(velocity.x) + squared(velocity.y)) + inertia() / 2 * squared(velocity.theta);
}

BlockImpact RockingBlock::between(const BlockVelocity& before, const BlockVelocity& after) const {
  BlockImpact impact{.before = before, .after = after};
  impact.p_t = m_ * (after.x - before.x);
  const double sum = m_ * (after.y - before.y);
  const double difference = 2 / L_ * (inertia() * (after.theta - before.theta) - l_ / 2 * impact.p_t);
  impact.p_n1 = (sum + difference) / 2;
  impact.p_n2 = (sum - difference) / 2;
  impact.energy_change = kinetic_energy(after) - kinetic_energy(before);
  impact.slip_after = after.x + l_ / 2 * after.theta;
  return impact;
}

BlockImpact RockingBlock::one_corner(double theta, double e1) const {
  const double wide = l_ * l_ + 4 * L_ * L_, turned = 6 * L_ * L_ * e1 + 2 * L_ * L_ - l_ * l_;
  const double lifted = 2 * L_ * L_ - l_ * l_ - 2 * e1 * (l_ * l_ + L_ * L_);
  const BlockVelocity before = about_A(theta, 0);
  return between(before, {0, lifted / wide * before.y, -turned / wide * theta});
}

BlockImpact RockingBlock::sliding_rocking(double theta, double e21) const {
  return between(about_A(theta, 0), about_B(e21 * theta, 0));
}

BlockImpact RockingBlock::sticking_rocking(double theta, double e21) const {
  const double x = -l_ / 2 * theta;
  return between(about_A(theta, x), about_B(e21 * theta, e21 * x));
}

BlockImpact RockingBlock::half_rocking(double theta, double e1) const {
  return between(about_A(theta, 0), about_A(-e1 * theta, 0));
}

/// p_t = -slip mu (p_n1 + p_n2), and the sum is what lifts the centre.
BlockImpact RockingBlock::with_slip(const BlockVelocity& before, BlockVelocity after, double mu, int slip) const {
  after.x = before.x - slip * mu * (after.y - before.y);
  return between(before, after);
}

BlockImpact RockingBlock::slipping_rocking(double theta, double e21, double mu, int slip, double x) const {
  return with_slip(about_A(theta, x), about_B(e21 * theta, x), mu, slip);
}

BlockImpact RockingBlock::slipping_half_rocking(double theta, double e1, double mu, int slip, double x) const {
  return with_slip(about_A(theta, x), about_A(-e1 * theta, x), mu, slip);
}

BlockImpact RockingBlock::rebound(double theta, double e1, double e21, double e_t3) const {
  const BlockVelocity before = about_A(theta, -l_ / 2 * theta);
  return between(before, {-e_t3 * before.x, -(e1 + e21) * before.y, (e21 - e1) * theta});
}

BlockFeasibility RockingBlock::feasibility(const Matrix& E_n, double E_tan, const BlockVelocity& before) const {
  const ImpactProblem given = problem(before);
  const Dissipativity energy = dissipativity(reduce(given), E_n);  // refuses what is not 2 x 2
  // G_11 = G_22, so the corners' velocities transform as q_norm does.
  const Eigen::Vector2d gamma_minus(before.y + L_ / 2 * before.theta, before.y - L_ / 2 * before.theta);
  const Eigen::Vector2d gamma_plus = -E_n * gamma_minus;
  BlockFeasibility result;
  result.impact = between(before, {-E_tan * before.x, gamma_plus.sum() / 2, (gamma_plus[0] - gamma_plus[1]) / L_});
  const BlockImpact& impact = result.impact;
  const double speed = std::max(gamma_minus.cwiseAbs().maxCoeff(), gamma_plus.cwiseAbs().maxCoeff());
  const double momentum = std::max({std::abs(impact.p_n1), std::abs(impact.p_n2), std::abs(impact.p_t)});
  result.kinematic = gamma_plus.minCoeff() >= -kEqual * speed;
  result.kinetic = std::min(impact.p_n1, impact.p_n2) >= -kEqual * momentum;
  result.energetic = impact.energy_change <= kEqual * kinetic_energy(before);
  result.dissipative = energy.dissipative && std::abs(E_tan) <= 1 + kEqual;
  return result;
}

BlockRebound RockingBlock::rebound_conditions(double e1, double e21, double e_t3) const {
  const double ll = l_ * l_, LL = L_ * L_;
  return {.energetic = 4 * (ll + LL) - (ll + 4 * LL) * (e1 * e1 + e21 * e21) - (4 * LL - 2 * ll) * e1 * e21 -
                       3 * ll * e_t3 * e_t3,
          .p_n1 = (ll + 4 * LL) * e1 + (2 * LL - ll) * e21 + 3 * ll * e_t3 + 4 * ll + 4 * LL,
          .p_n2 = (2 * LL - ll) * e1 + (ll + 4 * LL) * e21 - 3 * ll * e_t3 + 2 * (LL - 2 * ll)};
}

std::array<double, 3> RockingBlock::rebound_axes() const {
  const double size = 2 * std::sqrt((l_ * l_ + L_ * L_) / 3);
  return {size / L_, 2, size / l_};
}

ImpactProblem RockingBlock::problem(const BlockVelocity& before, double mu) const {
  ImpactProblem result;
  result.M = MassMatrix::diagonal(Eigen::Vector3d(m_, m_, inertia()));
  Matrix W(3, 4);
  W << 0, 1, 0, 1, 1, 0, 1, 0, L_ / 2, l_ / 2, -L_ / 2, l_ / 2;
  result.W = W.sparseView();
  result.u_minus = Eigen::Vector3d(before.x, before.y, before.theta);
  for (const char* name : {"B", "A"}) result.contacts.push_back({.name = name, .tangents = 1, .mu = mu});
  return result;
}

}  // namespace carom::analysis
