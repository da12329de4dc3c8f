#include "carom/forces/engine/stepper.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/numerics/root.h"

namespace carom::forces {
namespace {

constexpr int kSamples = 6;           // of event functions within a step
constexpr int kHalvings = 30;         // of a step, towards its beginning
constexpr double kSameMoment = 1e-9;  // of a contact's time: events this near to the first are at its moment
constexpr double kNearPeak = 0.7;     // of the peak: forces that may become one within a step
constexpr double kMayRise = 0.98;     // of the peak: samples between which a larger one may be
constexpr int kPeakRounds = 2;
constexpr double kNarrowPeak = 0.1;  // of the samples' distance: where the top of a force is looked for again

/// What must never be passed over: a contact would go through another body, or pull.
bool is_vital(Happening what) {
  return what == Happening::touches || what == Happening::opens || what == Happening::slackens;
}

}  // namespace

Stepper::Stepper(Motion& motion, const Scales& scales, double error)
    : motion_(motion), scales_(scales), weight_(motion.size()), inside_(Vector::Zero(motion.size())) {
  pair_.resize(motion.size());
  // What forces depend on: not the work done.
  const bool springs = motion.kind() == FrictionKind::elastic;
  powers_.resize(springs ? motion.work(0) : motion.kinematics.size(), Pair::degree + 1);
  const Kinematics& kinematics = motion.kinematics;
  weight_.head(kinematics.size()) = kinematics.scales(scales.speed, scales.depth);
  for (Index i = 0; i < motion.contacts(); ++i) {
    const double spring = motion.kind() == FrictionKind::elastic ? scales.force[i] : 1;
    // A spring that slips has a direction in its place, of size 1: the smaller of both rules.
    weight_[motion.spring(i)] = weight_[motion.spring(i) + 1] = spring;
    weight_[motion.work(i)] = weight_[motion.rubbed(i)] = scales.mass[i] * scales.speed * scales.speed;
  }
  for (double& value : weight_) value = value > 0 ? 1 / (error * value) : 0;
}

double Stepper::attempt(double t, double h, const Vector& y) {
  constexpr double kAstray = 1e60;  // entries of this size: squares of errors are about to overflow
  const double error = pair_.attempt(motion_, t, h, y.data(), weight_.data());
  for (Index i = 0; i < weight_.size(); ++i)
    if (!(std::abs(pair_.end()[i] * weight_[i]) < kAstray)) return HUGE_VAL;
  return error;
}

void Stepper::interpolate(double t, double h, const Vector& y) {
  if (interpolated_) return;
  interpolated_ = true;
  pair_.interpolate(motion_, t, h, y.data());
  for (Index i = 0; i < powers_.rows(); ++i) {
    const auto powers = numerics::to_powers(pair_.polynomial(i));
    for (int k = 0; k <= Pair::degree; ++k) powers_(i, k) = powers[k];
  }
}

void Stepper::move_inside(double part) {
  auto inside = inside_.head(powers_.rows());
  inside = powers_.col(Pair::degree);
  for (int k = Pair::degree - 1; k >= 0; --k) inside = inside * part + powers_.col(k);
}

void Stepper::at(double t, double h, double part, Moment& moment) {
  move_inside(part);
  motion_.evaluate(t + part * h, inside_.data(), moment);
}

Stepper::Found Stepper::first_events(double t, double h, const Vector& y, bool late) {
  interpolated_ = false;
  const std::vector<Event> events = watched(motion_, scales_);
  Moment moment;
  const auto values = [&](double time, const double* state) {
    motion_.evaluate(time, state, moment);
    std::vector<EventValue> result;
    result.reserve(events.size());
    for (const Event& event : events) result.push_back(value_of(event, motion_, scales_, time, state, moment));
    return result;
  };
  const std::vector<EventValue> before = values(t, y.data());
  const Vector gamma_before = moment.gamma;
  const std::vector<EventValue> after = values(t + h, pair_.end());
  bool suspicious = false;
  for (std::size_t k = 0; k < events.size(); ++k) suspicious = suspicious || after[k].value < 0;
  for (Index row = 0; row < gamma_before.size(); ++row)
    suspicious = suspicious || ((gamma_before[row] < 0) != (moment.gamma[row] < 0) &&
                                std::abs(gamma_before[row] - moment.gamma[row]) > scales_.noise);
  Found found;
  if (!suspicious) return found;

  interpolate(t, h, y);
  std::vector<std::vector<EventValue>> samples = {before};
  for (int s = 1; s < kSamples; ++s) {
    move_inside(static_cast<double>(s) / kSamples);
    samples.push_back(values(t + h * s / kSamples, inside_.data()));
  }
  samples.push_back(after);
  std::vector<double> part(events.size(), 2);
  for (std::size_t k = 0; k < events.size(); ++k) {
    const auto at_part = [&](double theta) {
      move_inside(theta);
      motion_.evaluate(t + theta * h, inside_.data(), moment);
      return value_of(events[k], motion_, scales_, t + theta * h, inside_.data(), moment).value;
    };
    double positive = -1;
    for (int s = 0; s <= kSamples; ++s) {
      const EventValue& now = samples[s][k];
      double theta = static_cast<double>(s) / kSamples;
      if (now.value > 0) positive = theta;
      if (now.value >= 0 || s == 0) continue;
      if (positive < 0 && now.value >= -now.noise) continue;
      // It may have been positive for a short time only; else it was due at the beginning.
      double negative = theta;
      for (int half = 0; half < kHalvings && positive < 0; ++half) {
        theta *= 0.5;
        const double value = at_part(theta);
        if (value > 0)
          positive = theta;
        else
          negative = theta;
        if (std::abs(value) <= now.noise) break;
      }
      if (positive >= 0)
        part[k] = numerics::bracketed_zero(at_part, positive, negative);
      else if (!late || is_vital(events[k].what))
        part[k] = 0;
      break;
    }
  }
  const double first = *std::min_element(part.begin(), part.end());
  if (first > 1) return found;
  found.part = first;
  for (std::size_t k = 0; k < events.size(); ++k)
    if (part[k] <= 1 && (part[k] - first) * h <= kSameMoment * scales_.time[events[k].contact])
      found.events.push_back(events[k]);
  return found;
}

void Stepper::note_peaks(double t, double h, const Vector& y) {
  interpolated_ = false;
  std::array<Moment, kSamples + 1> samples;
  motion_.evaluate(t, y.data(), samples.front());
  motion_.evaluate(t + h, pair_.end(), samples.back());
  const auto ends = [&](Index i) {
    return std::max(samples.front().force[motion_.row(i)], samples.back().force[motion_.row(i)]);
  };
  bool near = false;
  for (Index i = 0; i < motion_.contacts(); ++i) {
    ContactState& one = motion_.state[i];
    if (samples.front().force[motion_.row(i)] != 0 || samples.back().force[motion_.row(i)] != 0) one.last_force = t + h;
    near = near || (ends(i) > 0 && ends(i) >= kNearPeak * one.peak);
  }
  if (!near) return;
  interpolate(t, h, y);
  for (int s = 1; s < kSamples; ++s) at(t, h, static_cast<double>(s) / kSamples, samples[s]);
  for (Index i = 0; i < motion_.contacts(); ++i) {
    ContactState& one = motion_.state[i];
    const Index row = motion_.row(i);
    if (ends(i) <= 0 || ends(i) < kNearPeak * one.peak) continue;
    int best = 0;
    for (int s = 1; s <= kSamples; ++s)
      if (samples[s].force[row] > samples[best].force[row]) best = s;
    double most = samples[best].force[row], part = static_cast<double>(best) / kSamples;
    if (most > kMayRise * one.peak) {
      // The top of a parabola through three samples, and once more through nearer ones.
      Moment inside;
      const auto force = [&](double where) {
        at(t, h, where, inside);
        return inside.force[row];
      };
      const int middle = std::clamp(best, 1, kSamples - 1);
      double x = static_cast<double>(middle) / kSamples, width = 1.0 / kSamples;
      double left = samples[middle - 1].force[row], here = samples[middle].force[row],
             right = samples[middle + 1].force[row];
      for (int round = 0; round < kPeakRounds; ++round) {
        const double bend = left - 2 * here + right;
        if (!(bend < 0)) break;
        const double top = x + 0.5 * width * (left - right) / bend;
        if (!(top > 0 && top < 1)) break;
        if (const double now = force(top); now > most) {
          most = now;
          part = top;
        }
        width *= kNarrowPeak;
        x = std::clamp(top, width, 1 - width);
        here = force(x);
        left = force(x - width);
        right = force(x + width);
      }
    }
    if (most > one.peak) one.peak = most, one.peak_time = t + part * h;
  }
}

}  // namespace carom::forces
