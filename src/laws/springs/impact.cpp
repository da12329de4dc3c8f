#include "laws/springs/impact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "laws/springs/integration.h"
#include "laws/springs/multirate.h"

namespace carom::springs {
namespace {

constexpr double kEcho = 0.1;          // of the tolerance: in large systems, what a wave leaves behind below this rests
constexpr double kLeastSpeed = 1e-3;   // of the fastest closing: no contact is followed more closely than this
constexpr double kHeld = 1e-12;        // the same, of a contact that joints hold fast
constexpr double kLayers = 3000;       // contacts one after the other whose errors together count as one
constexpr Index kLocated = 64;         // beyond this many followed contacts, kinks are left to the error estimate
constexpr Index kLocatedIfLossy = 24;  // the same where contacts turn again and again
constexpr long kManyEvents = 2;        // a step
constexpr double kCoarse = 3e-6;       // tolerances above this are reached sooner with order 5
constexpr double kCoarseIfRough = 1e-7;  // the same where kinks are not located
constexpr double kQuickest = 0.5;        // of the impact's own time: no wave passes a contact sooner
constexpr double kStepsPerWindow = 4;    // where steps differ
constexpr double kLeastMargin = 8, kMostMargin = 512;
constexpr Index kDense = 8;         // numbers for each contact: then they are counted, not sorted
constexpr double kFirstStep = 0.3;  // in units of the impact's own time
constexpr double kSteep = 0.02;     // of the error of a step: for forces of infinite slope at s = 0

}  // namespace

Impact::Impact(const Task& task)
    : problem_(task.problem),
      normal_(task.normal),
      G_(task.normal.G()),
      unloading_(task.unloading),
      tolerance_(task.tolerance),
      most_steps_(task.most_steps),
      path_(task.path),
      gamma_(task.normal.gamma_free) {
  const Index m = problem_.size();
  Lambda_.setZero(m);
  s_.setZero(m);
  place_.assign(m, -1);
  springs_.reserve(m);
  const Vector inverse_mass = G_.diagonal();
  for (Index i = 0; i < m; ++i) springs_.emplace_back(problem_.contacts()[i], unloading_, inverse_mass[i]);
  set_scales();
  if (energy_scale_ <= 0 || contradiction >= 0) return;
  step_error_ = task.care * kStepShare * tolerance_ / (1 + layers() / kLayers);
  if (steep_) step_error_ *= kSteep;
  for (Index i = 0; i < m; ++i) springs_[i].begin(s_[i], gamma_[i], noise_[i]);
}

Scales::Scales(const std::vector<Spring>& springs, const ContactProblem& problem, const NormalProblem& normal) {
  for (Index i = 0; i < problem.size(); ++i) {
    const Spring& spring = springs[i];
    const double closing = std::max(0.0, -normal.gamma_free[i]);
    if (!spring.moves()) {
      if (closing > kHeld * normal.gamma_terms[i]) held = i;
      continue;
    }
    const double root = std::sqrt(spring.inverse_mass), stored = std::sqrt(2 * problem.contacts()[i].E0);
    fastest = std::max({fastest, closing, stored * root});
    strongest = std::max({strongest, closing / root, stored});
  }
  energy = 0.5 * strongest * strongest;
}

void Scales::apply(Spring& spring, double tolerance) const {
  const double most = strongest * std::sqrt(spring.inverse_mass);  // if all energy went there
  spring.set_scale(std::clamp(most, kLeastSpeed * fastest, fastest), tolerance);
}

void Impact::set_scales() {
  const Scales scales(springs_, problem_, normal_);
  const Vector& terms = normal_.gamma_terms;
  contradiction = scales.held;
  energy_scale_ = scales.energy;
  if (energy_scale_ <= 0) return;

  time_scale_ = std::numeric_limits<double>::infinity();
  noise_.resize(problem_.size());
  echo_.resize(problem_.size());
  bool linear = true, hertz = true;
  for (Index i = 0; i < problem_.size(); ++i) {
    Spring& spring = springs_[i];
    scales.apply(spring, tolerance_);
    s_[i] = spring.indentation(problem_.contacts()[i].E0);
    noise_[i] = std::max(kNoise * tolerance_ * spring.speed, kRounding * terms[i]);
    echo_[i] = std::max(kEcho * tolerance_ * spring.speed, noise_[i]);
    if (spring.moves()) time_scale_ = std::min(time_scale_, spring.depth / spring.speed);
    lossy_ = lossy_ || spring.e < 1;
    if (spring.e > 0) least_e_ = std::min(least_e_, spring.e);
    jumps_ = jumps_ || (spring.jumps() && spring.e < 1);
    steep_ = steep_ || spring.eta < 1;
    linear = linear && spring.eta == 1;
    hertz = hertz && spring.eta == 1.5;
  }
  exponents_ = linear ? Exponents::linear : hertz ? Exponents::hertz : Exponents::any;
}

/// How many contacts a wave passes one after the other: the errors of its way add up.
double Impact::layers() const {
  if (small()) return 0;
  std::vector<char> seen(problem_.size(), 0);
  std::vector<Index> front, next;
  for (Index i = 0; i < problem_.size(); ++i)
    if (gamma_[i] < -noise_[i] || s_[i] > 0) {
      seen[i] = 1;
      front.push_back(i);
    }
  double count = 0;
  for (; !front.empty(); front.swap(next), ++count) {
    next.clear();
    for (const Index i : front)
      for (SparseMatrix::InnerIterator entry(G_, i); entry; ++entry)
        if (!std::exchange(seen[entry.row()], 1)) next.push_back(entry.row());
  }
  return count;
}

/// Whether order 5 suits the window better than order 8.
bool Impact::is_coarse() const {
  const bool rough = !window_.located && (lossy_ || events_ > kManyEvents * steps_);
  return tolerance_ >= (rough ? kCoarseIfRough : kCoarse);
}

/// Whether contacts are too many to follow them all with the steps of the fastest.
bool Impact::is_multirate() const {
  return !window_.located && !jumps_ && path_ == nullptr;
}

/// How many contacts one after the other a wave may pass in some time.
double Impact::rows_passed(double time) const {
  return std::ceil(time / (kQuickest * time_scale_));
}

/// The time that a window with many rates is good for: no wave passes its margin before.
double Impact::reach() const {
  return margin_ == 0 ? std::numeric_limits<double>::infinity()
                      : kQuickest * static_cast<double>(margin_) * time_scale_;
}

Status Impact::run() {
  if (contradiction >= 0) return Status::no_solution;
  if (energy_scale_ <= 0) return Status::solved;
  using numerics::DormandPrince5, numerics::DormandPrince8;
  const auto go_on = [&]<Exponents exponents>() {
    if (is_multirate())
      return is_coarse() ? Multirate<DormandPrince5, exponents>(*this).run()
                         : Multirate<DormandPrince8, exponents>(*this).run();
    return is_coarse() ? Integration<DormandPrince5, exponents>(*this).run()
                       : Integration<DormandPrince8, exponents>(*this).run();
  };
  next_step_ = kFirstStep * time_scale_;
  follow();
  record();
  std::optional<Status> status;
  while (!status)
    status = exponents_ == Exponents::linear  ? go_on.template operator()<Exponents::linear>()
             : exponents_ == Exponents::hertz ? go_on.template operator()<Exponents::hertz>()
                                              : go_on.template operator()<Exponents::any>();
  leave();
  collapsed_ = *status == Status::solved && is_faded();
  if (collapsed_ || ended_early_) project();
  return *status;
}

double Impact::duration() const {
  double last = 0;
  for (const Spring& spring : springs_) last = std::max(last, spring.released);
  return last;
}

double Impact::distance(const Impact& other) const {
  double result = 0;
  for (std::size_t i = 0; i < springs_.size(); ++i)
    result = std::max(result, std::abs(gamma_[i] - other.gamma_[i]) / springs_[i].speed);
  return result;
}

// ---- the window

bool Impact::is_alive(Index i, double s, double gamma) const {
  const Spring& spring = springs_[i];
  if (!spring.moves()) return false;
  if (small()) return gamma < -noise_[i] || s > kNoise * spring.noise;
  return gamma < -(spring.peak > 0 ? echo_[i] : noise_[i]) || s > spring.shallow;
}

bool Impact::anything_alive() const {
  for (Index l = 0; l < window_.size(); ++l)
    if (is_alive(window_.contact[l], window_.y[l], window_.gamma[l])) return true;
  return false;
}

/// Outside the window gaps grow or shrink at constant speed.
void Impact::update_gap(Index i) {
  if (unloading_ == Unloading::gap) s_[i] -= gamma_[i] * (time_ - springs_[i].updated);
  springs_[i].updated = time_;
}

/// Sorts contacts that have a place.
void Impact::sort(std::vector<Index>& contacts) const {
  if (contacts.empty()) return;
  const auto [first, last] = std::minmax_element(contacts.begin(), contacts.end());
  const Index from = *first, to = *last, count = static_cast<Index>(contacts.size());
  if (to - from > kDense * count) {
    std::sort(contacts.begin(), contacts.end());
    return;
  }
  contacts.clear();
  for (Index i = from; i <= to; ++i)
    if (place_[i] >= 0) contacts.push_back(i);
}

/// Chooses the contacts that are alive and those that they move; of the whole problem, or near the last window.
void Impact::choose() {
  std::vector<Index>& chosen = window_.contact;
  const std::vector<Index> previous = std::exchange(chosen, {});
  const auto add = [&](Index i) {
    if (place_[i] >= 0) return;
    place_[i] = 0;
    chosen.push_back(i);
  };
  const auto add_if_alive = [&](Index i) {
    if (!is_alive(i, s_[i], gamma_[i])) return;
    add(i);
    for (SparseMatrix::InnerIterator entry(G_, i); entry; ++entry) add(entry.row());
  };
  if (small()) {
    for (Index i = 0; i < problem_.size(); ++i) add(i);
  } else if (previous.empty()) {
    for (Index i = 0; i < problem_.size(); ++i) add_if_alive(i);
  } else {
    for (const Index i : previous) {
      add_if_alive(i);
      for (SparseMatrix::InnerIterator entry(G_, i); entry; ++entry) add_if_alive(entry.row());
    }
  }
  sort(chosen);
}

/// Adds the contacts around the window that a wave may reach before the next one is made.
void Impact::widen() {
  std::vector<Index>& chosen = window_.contact;
  margin_ = static_cast<Index>(std::clamp(rows_passed(kStepsPerWindow * next_step_), kLeastMargin, kMostMargin));
  std::size_t inside = 0;
  for (Index row = 0; row < margin_ && inside < chosen.size(); ++row)
    for (const std::size_t end = chosen.size(); inside < end; ++inside)
      for (SparseMatrix::InnerIterator entry(G_, chosen[inside]); entry; ++entry)
        if (place_[entry.row()] < 0) {
          place_[entry.row()] = 0;
          chosen.push_back(entry.row());
        }
  if (static_cast<Index>(chosen.size()) == problem_.size()) margin_ = 0;  // no need to look again
  sort(chosen);
}

/// Makes the window of the contacts that have to be followed now.
void Impact::follow() {
  choose();
  Window& w = window_;
  w.located = w.size() <= (lossy_ ? kLocatedIfLossy : kLocated);
  w.allowed = step_error_;
  if (is_multirate()) widen();
  const Index n = w.size();
  w.resize(n);
  for (Index l = 0; l < n; ++l) place_[w.contact[l]] = static_cast<int>(l);
  for (Index l = 0; l < n; ++l) {
    const Index i = w.contact[l];
    const Spring& spring = springs_[i];
    update_gap(i);
    w.k[l] = spring.k;
    w.eta[l] = spring.eta;
    w.base[l] = w.gamma[l] = gamma_[i];
    w.y[l] = s_[i];
    w.set_phase(l, spring);
    double influence = spring.inverse_mass / spring.speed;  // of its impulse on velocities, in their scales
    w.column.push_back(static_cast<int>(l));
    w.value.push_back(spring.inverse_mass);
    for (SparseMatrix::InnerIterator entry(G_, i); entry; ++entry) {
      influence = std::max(influence, std::abs(entry.value()) / springs_[entry.row()].speed);
      if (entry.row() == i || place_[entry.row()] < 0) continue;
      w.column.push_back(place_[entry.row()]);
      w.value.push_back(entry.value());
    }
    w.start.push_back(static_cast<int>(w.column.size()));
    w.weight[n + l] = influence / w.allowed;
  }
  w.changed = true;
}

/// Takes the state of the window back to the problem, and tells the neighbours outside what hit them.
void Impact::leave() {
  Window& w = window_;
  const Index n = w.size();
  for (Index l = 0; l < n; ++l) {  // what is too little to follow is let go
    Spring& spring = springs_[w.contact[l]];
    if (spring.phase == Phase::open || is_alive(w.contact[l], w.y[l], w.gamma[l])) continue;
    if (spring.phase == Phase::compression) spring.turn(w.y[l], time_);
    spring.open(w.y[l], time_);
  }
  for (Index l = 0; l < n; ++l) {
    const Index i = w.contact[l];
    const double impulse = w.y[n + l];
    Lambda_[i] += impulse;
    if (impulse != 0)
      for (SparseMatrix::InnerIterator entry(G_, i); entry; ++entry)
        if (place_[entry.row()] < 0) {
          update_gap(entry.row());
          gamma_[entry.row()] += entry.value() * impulse;
        }
    gamma_[i] = w.gamma[l];
    s_[i] = w.y[l];
    springs_[i].updated = time_;
  }
  for (const Index i : w.contact) place_[i] = -1;
}

/// Whether the window lacks a neighbour of a contact that is alive, or carries too many that are at rest.
bool Impact::is_stale() const {
  if (small()) return false;
  const Window& w = window_;
  Index needed = 0;
  for (Index l = 0; l < w.size(); ++l) {
    const Index i = w.contact[l];
    bool keep = is_alive(i, w.y[l], w.gamma[l]);
    if (keep && w.start[l + 1] - w.start[l] < G_.outerIndexPtr()[i + 1] - G_.outerIndexPtr()[i]) return true;
    for (int entry = w.start[l]; !keep && entry < w.start[l + 1]; ++entry) {
      const int next = w.column[entry];
      keep = is_alive(w.contact[next], w.y[next], w.gamma[next]);
    }
    needed += keep;
  }
  return 4 * needed < 3 * w.size();
}

// ---- events

/// The part of a step after which gamma changed its sign, and s there. With phi = a before and b after the turn, s is
/// the cubic through its values and slopes at both ends that it would have with a alone.
std::pair<double, double> Impact::turn_between(const Window& window, Index l, const Start& start, double end) {
  const double h = end - start.time, before = start.gamma, after = window.gamma[l];
  const double a = before < 0 ? window.phi_in[l] : window.phi_out[l];
  const double b = before < 0 ? window.phi_out[l] : window.phi_in[l];
  const double part = before / (before - after);
  const double rest = 0.5 * after * (1 - part) * h;  // how far the bodies went after it
  const double rise = window.y[l] + (b - a) * rest - start.s;
  const double slope = -a * before * h, end_slope = -a * after * h;
  // s' over the step: slope (1-x)^2 + 2 middle x (1-x) + end_slope x^2
  const double middle = 3 * rise - slope - end_slope;
  const double root = std::sqrt(std::max(0.0, middle * middle - slope * end_slope));
  const double x = slope / (slope - middle + std::copysign(root, slope));
  const double square = x * x, cube = square * x;
  const double to_turn = slope * (x - square + cube / 3) + middle * (square - 2 * cube / 3) + end_slope * cube / 3;
  return {x, std::max(0.0, start.s + to_turn)};
}

/// Takes a contact of the window through an event and those that follow from it. A located event is at the end of the
/// step; one that was not happened somewhere since its start.
void Impact::pass(Window& window, Index l, Event event, bool located, const Start& start) {
  double& s = window.y[l];
  Spring& spring = springs_[window.contact[l]];
  if (event == Event::opens && spring.phase == Phase::compression) spring.turn(s, time_);
  for (; event != Event::none; event = spring.missed(s, window.gamma[l])) {
    ++events_;
    if (event == Event::closes) {
      spring.close(s);
    } else if (event == Event::turns) {
      const bool first = spring.phase == Phase::compression ? start.gamma < 0 : start.gamma > 0;
      const auto [part, extreme] = located || !first ? std::pair(1.0, s) : turn_between(window, l, start, time_);
      spring.turn(extreme, start.time + part * (time_ - start.time));
      if (spring.phase == Phase::expansion && spring.e == 0) {
        spring.open(s, time_);
        if (located) let_go_.push_back(l);
      }
    } else {
      const double fall = start.s - s;
      const double part = located || fall <= 0 || start.s <= 0 ? 1 : std::min(1.0, start.s / fall);
      spring.open(s, start.time + part * (time_ - start.time));
    }
    if (located || spring.phase == Phase::open) break;
  }
  window.set_phase(l, spring);
}

/// A plastic contact has just let go at gamma = 0 but for rounding: the forces around it say whether it closes again.
void Impact::close_if_pressed(Index l) {
  const Window& w = window_;
  double slope = 0;
  for (int entry = w.start[l]; entry < w.start[l + 1]; ++entry) {
    const int next = w.column[entry];
    slope += w.value[entry] * springs_[w.contact[next]].force(w.y[next]);
  }
  if (slope >= 0) return;
  Spring& spring = springs_[w.contact[l]];
  spring.close(0);
  window_.set_phase(l, spring);
}

}  // namespace carom::springs
