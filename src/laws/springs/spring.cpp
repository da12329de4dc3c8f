#include "laws/springs/spring.h"

#include <algorithm>
#include <cmath>

namespace carom::springs {
namespace {

constexpr double kVisible = 0.6;   // of the tolerance: velocities above it are
constexpr double kPlastic = 0.01;  // of the tolerance: an e below it is 0
constexpr double kLeast = 1e-9;    // and so is one below this: rounding of gamma would decide its expansion
constexpr double kQuick = 1e-2;    // an expansion with a smaller e is too quick to tell s to all digits

}  // namespace

Spring::Spring(const Contact& contact, Unloading kind, double inverse)
    : k(contact.k),
      eta(contact.eta),
      e(kind == Unloading::gap ? 1.0 : contact.e),
      inverse_mass(inverse),
      unloading(kind) {}

void Spring::set_scale(double fastest, double tolerance) {
  if (e < std::max(kPlastic * tolerance, kLeast)) e = 0;
  speed = fastest;
  depth = moves() ? indentation(0.5 * speed * speed / inverse_mass) : 1;
  noise = tolerance * depth;
  shallow = depth * std::pow(kVisible * tolerance, 2 / (eta + 1));
}

double Spring::force(double s) const {
  if (s <= 0) return 0;
  return eta == 1.5 ? k * s * std::sqrt(s) : eta == 1 ? k * s : k * std::pow(s, eta);
}

double Spring::slack() const {
  return phase == Phase::expansion && unloading == Unloading::bi && e > 0 ? std::max(1.0, kQuick / e) : 1;
}

double Spring::indentation(double stored) const {
  return stored > 0 ? std::pow(stored * (eta + 1) / k, 1 / (eta + 1)) : 0;
}

Event Spring::missed(double s, double gamma) const {
  if (!moves()) return Event::none;
  switch (phase) {
    case Phase::open:
      return s > 0 || (gamma < 0 && unloading != Unloading::gap) ? Event::closes : Event::none;
    case Phase::compression:
      return gamma > 0 ? Event::turns : Event::none;
    case Phase::expansion:
      return s <= floor() ? Event::opens : gamma < 0 ? Event::turns : Event::none;
  }
  return Event::none;
}

double Spring::mark_after(double s) const {
  if (unloading != Unloading::mono) return std::max(s, 0.0);
  return s > 0 ? s * std::pow(loss(), 1 / (eta + 1)) : 0;
}

double Spring::recoverable(double s) const {
  const double stored = energy(std::max(s, 0.0));
  if (unloading == Unloading::bi) return e * e * stored;
  return unloading == Unloading::mono ? std::max(stored - energy(mark), 0.0) : stored;
}

void Spring::begin(double& s, double gamma, double least) {
  if (!moves()) return;
  note_peak(s, 0);
  if (gamma < -least) {
    close(s);
  } else if (s > 0) {
    phase = Phase::expansion;
    counts_ = true;
    mark = e == 0 ? s : mark_after(s);
    if (e == 0) open(s, 0);
  }
}

void Spring::close(double s) {
  phase = Phase::compression;
  bottom_ = top = std::max(s, 0.0);
}

void Spring::turn(double s, double time) {
  if (phase == Phase::expansion) {
    if (unloading == Unloading::bi) dissipated += loss() * (energy(mark) - energy(s));
    close(s);
    return;
  }
  note_peak(s, time);
  top = std::max(top, s);
  if (top - bottom_ > noise) {
    ++compressions;
    if (opened_) ++reimpacts;
    opened_ = false;
    counts_ = true;
  }
  phase = Phase::expansion;
  mark = e == 0 ? std::max(s, 0.0) : mark_after(s);
}

void Spring::open(double& s, double time) {
  if (unloading == Unloading::bi) dissipated += loss() * energy(mark);
  if (unloading == Unloading::mono) dissipated += energy(mark);
  if (counts_) {
    released = std::max(released, time);
    opened_ = true;
  }
  counts_ = false;
  phase = Phase::open;
  s = unloading == Unloading::gap ? std::min(s, 0.0) : 0;
}

void Spring::note_peak(double s, double time) {
  const double now = force(s);
  if (now <= peak) return;
  peak = now;
  peak_time = time;
}

}  // namespace carom::springs
