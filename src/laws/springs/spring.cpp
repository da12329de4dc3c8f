#include "carom/laws/springs/spring.h"

#include <algorithm>
#include <cmath>

namespace carom::springs {
namespace {

constexpr double kVisible = 0.6;  // of the tolerance: velocities above it are

}  // namespace

Spring::Spring(const Force& force, double inverse)
    : law_(force),
      power(std::visit([](const auto& law) { return law.power; }, force)),
      e(std::visit([](const auto& law) { return law.e; }, force)),
      inverse_mass(inverse),
      rate(std::visit([](const auto& law) { return law.unloading_rate(); }, force)),
      jumps(std::visit([](const auto& law) { return law.jumps(); }, force)),
      keeps_gap(std::visit([](const auto& law) { return law.keeps_gap; }, force)) {}

void Spring::set_scale(double fastest, double tolerance) {
  speed = fastest;
  depth = moves() ? power.indentation(0.5 * speed * speed / inverse_mass) : 1;
  noise = tolerance * depth;
  shallow = depth * std::pow(kVisible * tolerance, 2 / (power.eta + 1));
}

double Spring::floor_of(double mark) const {
  return std::visit([&](const auto& law) { return law.floor(mark); }, law_);
}

double Spring::mark_after(double s) const {
  return std::visit([&](const auto& law) { return law.mark(s); }, law_);
}

double Spring::recoverable(double s, const SpringState& state) const {
  return std::visit([&](const auto& law) { return law.recoverable(std::max(s, 0.0), state.mark); }, law_);
}

void Spring::begin(SpringState& state, double& s, double gamma, double least) const {
  if (!moves()) return;
  note_peak(state, s, 0);
  if (gamma < -least) {
    close(state, s);
  } else if (s > 0) {
    state.phase = Phase::expansion;
    state.counts = true;
    state.mark = mark_after(s);
    if (e == 0) open(state, s, 0);
  }
}

void Spring::close(SpringState& state, double s) const {
  state.phase = Phase::compression;
  state.bottom = state.top = std::max(s, 0.0);
}

void Spring::turn(SpringState& state, double s, double time) const {
  if (state.phase == Phase::expansion) {
    state.dissipated += std::visit([&](const auto& law) { return law.lost_turning(s, state.mark); }, law_);
    close(state, s);
    return;
  }
  note_peak(state, s, time);
  state.top = std::max(state.top, s);
  if (state.top - state.bottom > noise) {
    ++state.compressions;
    if (state.opened) ++state.reimpacts;
    state.opened = false;
    state.counts = true;
  }
  state.phase = Phase::expansion;
  state.mark = mark_after(s);
}

void Spring::open(SpringState& state, double& s, double time) const {
  state.dissipated += std::visit([&](const auto& law) { return law.lost_opening(state.mark); }, law_);
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
