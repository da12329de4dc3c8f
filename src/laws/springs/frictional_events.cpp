#include "carom/laws/springs/frictional_events.h"

#include <algorithm>
#include <array>

#include "carom/numerics/sparse_products.h"

namespace carom::springs {
namespace {

constexpr double kSign = 1e-14;      // of the speed of a contact: below it a velocity has no sign
constexpr double kTogether = 1e-10;  // of a step: events closer than this are one
constexpr double kNever = 2;         // no part of a step
constexpr int kRefinements = 80;
constexpr double kHoldLocated = 1e-12;  // of a step: contacts let go that near to when they do
constexpr double kEdge = 1e-3;          // of a bracket: a secant stays away from its ends
constexpr std::array<double, 4> kSamples = {0.25, 0.5, 0.75, 1};

constexpr int kCoefficients = FrictionalStepper::degree + 1;
using Polynomial = numerics::Bernstein<FrictionalStepper::degree>;
using Coefficients = Eigen::Matrix<double, 1, kCoefficients>;

/// What may end a step.
std::vector<Watch> watches(const FrictionalMotion& motion) {
  std::vector<Watch> result;
  bool holds = false;
  for (Index i = 0; i < motion.contacts(); ++i) {
    if (!motion.system().springs[i].moves()) continue;
    const Phase phase = motion.state[i].phase;
    const ContactMode mode = motion.friction.mode[i];
    if (phase == Phase::open) {
      result.push_back({i, Watched::closing});
      continue;
    }
    result.push_back({i, Watched::turn});
    if (phase == Phase::expansion) result.push_back({i, Watched::release});
    if (mode == ContactMode::slip_onset || (mode == ContactMode::slip && !motion.is_spatial(i)))
      result.push_back({i, Watched::stop});
    holds = holds || mode == ContactMode::stick;
  }
  if (holds) result.push_back({-1, Watched::hold});
  return result;
}

/// Velocities over the step (rows x coefficients).
Matrix velocities_over(const TriedStep& step) {
  const FrictionalMotion& motion = step.motion;
  Matrix impulses(motion.rows(), kCoefficients);
  for (Index row = 0; row < motion.rows(); ++row)
    impulses.row(row) = Eigen::Map<const Coefficients>(step.stepper.polynomial(motion.contacts() + row).data());
  Matrix result = motion.accelerations(impulses);
  result.colwise() += motion.system().problem.gamma_free;
  return result;
}

/// A number that falls below zero when something happens to one contact, over the step.
Polynomial watched_number(const TriedStep& step, const Watch& watch, const Matrix& gamma) {
  const FrictionalMotion& motion = step.motion;
  const Index i = watch.contact, row = motion.row(i);
  const Spring& spring = motion.system().springs[i];
  const double sign = kSign * spring.speed;
  if (watch.what == Watched::release) {
    Polynomial s = step.stepper.polynomial(i);
    for (double& coefficient : s) coefficient -= spring.floor(motion.state[i]);
    return s;
  }
  Polynomial result;
  Eigen::Map<Coefficients> values(result.data());
  if (watch.what == Watched::stop)
    values = motion.friction.slip_ahead(i, gamma).array() + kStill * motion.system().tolerance * spring.speed;
  else if (watch.what == Watched::closing)
    values = gamma.row(row).array() + motion.system().noise(i);
  else if (motion.state[i].phase == Phase::compression)
    values = sign - gamma.row(row).array();
  else
    values = gamma.row(row).array() + sign;
  return result;
}

/// The part of the step after which a number falls below zero, 2 if it does not. One that is below zero at the start by
/// rounding must have risen soon.
double falls(const Polynomial& number) {
  if (*std::min_element(number.begin(), number.end()) >= 0) return kNever;
  if (number[0] < 0 && numerics::value(number, kSamples[0]) < 0) return 0;
  return numerics::first_fall(number).value_or(number.back() < 0 ? 1 : kNever);
}

/// How far the contacts that stick are from slipping, below zero if they would.
double reserve_at(const TriedStep& step, double part) {
  Vector y(step.y.size());
  for (Index i = 0; i < y.size(); ++i) y[i] = part < 1 ? step.stepper.value(i, part) : step.stepper.end()[i];
  return step.motion.friction.reserve(step.motion.forces(y.data(), step.motion.velocities(y.data())));
}

/// The part of the step after which the contacts that stick let go, if before `limit`; else 2.
double lets_go(const TriedStep& step, double limit) {
  double low = 0, before = step.motion.friction.reserve(step.motion.forces(step.y.data(), step.gamma));
  double high = kNever, after = 0;
  for (const double part : kSamples) {
    const double now = reserve_at(step, part);
    if (now < 0) {
      high = part;
      after = now;
      break;
    }
    low = part;
    before = now;
  }
  if (high > 1 || low > limit) return kNever;
  if (before < 0) return low;
  for (int refinement = 0; refinement < kRefinements && high - low > kHoldLocated; ++refinement) {
    const double width = high - low;  // secants and halves in turn
    double part = low + 0.5 * width;
    if (refinement % 2 == 0 && before > 0)
      part = std::clamp(low + width * before / (before - after), low + kEdge * width, high - kEdge * width);
    const double now = reserve_at(step, part);
    (now < 0 ? high : low) = part;
    (now < 0 ? after : before) = now;
  }
  return high;
}

}  // namespace

FirstEvent first_event(const TriedStep& step) {
  const Matrix gamma = velocities_over(step);
  FirstEvent first{kNever, {}};
  for (const Watch& watch : watches(step.motion)) {
    const double found =
        watch.what == Watched::hold ? lets_go(step, first.part + kTogether) : falls(watched_number(step, watch, gamma));
    if (found > 1) continue;
    if (found < first.part - kTogether) first.due.clear();
    if (found <= first.part + kTogether) first.due.push_back(watch);
    first.part = std::min(first.part, found);
  }
  return first;
}

}  // namespace carom::springs
