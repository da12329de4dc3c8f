#include "carom/laws/springs/waves.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace carom::springs {
namespace {

constexpr Index kLocated = 64;           // beyond this many followed contacts, kinks are left to the error estimate
constexpr Index kLocatedIfLossy = 24;    // the same where contacts turn again and again
constexpr long kManyEvents = 2;          // a step
constexpr double kCoarse = 3e-6;         // tolerances above this are reached sooner with order 5
constexpr double kCoarseIfRough = 1e-7;  // the same where kinks are not located
constexpr double kQuickest = 0.5;        // of the impact's own time: no wave passes a contact sooner
constexpr double kStepsPerWindow = 4;    // where steps differ
constexpr double kLeastMargin = 8, kMostMargin = 512;
constexpr Index kDense = 8;         // numbers for each contact: then they are counted, not sorted
constexpr double kFirstStep = 0.3;  // in units of the impact's own time
constexpr Index kProjected = 2000;  // beyond this many contacts what is left below the tolerance stays

// What an impact will end with: the energy left at the first look, of the impact's, and at the next, of that at the
// last; the change that is none, in parts of the tolerance; how often there has to be none.
constexpr double kForeseenFirst = 1e-2, kForeseenAgain = 0.25, kForeseenSame = 0.01;
constexpr int kForeseenOften = 5;

}  // namespace

Waves::Waves(const System& system, long most_steps, Path* path)
    : state(system),
      system_(system),
      most_steps_(most_steps),
      path_(path),
      gamma_(system.normal.gamma_free),
      Lambda_(Vector::Zero(system.size())),
      place_(static_cast<std::size_t>(system.size()), -1) {
  for (Index i = 0; i < system.size(); ++i)
    system.springs[i].begin(state.contacts[i], state.s[i], gamma_[i], system.noise(i));
  next_step = kFirstStep * system.time_scale;
  foreseen_.energy = kForeseenFirst * system.energy_scale;
  follow();
  record();
}

Result Waves::result(Status status) {
  leave();
  Result result;
  result.status = status;
  result.collapsed = status == Status::solved && (foreseen_.trusted || is_faded(system_, state.contacts, gamma_));
  if (result.collapsed || died_out_) stop_what_closes();
  result.contacts = state.contacts;
  result.Lambda = system_.normal.to_rows(Lambda_);
  result.gamma = gamma_;
  result.speed.resize(system_.size());
  for (Index i = 0; i < system_.size(); ++i) result.speed[i] = system_.springs[i].speed;
  result.friction = Vector::Zero(system_.size());
  result.events = state.events;
  result.steps = state.steps;
  result.evaluations = window.evaluations;
  return result;
}

bool Waves::is_coarse() const {
  const bool rough = !window.located && (system_.lossy || state.events > kManyEvents * state.steps);
  return system_.tolerance >= (rough ? kCoarseIfRough : kCoarse);
}

bool Waves::is_multirate() const {
  return !window.located && !system_.jumps && path_ == nullptr;
}

double Waves::rows_passed(double time) const {
  return std::ceil(time / (kQuickest * system_.time_scale));
}

/// No wave passes its margin before.
double Waves::reach() const {
  return margin_ == 0 ? std::numeric_limits<double>::infinity()
                      : kQuickest * static_cast<double>(margin_) * system_.time_scale;
}

// ---- the window

bool Waves::is_alive(Index i, double s, double gamma) const {
  return system_.is_small() ? system_.is_alive(i, s, gamma)
                            : system_.is_alive_among_many(i, state.contacts[i], s, gamma);
}

bool Waves::anything_alive() const {
  for (Index l = 0; l < window.size(); ++l)
    if (is_alive(window.contact[l], window.y[l], window.gamma[l])) return true;
  return false;
}

/// Outside the window gaps grow or shrink at constant speed.
void Waves::update_gap(Index i) {
  SpringState& contact = state.contacts[i];
  if (system_.springs[i].keeps_gap) state.s[i] -= gamma_[i] * (state.time - contact.updated);
  contact.updated = state.time;
}

/// Sorts contacts that have a place.
void Waves::sort(std::vector<Index>& contacts) const {
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
void Waves::choose() {
  std::vector<Index>& chosen = window.contact;
  const std::vector<Index> previous = std::exchange(chosen, {});
  const auto add = [&](Index i) {
    if (place_[i] >= 0) return;
    place_[i] = 0;
    chosen.push_back(i);
  };
  const auto add_if_alive = [&](Index i) {
    if (!is_alive(i, state.s[i], gamma_[i])) return;
    add(i);
    for (SparseMatrix::InnerIterator entry(system_.G, i); entry; ++entry) add(entry.row());
  };
  if (system_.is_small()) {
    for (Index i = 0; i < system_.size(); ++i) add(i);
  } else if (previous.empty()) {
    for (Index i = 0; i < system_.size(); ++i) add_if_alive(i);
  } else {
    for (const Index i : previous) {
      add_if_alive(i);
      for (SparseMatrix::InnerIterator entry(system_.G, i); entry; ++entry) add_if_alive(entry.row());
    }
  }
  sort(chosen);
}

/// Adds the contacts around the window that a wave may reach before the next one is made.
void Waves::widen() {
  std::vector<Index>& chosen = window.contact;
  margin_ = static_cast<Index>(std::clamp(rows_passed(kStepsPerWindow * next_step), kLeastMargin, kMostMargin));
  std::size_t inside = 0;
  for (Index row = 0; row < margin_ && inside < chosen.size(); ++row)
    for (const std::size_t end = chosen.size(); inside < end; ++inside)
      for (SparseMatrix::InnerIterator entry(system_.G, chosen[inside]); entry; ++entry)
        if (place_[entry.row()] < 0) {
          place_[entry.row()] = 0;
          chosen.push_back(entry.row());
        }
  if (static_cast<Index>(chosen.size()) == system_.size()) margin_ = 0;  // no need to look again
  sort(chosen);
}

void Waves::follow() {
  choose();
  Window& w = window;
  w.located = system_.turns_decide || w.size() <= (system_.lossy ? kLocatedIfLossy : kLocated);
  w.allowed = system_.step_error;
  if (is_multirate()) widen();
  const Index n = w.size();
  w.resize(n);
  for (Index l = 0; l < n; ++l) place_[w.contact[l]] = static_cast<int>(l);
  for (Index l = 0; l < n; ++l) {
    const Index i = w.contact[l];
    const Spring& spring = system_.springs[i];
    update_gap(i);
    w.k[l] = spring.power.k;
    w.eta[l] = spring.power.eta;
    w.base[l] = w.gamma[l] = gamma_[i];
    w.y[l] = state.s[i];
    w.set_phase(l, spring, state.contacts[i]);
    double influence = spring.inverse_mass / spring.speed;  // of its impulse on velocities, in their scales
    w.column.push_back(static_cast<int>(l));
    w.value.push_back(spring.inverse_mass);
    for (SparseMatrix::InnerIterator entry(system_.G, i); entry; ++entry) {
      influence = std::max(influence, std::abs(entry.value()) / system_.springs[entry.row()].speed);
      if (entry.row() == i || place_[entry.row()] < 0) continue;
      w.column.push_back(place_[entry.row()]);
      w.value.push_back(entry.value());
    }
    w.start.push_back(static_cast<int>(w.column.size()));
    w.weight[n + l] = influence / w.allowed;
  }
  w.changed = true;
}

void Waves::leave() {
  Window& w = window;
  const Index n = w.size();
  for (Index l = 0; l < n; ++l) {  // what is too little to follow is let go
    SpringState& contact = state.contacts[w.contact[l]];
    if (contact.phase == Phase::open || is_alive(w.contact[l], w.y[l], w.gamma[l])) continue;
    if (contact.phase == Phase::compression) spring(w, l).turn(contact, w.y[l], state.time);
    spring(w, l).open(contact, w.y[l], state.time);
  }
  for (Index l = 0; l < n; ++l) {
    const Index i = w.contact[l];
    const double impulse = w.y[n + l];
    Lambda_[i] += impulse;
    if (impulse != 0)
      for (SparseMatrix::InnerIterator entry(system_.G, i); entry; ++entry)
        if (place_[entry.row()] < 0) {
          update_gap(entry.row());
          gamma_[entry.row()] += entry.value() * impulse;
        }
    gamma_[i] = w.gamma[l];
    state.s[i] = w.y[l];
    state.contacts[i].updated = state.time;
  }
  for (const Index i : w.contact) place_[i] = -1;
}

bool Waves::is_stale() const {
  if (system_.is_small()) return false;
  const Window& w = window;
  Index needed = 0;
  for (Index l = 0; l < w.size(); ++l) {
    const Index i = w.contact[l];
    bool keep = is_alive(i, w.y[l], w.gamma[l]);
    if (keep && w.start[l + 1] - w.start[l] < system_.G.outerIndexPtr()[i + 1] - system_.G.outerIndexPtr()[i])
      return true;
    for (int entry = w.start[l]; !keep && entry < w.start[l + 1]; ++entry) {
      const int next = w.column[entry];
      keep = is_alive(w.contact[next], w.y[next], w.gamma[next]);
    }
    needed += keep;
  }
  return 4 * needed < 3 * w.size();
}

// ---- events

namespace {

/// The part of a step after which gamma changed its sign, and s there. With phi = a before and b after the turn, s is
/// the cubic through its values and slopes at both ends that it would have with a alone.
std::pair<double, double> turn_between(const Window& window, Index l, const Waves::Start& start, double end) {
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

}  // namespace

bool Waves::pass(Window& w, Index l, Event event, bool located, const Start& start) {
  double& s = w.y[l];
  const Spring& own = spring(w, l);
  SpringState& contact = state.contacts[w.contact[l]];
  bool lets_go = false;
  if (event == Event::opens && contact.phase == Phase::compression) own.turn(contact, s, state.time);
  for (; event != Event::none; event = own.missed(contact, s, w.gamma[l])) {
    ++state.events;
    if (event == Event::closes) {
      own.close(contact, s);
    } else if (event == Event::turns) {
      const bool first = contact.phase == Phase::compression ? start.gamma < 0 : start.gamma > 0;
      const auto [part, extreme] = located || !first ? std::pair(1.0, s) : turn_between(w, l, start, state.time);
      own.turn(contact, extreme, start.time + part * (state.time - start.time));
      if (contact.phase == Phase::expansion && own.e(contact) == 0) {
        own.open(contact, s, state.time);
        lets_go = located;
      }
    } else {
      const double fall = start.s - s;
      const double part = located || fall <= 0 || start.s <= 0 ? 1 : std::min(1.0, start.s / fall);
      own.open(contact, s, start.time + part * (state.time - start.time));
    }
    if (located || contact.phase == Phase::open) break;
  }
  w.set_phase(l, own, contact);
  return lets_go;
}

/// A plastic contact has just let go at gamma = 0 but for rounding: the forces around it say whether it closes again.
void Waves::close_if_pressed(Index l) {
  double slope = 0;
  for (int entry = window.start[l]; entry < window.start[l + 1]; ++entry) {
    const int next = window.column[entry];
    slope += window.value[entry] * spring(window, next).force(window.y[next]);
  }
  if (slope >= 0) return;
  spring(window, l).close(contact(window, l), 0);
  window.set_phase(l, spring(window, l), contact(window, l));
}

// ---- the end

bool Waves::dies_out(double share) {
  double energy = 0;
  for (Index l = 0; l < window.size(); ++l)
    energy += system_.energy_at(window.contact[l], window.y[l], window.gamma[l]);
  died_out_ = system_.is_invisible(energy, share) || leads_to_the_same(energy);
  return died_out_;
}

/// Impacts that go on for long, ever weaker, among many contacts often lead to what can be foreseen long before they
/// fade: whether it has stayed the same, to a part of the tolerance, while the energy that is left fell to a quarter
/// again and again. Where bodies still come to part, what is foreseen changes with every second or third look, by a
/// part of the speeds that are left. In rows of bodies a look costs little; a packing fades sooner than it pays.
bool Waves::leads_to_the_same(double energy) {
  if (system_.is_small() || !system_.lossy || !is_row() || energy > foreseen_.energy) return false;
  foreseen_.energy = kForeseenAgain * energy;
  Vector Lambda = Lambda_;
  for (Index l = 0; l < window.size(); ++l) Lambda[window.contact[l]] += window.y[window.size() + l];
  const Vector stop = stopping_impulses(system_, system_.normal.gamma_free + system_.G * Lambda);
  if (stop.size() == 0) return false;
  Lambda += stop;
  const Vector change = foreseen_.Lambda.size() > 0 ? Vector(Lambda - foreseen_.Lambda) : Lambda;
  const bool same = system_.is_invisible(0.5 * change.dot(system_.G * change), kForeseenSame);
  foreseen_.agreements = same ? foreseen_.agreements + 1 : 0;
  foreseen_.Lambda = std::move(Lambda);
  foreseen_.trusted = foreseen_.agreements >= kForeseenOften;
  return foreseen_.trusted;
}

/// Whether what is left at the end is worth a complementarity problem: in small systems and in rows of bodies.
bool Waves::is_projected() const {
  return system_.size() <= kProjected || is_row();
}

bool Waves::is_row() const {
  return system_.G.nonZeros() <= 3 * system_.size();
}

/// Ends an impact that dies out: the contacts that still close are stopped at once.
void Waves::stop_what_closes() {
  if (!is_projected()) return;
  const Vector stop = stopping_impulses(system_, gamma_);
  if (stop.size() == 0) return;
  const Vector after = gamma_ + system_.G * stop;
  for (Index i = 0; i < system_.size(); ++i) {
    const double taken = -0.5 * stop[i] * (gamma_[i] + after[i]);
    state.contacts[i].taken += taken;
    state.contacts[i].dissipated += system_.springs[i].energy(state.s[i]) + taken;
    state.s[i] = 0;
  }
  Lambda_ += stop;
  gamma_ = after;
}

void Waves::record() const {
  if (path_ == nullptr) return;
  const Index n = window.size();
  Path::State now;
  now.time = state.time;
  now.force = now.stored = Vector::Zero(system_.size());
  Vector Lambda = Lambda_;
  for (Index l = 0; l < n; ++l) {
    const Index i = window.contact[l];
    Lambda[i] += window.y[n + l];
    now.force[i] = spring(window, l).force(window.y[l]);
    now.stored[i] = spring(window, l).energy(std::max(0.0, window.y[l]));
  }
  now.Lambda = system_.normal.to_rows(Lambda);
  path_->add(std::move(now));
}

}  // namespace carom::springs
