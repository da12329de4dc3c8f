#include <algorithm>
#include <array>

#include "laws/springs/rubbing.h"

namespace carom::springs {
namespace {

constexpr double kSign = 1e-14;      // of the speed of a contact: below it a velocity has no sign
constexpr double kTogether = 1e-10;  // of a step: events closer than this are one
constexpr int kRefinements = 80;
constexpr double kEventsLocated = 1e-14;  // of a step: events are found to this
constexpr std::array<double, 4> kSamples = {0.25, 0.5, 0.75, 1};

}  // namespace

/// What may end the next step.
void Rubbing::watch() {
  watches_.clear();
  bool holds = false;
  for (Index i = 0; i < contacts(); ++i) {
    const Spring& spring = springs_[i];
    if (!spring.moves()) continue;
    if (spring.phase == Phase::open) {
      watches_.push_back({i, Watched::closing});
      continue;
    }
    watches_.push_back({i, Watched::turn});
    if (spring.phase == Phase::expansion) watches_.push_back({i, Watched::release});
    if (friction_.grip[i] == Grip::start || (friction_.grip[i] == Grip::slip && !is_spatial(i)))
      watches_.push_back({i, Watched::stop});
    holds = holds || friction_.grip[i] == Grip::stick;
  }
  if (holds) watches_.push_back({-1, Watched::hold});
}

/// A number that falls below zero when it happens.
double Rubbing::value(const Watch& watch, const double* y, const Vector& gamma) const {
  if (watch.what == Watched::hold) return friction_.reserve(forces(y, gamma));
  const Index i = watch.contact, row = problem_.row[i];
  const Spring& spring = springs_[i];
  const double sign = kSign * spring.speed;
  switch (watch.what) {
    case Watched::turn:
      return spring.phase == Phase::compression ? sign - gamma[row] : gamma[row] + sign;
    case Watched::release:
      return y[i] - spring.floor();
    case Watched::closing:
      return gamma[row] + noise_[i];
    default:
      return friction_.slip_ahead(i, gamma) + kStill * tolerance_ * spring.speed;
  }
}

Rubbing::Sample Rubbing::sample(double part) const {
  Sample result{part, Vector(y_.size()), {}};
  for (Index i = 0; i < y_.size(); ++i) result.y[i] = part < 1 ? stepper_.value(i, part) : stepper_.end()[i];
  result.gamma = velocities(result.y.data());
  return result;
}

/// The part of the step after which something watched happens, between `low`, where it has not, and `high`, where it
/// has: secants and halves in turn.
double Rubbing::refine(const Watch& watched, Bracket bracket) const {
  constexpr double kEdge = 1e-3;  // of the bracket: a secant stays away from its ends
  for (int step = 0; step < kRefinements && bracket.high - bracket.low > kEventsLocated; ++step) {
    const double width = bracket.high - bracket.low;
    double part = bracket.low + 0.5 * width;
    if (step % 2 == 0 && bracket.before > 0)
      part = std::clamp(bracket.low + width * bracket.before / (bracket.before - bracket.after),
                        bracket.low + kEdge * width, bracket.high - kEdge * width);
    const Sample middle = sample(part);
    const double now = value(watched, middle.y.data(), middle.gamma);
    (now < 0 ? bracket.high : bracket.low) = part;
    (now < 0 ? bracket.after : bracket.before) = now;
  }
  return bracket.high;
}

/// The part of the step after which the first event happens, which is noted in `due_`; 2 if there is none.
double Rubbing::first_event() {
  std::vector<Sample> samples;
  samples.reserve(kSamples.size());
  for (const double part : kSamples) samples.push_back(sample(part));
  due_.clear();
  double first = 2;
  for (const Watch& watched : watches_) {
    Bracket bracket{0, 2, value(watched, y_.data(), gamma_), 0};
    for (const Sample& one : samples) {
      const double now = value(watched, one.y.data(), one.gamma);
      if (now < 0) {
        bracket.high = one.at;
        bracket.after = now;
        break;
      }
      bracket.low = one.at;
      bracket.before = now;
    }
    if (bracket.high > 1 || bracket.low > first + kTogether) continue;
    const double found = bracket.before >= 0 ? refine(watched, bracket) : bracket.low;
    if (found < first - kTogether) due_.clear();
    if (found <= first + kTogether) due_.push_back(watched);
    first = std::min(first, found);
  }
  return first;
}

/// Takes contacts through the events that are due.
void Rubbing::pass_events() {
  std::vector<Index> stopped;
  bool regrip = false;
  for (const Watch& watch : due_) {
    ++events_;
    if (watch.what == Watched::stop) stopped.push_back(watch.contact);
    if (watch.what == Watched::turn || watch.what == Watched::release || watch.what == Watched::closing)
      regrip = pass_phase(watch) || regrip;
    else
      regrip = true;
  }
  fresh_ = true;
  if (regrip) decide(stopped);
}

/// Whether grips have to be decided again.
bool Rubbing::pass_phase(const Watch& watch) {
  const Index i = watch.contact;
  Spring& spring = springs_[i];
  if (watch.what == Watched::closing) {
    y_[i] = 0;
    spring.close(0);
    return true;
  }
  if (watch.what == Watched::turn) {
    if (spring.phase == Phase::open) return false;
    spring.turn(y_[i], time_);
    if (spring.phase != Phase::expansion || spring.e > 0) return false;
  }
  if (spring.phase == Phase::open) return false;
  spring.open(y_[i], time_);
  return true;
}

}  // namespace carom::springs
