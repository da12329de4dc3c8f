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
constexpr double kMayRise = 0.3;      // of how much a force changes: so much more may be between samples
constexpr double kTopNear = 0.3;      // of the step: a parabola's top is inside it but for so much
constexpr int kPeakRounds = 2;
constexpr double kNarrowPeak = 0.1;  // of the samples' distance: where the top of a force is looked for again

/// What must never be passed over: a contact would go through another body, or pull.
bool is_vital(Happening what) {
  return what == Happening::touches || what == Happening::opens || what == Happening::slackens;
}

/// The cubic with values a, b and slopes at the ends of [0, 1].
double hermite(double x, double a, double slope_a, double b, double slope_b) {
  const double change = b - a, first = slope_a - change, second = change - slope_b;
  return a + x * (change + (1 - x) * (first * (1 - x) + second * x));
}

/// Forces at three times, the last two of which are the ends of a step: whether they may be larger than `peak` inside
/// it.
bool may_rise(double t0, double F0, double t1, double F1, double t2, double F2, double peak) {
  const double most = std::max({F0, F1, F2}), least = std::min({F0, F1, F2});
  if (std::max(F1, F2) + kMayRise * (most - least) <= peak) return false;
  if (!(t0 < t1)) return true;
  const double before = (F1 - F0) / (t1 - t0), now = (F2 - F1) / (t2 - t1), bend = (now - before) / (t2 - t0);
  if (!(bend < 0)) return false;
  const double top = 0.5 * (t1 + t2) - 0.5 * now / bend, margin = kTopNear * (t2 - t1);
  return top > t1 - margin && top < t2 + margin;
}

}  // namespace

Stepper::Stepper(Motion& motion, const Scales& scales, double error)
    : motion_(motion), scales_(scales), weight_(motion.size()), inside_(Vector::Zero(motion.size())) {
  pair_.resize(motion.size());
  // What forces depend on: not the work done.
  powers_.resize(motion.work(0), Pair::degree + 1);
  const Kinematics& kinematics = motion.kinematics;
  weight_.head(kinematics.size()) = kinematics.scales(scales.speed, scales.depth);
  for (Index i = 0; i < motion.contacts(); ++i) {
    // A spring that slips has a direction in its place, of size 1: the smaller of both rules.
    if (motion.has_springs()) weight_[motion.spring(i)] = weight_[motion.spring(i) + 1] = scales.force[i];
    weight_[motion.work(i)] = weight_[motion.rubbed(i)] = scales.mass[i] * scales.speed * scales.speed;
  }
  for (Index j = 0; j < motion.turnings(); ++j) {
    const Turning& one = motion.turning[j];
    weight_[motion.turning_spring(j)] = weight_[motion.turning_spring(j) + 1] =
        one.resistance.most(scales.force[one.contact]);
    weight_[motion.turned(j)] = scales.mass[one.contact] * scales.speed * scales.speed;
  }
  for (double& value : weight_) value = value > 0 ? 1 / (error * value) : 0;
}

double Stepper::attempt(double t, double h, const Vector& y) {
  constexpr double kAstray = 1e60;  // entries of this size: squares of errors are about to overflow
  interpolated_ = has_after_ = false;
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

Stepper::Found Stepper::first_events(double t, double h, const Vector& y, const Moment& before_moment, bool late) {
  std::vector<Event> events = watched(motion_, scales_);
  const auto counted = std::stable_partition(events.begin(), events.end(),
                                             [&](const Event& event) { return !is_passive(event, motion_); });
  passive_.assign(counted, events.end());
  events.erase(counted, events.end());
  const auto values = [&](double time, const double* state, const Moment& moment) {
    std::vector<EventValue> result;
    result.reserve(events.size());
    for (const Event& event : events) result.push_back(value_of(event, motion_, scales_, time, state, moment));
    return result;
  };
  motion_.evaluate(t + h, pair_.end(), after_);
  has_after_ = true;
  const std::vector<EventValue> before = values(t, y.data(), before_moment);
  const std::vector<EventValue> after = values(t + h, pair_.end(), after_);
  std::vector<char> explained(static_cast<std::size_t>(after_.gamma.size()), 0);
  for (const Event& event : passive_) explained[motion_.row(event.contact)] = 1;
  bool suspicious = false;
  for (std::size_t k = 0; k < events.size(); ++k) suspicious = suspicious || after[k].value < 0;
  for (Index row = 0; row < after_.gamma.size(); ++row)
    suspicious = suspicious || (!explained[row] && (before_moment.gamma[row] < 0) != (after_.gamma[row] < 0) &&
                                std::abs(before_moment.gamma[row] - after_.gamma[row]) > scales_.noise);
  Found found;
  if (!suspicious) return found;

  interpolate(t, h, y);
  std::vector<std::vector<EventValue>> samples = {before};
  for (int s = 1; s < kSamples; ++s) {
    move_inside(static_cast<double>(s) / kSamples);
    motion_.evaluate(t + h * s / kSamples, inside_.data(), inside_moment_);
    samples.push_back(values(t + h * s / kSamples, inside_.data(), inside_moment_));
  }
  samples.push_back(after);
  std::vector<double> part(events.size(), 2);
  for (std::size_t k = 0; k < events.size(); ++k) {
    const bool local = is_local(events[k], motion_);
    const auto at_part = [&](double theta) {
      move_inside(theta);
      if (local)
        motion_.evaluate_one(events[k].contact, t + theta * h, inside_.data(), inside_moment_);
      else
        motion_.evaluate(t + theta * h, inside_.data(), inside_moment_);
      return value_of(events[k], motion_, scales_, t + theta * h, inside_.data(), inside_moment_).value;
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

/// The moment within a step at which a contact turns or reloads, from its indentation and rate at both ends, and more
/// accurately where it is deeper than ever.
long Stepper::count_passive(double t, double h, const Vector& y, const Moment& before) {
  constexpr int kSecants = 6;
  long result = 0;
  for (const Event& event : passive_) {
    const Index i = event.contact, row = motion_.row(i);
    const double sign = event.what == Happening::turns ? 1 : -1;
    const double r0 = -sign * before.gamma[row], r1 = -sign * after_.gamma[row];
    if (r1 >= -(r0 > 0 ? 0 : scales_.noise)) continue;
    const double d0 = before.d[i], d1 = after_.d[i], w0 = y[motion_.work(i)], w1 = pair_.end()[motion_.work(i)];
    double part = r0 > 0 ? r0 / (r0 - r1) : 0;
    double d = hermite(part, d0, h * sign * r0, d1, h * sign * r1);
    const double f0 = before.force[row] * sign * r0, f1 = after_.force[row] * sign * r1;
    double work = hermite(part, w0, h * f0, w1, h * f1);
    const double change = std::max({std::abs(d - d0), std::abs(d1 - d), std::abs(d1 - d0)});
    if (part > 0 && event.what == Happening::turns && d + kMayRise * change > motion_.state[i].deepest) {
      interpolate(t, h, y);
      inside_moment_ = before;
      double low = 0, high = 1, at_low = r0, at_high = r1;
      for (int round = 0; round < kSecants; ++round) {
        part = low + (high - low) * at_low / (at_low - at_high);
        move_inside(part);
        motion_.evaluate_one(i, t + part * h, inside_.data(), inside_moment_);
        const double rate = -sign * inside_moment_.gamma[row];
        if (rate > 0) {
          low = part;
          at_low = rate;
          at_high *= 0.5;
        } else {
          high = part;
          at_high = rate;
          at_low *= 0.5;
          if (rate == 0) break;
        }
      }
      d = inside_moment_.d[i];
      work = pair_.value(motion_.work(i), part);
    }
    count(event, motion_, d, work);
    ++result;
  }
  return result;
}

long Stepper::note_peaks(double t, double h, const Vector& y, const Moment& before) {
  if (!has_after_) motion_.evaluate(t + h, pair_.end(), after_);
  has_after_ = true;
  for (Index i = 0; i < motion_.contacts(); ++i) {
    ContactState& one = motion_.state[i];
    const Index row = motion_.row(i);
    const double first = before.force[row], last = after_.force[row];
    if (first != 0 || last != 0) one.last_force = t + h;
    if (!(first > 0 || last > 0)) continue;
    const bool known = earlier_ < t;
    if (may_rise(known ? earlier_ : t, known ? earlier_force_[row] : first, t, first, t + h, last, one.peak)) {
      interpolate(t, h, y);
      find_peak(i, t, h, before);
    } else if (last > one.peak) {
      one.peak = last;
      one.peak_time = t + h;
    }
  }
  earlier_ = t;
  earlier_force_ = before.force;
  return count_passive(t, h, y, before);
}

double Stepper::force_at(Index contact, double t, double h, double part) {
  move_inside(part);
  if (motion_.state[contact].phase == Phase::held)
    motion_.evaluate(t + part * h, inside_.data(), inside_moment_);
  else
    motion_.evaluate_one(contact, t + part * h, inside_.data(), inside_moment_);
  return inside_moment_.force[motion_.row(contact)];
}

/// The top of a parabola through the largest of some samples and those beside it, and once more through nearer ones.
void Stepper::find_peak(Index contact, double t, double h, const Moment& before) {
  inside_moment_ = before;
  ContactState& one = motion_.state[contact];
  const Index row = motion_.row(contact);
  std::array<double, kSamples + 1> samples{};
  samples.front() = before.force[row];
  samples.back() = after_.force[row];
  for (int s = 1; s < kSamples; ++s) samples[s] = force_at(contact, t, h, static_cast<double>(s) / kSamples);
  const int best = static_cast<int>(std::max_element(samples.begin(), samples.end()) - samples.begin());
  double most = samples[best], part = static_cast<double>(best) / kSamples;
  const int middle = std::clamp(best, 1, kSamples - 1);
  double x = static_cast<double>(middle) / kSamples, width = 1.0 / kSamples;
  double left = samples[middle - 1], here = samples[middle], right = samples[middle + 1];
  for (int round = 0; round < kPeakRounds; ++round) {
    const double bend = left - 2 * here + right;
    if (!(bend < 0)) break;
    const double top = x + 0.5 * width * (left - right) / bend;
    if (!(top > 0 && top < 1)) break;
    if (const double now = force_at(contact, t, h, top); now > most) {
      most = now;
      part = top;
    }
    width *= kNarrowPeak;
    x = std::clamp(top, width, 1 - width);
    here = force_at(contact, t, h, x);
    left = force_at(contact, t, h, x - width);
    right = force_at(contact, t, h, x + width);
  }
  if (most > one.peak) one.peak = most, one.peak_time = t + part * h;
}

}  // namespace carom::forces
