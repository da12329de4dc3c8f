#include "carom/laws/springs/spring.h"

#include <algorithm>
#include <cmath>

namespace carom::springs {
namespace {

constexpr double kVisible = 0.6;  // of the tolerance: velocities above it are

}  // namespace

Spring::Spring(const Force& force, double inverse, const RestitutionFunction* e_of, double least_e)
    : law_(force),
      e_of_(std::holds_alternative<ElasticGap>(force) ? nullptr : e_of),
      e_(std::visit([](const auto& law) { return law.e; }, force)),
      least_e_(least_e),
      rate_(std::visit([](const auto& law) { return law.unloading_rate(); }, force)),
      jumps_(std::visit([](const auto& law) { return law.jumps(); }, force)),
      power(std::visit([](const auto& law) { return law.power; }, force)),
      inverse_mass(inverse),
      keeps_gap(std::visit([](const auto& law) { return law.keeps_gap; }, force)) {}

double Spring::restitution(double v, double work) const {
  const double value = e_of_->at(v, work);
  return value < least_e_ ? 0 : value;
}

double Spring::smallest_e(double gamma) const {
  if (e_of_ == nullptr) return e_;
  return std::min(restitution(std::max(0.0, -gamma), 0), restitution(0, 0));
}

void Spring::set_scale(double fastest, double tolerance) {
  speed = fastest;
  depth = moves() ? power.indentation(0.5 * speed * speed / inverse_mass) : 1;
  noise = tolerance * depth;
  shallow = depth * std::pow(kVisible * tolerance, 2 / (power.eta + 1));
}

double Spring::floor_of(const SpringState& state) const {
  return ask(state, [&](const auto& law) { return law.floor(state.mark); });
}

double Spring::mark_after(const SpringState& state, double s) const {
  return ask(state, [&](const auto& law) { return law.mark(s); });
}

double Spring::recoverable(double s, const SpringState& state) const {
  return ask(state, [&](const auto& law) { return law.recoverable(std::max(s, 0.0), state.mark); });
}

void Spring::begin(SpringState& state, double& s, double gamma, double least) const {
  if (!moves()) return;
  note_peak(state, s, 0);
  if (gamma < -least) {
    state.speed = -gamma;
    compress(state, s);
  } else if (s > 0) {
    state.phase = Phase::expansion;
    state.counts = true;
    if (e_of_ != nullptr) state.e = restitution(0, energy(s));
    state.mark = mark_after(state, s);
    if (e(state) == 0) open(state, s, 0);
  }
}

void Spring::compress(SpringState& state, double s) const {
  state.phase = Phase::compression;
  state.bottom = state.top = std::max(s, 0.0);
  if (e_of_ != nullptr) state.e = restitution(state.speed, energy(s));
}

void Spring::close(SpringState& state, double s) const {
  state.speed = 0;  // there is no gap to gain speed in: gamma has just passed zero
  compress(state, s);
}

void Spring::turn(SpringState& state, double s, double time) const {
  if (state.phase == Phase::expansion) {
    state.dissipated += ask(state, [&](const auto& law) { return law.lost_turning(s, state.mark); });
    close(state, s);
    return;
  }
  note_peak(state, s, time);
  state.top = std::max(state.top, s);
  state.taken += energy(s) - energy(state.bottom);
  if (state.top - state.bottom > noise) {
    ++state.compressions;
    if (state.opened) ++state.reimpacts;
    state.opened = false;
    state.counts = true;
  }
  state.phase = Phase::expansion;
  if (e_of_ != nullptr) state.e = restitution(state.speed, energy(s));
  state.mark = mark_after(state, s);
}

void Spring::open(SpringState& state, double& s, double time) const {
  state.dissipated += ask(state, [&](const auto& law) { return law.lost_opening(state.mark); });
  if (state.counts) {
    state.released = std::max(state.released, time);
    state.opened = true;
  }
  state.counts = false;
  state.phase = Phase::open;
  s = keeps_gap ? std::min(s, 0.0) : 0;
}

void Spring::note_peak(SpringState& state, double s, double time) const {
  const double now = force(s);
  if (now <= state.peak) return;
  state.peak = now;
  state.peak_time = time;
}

}  // namespace carom::springs
