#include "laws/contact_springs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "numerics/lcp.h"
#include "numerics/runge_kutta.h"

namespace carom {
namespace {

using numerics::Bernstein;
using numerics::DormandPrince5;
using numerics::DormandPrince8;
using numerics::RungeKutta;
using numerics::StepControl;

constexpr double kLocalShare = 0.01;  // of the tolerance: error allowed in one step
constexpr double kNoise = 1e-3;       // of the tolerance: velocities and indentations below it are not followed
constexpr double kEcho = 0.1;         // of the tolerance: in large systems, what a wave leaves behind below this rests
constexpr double kLeastSpeed = 1e-3;  // of the fastest closing: no contact is followed more closely than this
constexpr double kLayers = 300;       // contacts one after the other whose errors together count as one
constexpr double kCoarse = 3e-6;      // tolerances above this are reached sooner with order 5
constexpr double kInsignificant = 0.2;   // of the error of a step: a kink that changes less is not located
constexpr double kSimultaneous = 1e-11;  // of a step: events closer than this are one
constexpr double kShortest = 1e-14;      // step, relative to the time scale of the impact
constexpr Index kWholeWindow = 24;       // up to this many contacts all are followed all the time
constexpr Index kLocatedWindow = 192;    // beyond this many followed contacts, kinks are left to the error estimate
constexpr long kEventsPerLook = 64;      // between looks at whether the impact is dying out
constexpr double kDyingOut = 0.05;       // of the tolerance: velocities that the rest of the impact may change
constexpr double kArrived = 1e-2;        // of the error of a step: s this near to zero is a release
constexpr int kCorrections = 4;          // of the end of a step towards a release
constexpr long kManyReimpacts = 8;       // of a contact, before its fading counts as a collapse
constexpr long kTrustedEvents = 12;      // a contact: more of them, and the outcome is computed twice
constexpr long kLongCollapse = 20000;    // steps: then it is not
constexpr double kMoreCare = 0.02, kMostCare = 1e-15;
constexpr long kSteps = 200000, kStepsPerContact = 2000;

enum class Phase : char { open, compression, expansion };
enum class Event : char { none, closes, turns, opens };

/// What a contact is, and what happened to it.
struct Spring {
  double k, eta, e, inverse_mass;
  double speed, depth;  // scales of its velocity and its indentation
  double shallow = 0;   // an indentation whose energy moves nothing visibly
  Phase phase = Phase::open;
  double mark = 0;  // expansion: indentation at its start (bi), indentation at which the contact lets go (mono)
  double bottom = 0, top = 0;  // of the present compression
  bool counts = false;         // it has been compressed by more than noise since it closed
  bool opened = false;         // and has opened after such a compression
  double last = 0;             // time up to which s is known (gap)
  double peak = 0, peak_time = 0, dissipated = 0;
  long compressions = 0, reimpacts = 0;

  double force(double s) const {
    if (s <= 0) return 0;
    return eta == 1.5 ? k * s * std::sqrt(s) : eta == 1 ? k * s : k * std::pow(s, eta);
  }
  double energy(double s) const { return s > 0 ? force(s) * s / (eta + 1) : 0; }
};

/// The contacts that are followed, in arrays of their own: y = (s, Lambda since the window was made).
struct Window {
  std::vector<Index> contact;           // (n) of the problem
  std::vector<double> k, eta;           // (n)
  std::vector<double> phi_in, phi_out;  // (n) factor of -gamma in s' while gamma < 0, while gamma > 0
  std::vector<double> base, gamma;      // (n) velocity when the window was made; now, or at the end of a tried step
  std::vector<double> gamma_start;      // (n) velocity at the start of the step
  std::vector<double> latest;           // (n) velocity at the last evaluation
  std::vector<int> start, column;       // rows of G inside the window
  std::vector<double> value;
  std::vector<double> y, weight;  // (2 n)
  long evaluations = 0;

  Index size() const { return static_cast<Index>(contact.size()); }
};

enum class Exponents { linear, hertz, any };

/// The right-hand side.
template <Exponents exponents>
struct Motion {
  Window& window;

  void operator()(double, const double* __restrict y, double* __restrict dy) const {
    const Index n = window.size();
    const double *k = window.k.data(), *Lambda = y + n;
    double* force = dy + n;
    for (Index i = 0; i < n; ++i) {
      const double s = y[i] > 0 ? y[i] : 0;
      if constexpr (exponents == Exponents::linear) {
        force[i] = k[i] * s;
      } else if constexpr (exponents == Exponents::hertz) {
        force[i] = k[i] * s * std::sqrt(s);
      } else {
        const double eta = window.eta[i];
        force[i] = eta == 1.5 ? k[i] * s * std::sqrt(s) : eta == 1 ? k[i] * s : k[i] * std::pow(s, eta);
      }
    }
    const int *start = window.start.data(), *column = window.column.data();
    const double *value = window.value.data(), *base = window.base.data();
    const double *in = window.phi_in.data(), *out = window.phi_out.data();
    double* gamma = window.latest.data();
    for (Index i = 0; i < n; ++i) {
      double sum = base[i];
      for (int entry = start[i]; entry < start[i + 1]; ++entry) sum += value[entry] * Lambda[column[entry]];
      gamma[i] = sum;
      dy[i] = -sum * (sum < 0 ? in[i] : out[i]);
    }
    ++window.evaluations;
  }
};

/// Time as a function of the variable x in which a step is made. Where a force t^eta starts or ends, a quadratic clock
/// slows down towards that end: there s is a square in x, and s^(3/2) smooth.
struct Clock {
  enum class Kind { plain, starts, ends } kind = Kind::plain;
  double length = 0;  // of the step in time

  double span() const { return kind == Kind::plain ? length : 1; }  // of the step in x
  double time(double part) const {                                  // passed at a part of the step in x
    return kind == Kind::plain    ? part * length
           : kind == Kind::starts ? length * part * part
                                  : length * part * (2 - part);
  }
  double rate(double x) const { return kind == Kind::starts ? 2 * x * length : 2 * (1 - x) * length; }
};

template <class F>
struct Clocked {
  F& motion;
  const Clock& clock;
  Index size;

  void operator()(double x, const double* y, double* dy) const {
    motion(x, y, dy);
    if (clock.kind == Clock::Kind::plain) return;
    const double rate = clock.rate(x);
    for (Index i = 0; i < size; ++i) dy[i] *= rate;
  }
};

class SpringImpact {
 public:
  /// `care` <= 1 shortens the steps: the error allowed in each is that much smaller.
  SpringImpact(const ContactProblem& problem, const NormalProblem& normal, Unloading unloading, double tolerance,
               double care, Path* path)
      : problem_(problem), G_(normal.G()), unloading_(unloading), tolerance_(tolerance), care_(care), path_(path) {
    gamma_ = normal.gamma_free;
    Lambda_ = Vector::Zero(gamma_.size());
    prepare(normal.gamma_terms);
  }

  Index contradiction = -1;  // a contact that closes and that joints hold fast

  Status run() {
    if (contradiction >= 0) return Status::no_solution;
    if (energy_scale_ <= 0) return Status::solved;
    const bool coarse = tolerance_ >= kCoarse;
    switch (exponents_) {
      case Exponents::linear:
        return coarse ? run<DormandPrince5, Exponents::linear>() : run<DormandPrince8, Exponents::linear>();
      case Exponents::hertz:
        return coarse ? run<DormandPrince5, Exponents::hertz>() : run<DormandPrince8, Exponents::hertz>();
      case Exponents::any:
        break;
    }
    return coarse ? run<DormandPrince5, Exponents::any>() : run<DormandPrince8, Exponents::any>();
  }

  /// The largest difference between the velocities that two runs of the same impact end with, relative to its speed.
  double distance(const SpringImpact& other) const {
    double result = 0;
    for (std::size_t i = 0; i < springs_.size(); ++i)
      result = std::max(result, std::abs(gamma_[i] - other.gamma_[i]) / springs_[i].speed);
    return result;
  }

  const std::vector<Spring>& springs() const { return springs_; }
  const Vector& Lambda() const { return Lambda_; }
  double duration() const { return last_release_; }
  bool collapsed() const { return collapsed_; }
  long events() const { return events_; }
  long evaluations() const { return window_.evaluations; }
  long steps() const { return steps_; }

 private:
  void prepare(const Vector& terms);
  double layers() const;
  double first_step() const;
  void begin();
  void make_window();
  void leave_window();
  void bring_up_to_date(Index i);
  bool is_alive(Index i, double s, double gamma) const;
  void set_slopes(Index l);
  void record();
  bool window_is_stale() const;
  double remaining_energy() const;
  bool fades_out();
  void project();

  template <class Pair, Exponents exponents>
  Status run();
  template <class Pair, class F>
  double locate(RungeKutta<Pair>& rk, F& motion, const Clock& clock);
  template <class Pair>
  Bernstein<RungeKutta<Pair>::degree> velocity_polynomial(const RungeKutta<Pair>& rk, Index l) const;

  struct Release {
    Index l = -1;
    double time = 0;
  };
  double gamma_at(Index l, const double* y) const;
  Release next_release(const double* slope, double within) const;
  Event event_at(Index l, double s, double gamma) const;
  double mark_after(const Spring& spring, double s) const;
  double floor(const Spring& spring) const;
  bool may_turn_twice(Index l, double sign, const Clock& clock, const double* start, const double* end) const;
  bool is_significant(Index l, double s, double gamma, double h) const;
  void transitions(const double* before, double t_before, double h);
  void note_peak(Spring& spring, double s, double time);
  void close_if_pressed(Index l);
  void turn(Spring& spring, double s);
  void open(Spring& spring, double& s, double time);

  const ContactProblem& problem_;
  const SparseMatrix& G_;
  Unloading unloading_;
  double tolerance_, care_;
  Path* path_;
  Exponents exponents_ = Exponents::any;

  std::vector<Spring> springs_;
  Vector s_, gamma_, Lambda_;  // outside the window; inside, as they were when it was made
  Vector noise_, echo_;        // velocities above -noise do not close a contact
  std::vector<int> place_;     // in the window, -1 outside
  double energy_scale_ = 0, time_scale_ = 0, local_ = 0;
  double time_ = 0, last_release_ = 0;
  long events_ = 0, steps_ = 0, next_look_ = kEventsPerLook;
  bool collapsed_ = false;

  Window window_;
  bool everything_ = false, located_ = true;
  bool slopes_changed_ = false, reach_changed_ = false;
  std::vector<Event> forced_;  // (n) what happens at the end of the step
  struct Found {
    double at;
    Index l;
    Event event;
  };
  std::vector<Found> found_;
  std::vector<Index> pressed_again_;
  struct Peak {
    Index l;
    double s, time;
  };
  std::vector<Peak> peaks_;  // of the step, found with its interpolant
};

void SpringImpact::prepare(const Vector& terms) {
  const Index m = problem_.size();
  const Vector diagonal = G_.diagonal();
  double fastest = 0, strongest = 0;  // closing speed; its square root of energy
  for (Index j = 0; j < m; ++j) {
    const Contact& contact = problem_.contacts()[j];
    const double closing = std::max(0.0, -gamma_[j]);
    if (diagonal[j] <= 0) {
      if (closing > 1e-12 * terms[j]) contradiction = j;
      continue;
    }
    const double stored = std::sqrt(2 * contact.E0);
    fastest = std::max({fastest, closing, stored * std::sqrt(diagonal[j])});
    strongest = std::max({strongest, closing / std::sqrt(diagonal[j]), stored});
  }
  energy_scale_ = 0.5 * strongest * strongest;
  if (energy_scale_ <= 0 || contradiction >= 0) return;
  springs_.reserve(m);
  s_.setZero(m);
  noise_.resize(m);
  echo_.resize(m);
  place_.assign(m, -1);
  bool linear = true, hertz = true;
  time_scale_ = std::numeric_limits<double>::infinity();
  for (Index j = 0; j < m; ++j) {
    const Contact& contact = problem_.contacts()[j];
    const double root = std::sqrt(diagonal[j]);
    Spring spring{contact.k, contact.eta, unloading_ == Unloading::gap ? 1.0 : contact.e, diagonal[j], 0, 0};
    spring.speed = std::max(std::min(strongest * root, fastest), kLeastSpeed * fastest);
    const double share = root > 0 ? spring.speed / root : strongest;
    spring.depth = std::pow(0.5 * share * share * (spring.eta + 1) / spring.k, 1 / (spring.eta + 1));
    noise_[j] = std::max(kNoise * tolerance_ * spring.speed, 4e-16 * terms[j]);
    if (root > 0) time_scale_ = std::min(time_scale_, spring.depth / spring.speed);
    echo_[j] = std::max(kEcho * tolerance_ * spring.speed, noise_[j]);
    spring.shallow = spring.depth * std::pow(kEcho * tolerance_, 2 / (spring.eta + 1));
    linear = linear && spring.eta == 1;
    hertz = hertz && spring.eta == 1.5;
    if (contact.E0 > 0) s_[j] = std::pow(contact.E0 * (spring.eta + 1) / spring.k, 1 / (spring.eta + 1));
    springs_.push_back(spring);
  }
  exponents_ = linear ? Exponents::linear : hertz ? Exponents::hertz : Exponents::any;
  everything_ = m <= kWholeWindow;
  local_ = care_ * kLocalShare * tolerance_ / (1 + layers() / kLayers);
  begin();
}

/// How many contacts a wave passes one after the other: errors of its way add up.
double SpringImpact::layers() const {
  if (everything_) return 0;
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

/// A contact that closes from s = 0 starts with a force t^eta; the step keeps its error below what is allowed.
double SpringImpact::first_step() const {
  double eta = 1;
  for (const Spring& spring : springs_)
    if (spring.phase == Phase::compression) eta = std::max(eta, spring.eta);
  return 0.3 * time_scale_;
}

/// The phases at the first touch.
void SpringImpact::begin() {
  for (Index j = 0; j < problem_.size(); ++j) {
    Spring& spring = springs_[j];
    if (spring.inverse_mass <= 0) continue;
    note_peak(spring, s_[j], 0);
    if (gamma_[j] < -noise_[j]) {
      spring.phase = Phase::compression;
      spring.bottom = spring.top = s_[j];
    } else if (s_[j] > 0) {
      spring.phase = Phase::expansion;
      spring.counts = true;
      spring.mark = mark_after(spring, s_[j]);
      if (spring.e == 0) open(spring, s_[j], 0);
    }
  }
}

void SpringImpact::note_peak(Spring& spring, double s, double time) {
  const double force = spring.force(s);
  if (force > spring.peak) {
    spring.peak = force;
    spring.peak_time = time;
  }
}

bool SpringImpact::is_alive(Index i, double s, double gamma) const {
  const Spring& spring = springs_[i];
  if (spring.inverse_mass <= 0) return false;
  if (everything_) return gamma < -noise_[i] || s > kNoise * tolerance_ * spring.depth;
  return gamma < -(spring.peak > 0 ? echo_[i] : noise_[i]) || s > spring.shallow;
}

/// Outside the window gaps grow or shrink at constant speed.
void SpringImpact::bring_up_to_date(Index i) {
  if (unloading_ == Unloading::gap) s_[i] -= gamma_[i] * (time_ - springs_[i].last);
  springs_[i].last = time_;
}

/// Follows the contacts that are alive and those that they move.
void SpringImpact::make_window() {
  Window& w = window_;
  const std::vector<Index> previous = std::move(w.contact);
  w.contact.clear();
  const auto add = [&](Index i) {
    if (place_[i] >= 0) return;
    place_[i] = 0;
    w.contact.push_back(i);
  };
  const auto add_with_neighbours = [&](Index i) {
    for (SparseMatrix::InnerIterator entry(G_, i); entry; ++entry) add(entry.row());
    add(i);
  };
  if (everything_ || previous.empty()) {
    for (Index i = 0; i < problem_.size(); ++i)
      if (everything_ || is_alive(i, s_[i], gamma_[i])) {
        if (everything_)
          add(i);
        else
          add_with_neighbours(i);
      }
  } else {
    for (const Index i : previous) {  // and what the last window moved outside of it
      if (is_alive(i, s_[i], gamma_[i])) add_with_neighbours(i);
      for (SparseMatrix::InnerIterator entry(G_, i); entry; ++entry)
        if (is_alive(entry.row(), s_[entry.row()], gamma_[entry.row()])) add_with_neighbours(entry.row());
    }
  }
  std::sort(w.contact.begin(), w.contact.end());
  const Index n = w.size();
  for (Index l = 0; l < n; ++l) place_[w.contact[l]] = static_cast<int>(l);
  for (std::vector<double>* array : {&w.k, &w.eta, &w.phi_in, &w.phi_out, &w.base, &w.gamma, &w.gamma_start, &w.latest})
    array->resize(n);
  w.y.assign(2 * n, 0.0);
  w.weight.resize(2 * n);
  w.start.assign(1, 0);
  w.column.clear();
  w.value.clear();
  located_ = n <= kLocatedWindow;
  const double local = local_;
  for (Index l = 0; l < n; ++l) {
    const Index i = w.contact[l];
    const Spring& spring = springs_[i];
    bring_up_to_date(i);
    w.k[l] = spring.k;
    w.eta[l] = spring.eta;
    w.base[l] = w.gamma[l] = gamma_[i];
    w.y[l] = s_[i];
    set_slopes(l);
    double influence = 0;
    for (SparseMatrix::InnerIterator entry(G_, i); entry; ++entry) {
      influence = std::max(influence, std::abs(entry.value()) / springs_[entry.row()].speed);
      if (place_[entry.row()] < 0) continue;
      w.column.push_back(place_[entry.row()]);
      w.value.push_back(entry.value());
    }
    w.start.push_back(static_cast<int>(w.column.size()));
    w.weight[l] = 1 / (local * spring.depth);
    w.weight[n + l] = influence / local;
  }
  slopes_changed_ = true;
  reach_changed_ = false;
}

/// Takes the state of the window back to the problem, and tells the neighbours outside what hit them.
void SpringImpact::leave_window() {
  Window& w = window_;
  const Index n = w.size();
  for (Index l = 0; l < n; ++l) {  // what is too little to follow is let go
    Spring& spring = springs_[w.contact[l]];
    if (spring.phase == Phase::open || is_alive(w.contact[l], w.y[l], w.gamma[l])) continue;
    if (spring.phase == Phase::compression) turn(spring, w.y[l]);
    open(spring, w.y[l], time_);
  }
  for (Index l = 0; l < n; ++l) {
    const double impulse = w.y[n + l];
    if (impulse == 0) continue;
    Lambda_[w.contact[l]] += impulse;
    for (SparseMatrix::InnerIterator entry(G_, w.contact[l]); entry; ++entry)
      if (place_[entry.row()] < 0) {
        bring_up_to_date(entry.row());
        gamma_[entry.row()] += entry.value() * impulse;
      }
  }
  for (Index l = 0; l < n; ++l) {
    gamma_[w.contact[l]] = w.gamma[l];
    s_[w.contact[l]] = w.y[l];
    springs_[w.contact[l]].last = time_;
  }
  for (const Index i : w.contact) place_[i] = -1;
}

/// phi of both signs of gamma. Where kinks are located, a phase keeps its phi until it ends; else the sign decides.
void SpringImpact::set_slopes(Index l) {
  const Spring& spring = springs_[window_.contact[l]];
  double in = 1, out = 1;
  if (spring.inverse_mass <= 0) {
    in = out = 0;
  } else if (unloading_ != Unloading::gap && spring.phase == Phase::open) {
    out = 0;
  } else if (unloading_ == Unloading::bi && spring.e > 0) {
    const double fast = 1 / (spring.e * spring.e);
    if (!located_ || spring.phase == Phase::expansion) out = fast;
    if (located_ && spring.phase == Phase::expansion) in = fast;
  }
  if (window_.phi_in[l] == in && window_.phi_out[l] == out) return;
  window_.phi_in[l] = in;
  window_.phi_out[l] = out;
  slopes_changed_ = true;
}

double SpringImpact::gamma_at(Index l, const double* y) const {
  double gamma = window_.base[l];
  for (int entry = window_.start[l]; entry < window_.start[l + 1]; ++entry)
    gamma += window_.value[entry] * y[window_.size() + window_.column[entry]];
  return gamma;
}

/// The contact that opens next, if one does within the given time.
SpringImpact::Release SpringImpact::next_release(const double* slope, double within) const {
  Release next;
  if (!located_ || unloading_ == Unloading::mono) return next;
  const Window& w = window_;
  for (Index l = 0; l < w.size(); ++l) {
    const Spring& spring = springs_[w.contact[l]];
    if (spring.phase != Phase::expansion || w.gamma[l] <= 0) continue;
    const double phi = w.phi_out[l], s = w.y[l], gamma = w.gamma[l];
    if (s > 3 * phi * gamma * within) continue;
    double acceleration = 0;
    for (int entry = w.start[l]; entry < w.start[l + 1]; ++entry)
      acceleration += w.value[entry] * slope[w.size() + w.column[entry]];
    const double root = gamma * gamma + 2 * acceleration * s / phi;
    if (root <= 0) continue;  // it turns before
    const double time = 2 * s / phi / (gamma + std::sqrt(root));
    if (time <= within) {
      within = time;
      next = {l, time};
    }
  }
  return next;
}

/// How the phase changes if it is found in this state: not at all, by the sign of gamma, or by the indentation.
Event SpringImpact::event_at(Index l, double s, double gamma) const {
  const Spring& spring = springs_[window_.contact[l]];
  if (spring.inverse_mass <= 0) return Event::none;
  switch (spring.phase) {
    case Phase::open:
      return s > 0 || (gamma < 0 && unloading_ != Unloading::gap) ? Event::closes : Event::none;
    case Phase::compression:
      return gamma > 0 ? Event::turns : Event::none;
    case Phase::expansion:
      return s <= floor(spring) ? Event::opens : gamma < 0 ? Event::turns : Event::none;
  }
  return Event::none;
}

/// What an expansion that starts at s needs to remember.
double SpringImpact::mark_after(const Spring& spring, double s) const {
  if (unloading_ != Unloading::mono) return std::max(s, 0.0);
  return s * std::pow(1 - spring.e * spring.e, 1 / (spring.eta + 1));
}

/// The indentation at which an expanding contact opens.
double SpringImpact::floor(const Spring& spring) const {
  return unloading_ == Unloading::mono && spring.phase == Phase::expansion ? spring.mark : 0;
}

/// Whether leaving the event somewhere inside a step of length h would change the outcome: by the force or the
/// indentation that overshoots it.
bool SpringImpact::is_significant(Index l, double s, double gamma, double h) const {
  const Spring& spring = springs_[window_.contact[l]];
  const double share = kInsignificant * local_;
  const double force = share * spring.speed / (spring.inverse_mass * h);
  const auto kink = [&] { return s <= 0 && spring.force(-s) > force; };  // of the force at s = 0
  if (spring.phase == Phase::open) return spring.force(s) > force;
  if (spring.e == 1) return kink();
  const double deepest = std::max(s, window_.y[l]);
  const bool jumps = spring.e == 0 || unloading_ == Unloading::mono;  // the force does
  if (jumps && spring.phase == Phase::compression) return spring.force(deepest) > force;
  if (jumps && s <= spring.mark) return spring.force(spring.mark) > force;
  if (jumps)  // a new compression, however small, moves the mark
    return gamma < 0 && spring.force(s) > force && spring.mark - mark_after(spring, s) > share * spring.depth;
  const bool turns = (spring.phase == Phase::compression) == (gamma > 0);
  const double overshoot = std::min(std::abs(gamma) * h * (1 / (spring.e * spring.e) - 1), deepest);
  return kink() || (turns && overshoot > share * spring.depth &&
                    spring.force(deepest) * spring.eta * overshoot > force * deepest);
}

template <class Pair>
Bernstein<RungeKutta<Pair>::degree> SpringImpact::velocity_polynomial(const RungeKutta<Pair>& rk, Index l) const {
  Bernstein<RungeKutta<Pair>::degree> gamma;
  gamma.fill(window_.base[l]);
  for (int entry = window_.start[l]; entry < window_.start[l + 1]; ++entry) {
    const auto impulse = rk.polynomial(window_.size() + window_.column[entry]);
    for (std::size_t i = 0; i < gamma.size(); ++i) gamma[i] += window_.value[entry] * impulse[i];
  }
  return gamma;
}

/// Whether gamma, of the given sign at both ends of the step, may have the other sign in between by more than noise: it
/// has not if the cubic through its values and slopes keeps clear of zero.
bool SpringImpact::may_turn_twice(Index l, double sign, const Clock& clock, const double* start,
                                  const double* end) const {
  const Window& w = window_;
  double slope = 0, end_slope = 0;
  for (int entry = w.start[l]; entry < w.start[l + 1]; ++entry) {
    const Index force = w.size() + w.column[entry];
    slope += w.value[entry] * start[force];
    end_slope += w.value[entry] * end[force];
  }
  const double third = clock.span() / 3;
  const double dip = std::min(sign * (w.gamma_start[l] + third * slope), sign * (w.gamma[l] - third * end_slope));
  return dip < 0 && is_significant(l, w.y[l], sign * dip, clock.length);
}

/// The part of the finished step up to its first significant event, 1 if there is none. Notes in `forced_` what happens
/// then, and in `peaks_` the largest indentations on the way.
template <class Pair, class F>
double SpringImpact::locate(RungeKutta<Pair>& rk, F& motion, const Clock& clock) {
  using Polynomial = Bernstein<RungeKutta<Pair>::degree>;
  const auto scaled = [](Polynomial p, double sign, double level) {
    for (double& c : p) c = sign * (c - level);
    return p;
  };
  const Window& w = window_;
  bool interpolated = false;
  const auto interpolate = [&] {
    if (!interpolated) rk.interpolate(motion, 0, clock.span(), w.y.data());
    interpolated = true;
  };
  double first = 1;
  found_.clear();
  peaks_.clear();
  for (Index l = 0; l < w.size(); ++l) {
    const double s = rk.end()[l], gamma = w.gamma[l];
    const Event at_end = event_at(l, s, gamma);
    const Spring& spring = springs_[w.contact[l]];
    if (at_end == Event::none) {
      if (spring.e == 1 || spring.phase == Phase::open || !located_) continue;
      const double sign = spring.phase == Phase::compression ? -1 : 1;
      if (!may_turn_twice(l, sign, clock, rk.start_derivative(), rk.end_derivative())) continue;
      interpolate();
      if (const auto at = numerics::first_fall(scaled(velocity_polynomial(rk, l), sign, 0))) {
        found_.push_back({*at, l, Event::turns});
        first = std::min(first, *at);
      }
      continue;
    }
    const bool peaks = spring.phase == Phase::compression && located_ &&
                       std::max(s, w.y[l]) > tolerance_ * spring.depth &&
                       spring.force(1.2 * std::max(s, w.y[l])) > spring.peak;
    const bool significant =
        is_significant(l, s, gamma, clock.length) && (located_ || spring.e == 0 || unloading_ == Unloading::mono);
    if (!significant && !peaks) continue;
    interpolate();
    // When gamma changes sign, when s passes zero or the mark. What the interpolant does not show happened at the start
    // if it was due then but for rounding, else it is left to the end of the step.
    constexpr double never = 2;
    double turn = never, pass = never;
    const auto when = [&](const Polynomial& p, double sign, double level) {
      return numerics::first_fall(scaled(p, sign, level)).value_or(sign * (p[0] - level) <= 0 ? 0 : 1);
    };
    if (spring.phase == Phase::open) {
      pass = unloading_ == Unloading::gap ? when(rk.polynomial(l), -1, 0) : when(velocity_polynomial(rk, l), 1, 0);
    } else {
      const double sign = spring.phase == Phase::compression ? -1 : 1;
      if (sign * gamma < 0) turn = when(velocity_polynomial(rk, l), sign, 0);
      // A contact that has just closed starts at zero but for rounding: passing it takes more.
      if (s <= floor(spring)) pass = when(rk.polynomial(l), 1, floor(spring) - kArrived * local_ * spring.depth);
    }
    if (peaks && turn <= 1) peaks_.push_back({l, numerics::value(rk.polynomial(l), turn), time_ + clock.time(turn)});
    if (!significant) continue;
    if (spring.phase != Phase::open && (spring.e == 1)) turn = 2;  // no kink there
    const double at = std::min(turn, pass);
    const Event event = spring.phase == Phase::open ? Event::closes : turn < pass ? Event::turns : Event::opens;
    found_.push_back({at, l, event});
    first = std::min(first, at);
  }
  if (first < 1)
    for (const Found& found : found_)
      if (found.at <= first + kSimultaneous) forced_[found.l] = found.event;
  return first;
}

/// Moves every contact into the phase that its state, or the event at the end of the step, belongs to. `before` is s at
/// the start of the step of length h.
void SpringImpact::transitions(const double* before, double t_before, double h) {
  Window& w = window_;
  for (const Peak& peak : peaks_)
    if (peak.time <= time_ + 1e-12 * h) {
      note_peak(springs_[w.contact[peak.l]], peak.s, peak.time);
      springs_[w.contact[peak.l]].top = peak.s;
    }
  for (Index l = 0; l < w.size(); ++l) {
    double& s = w.y[l];
    Spring& spring = springs_[w.contact[l]];
    Event event = std::exchange(forced_[l], Event::none);
    const bool located = event != Event::none;
    if (spring.phase == Phase::compression && spring.top < s) spring.top = s;
    if (event == Event::none) event = event_at(l, s, w.gamma[l]);
    if (event == Event::none) continue;
    if (event == Event::opens && spring.phase == Phase::compression) turn(spring, s);
    for (; event != Event::none; event = event_at(l, s, w.gamma[l])) {
      ++events_;
      if (event == Event::closes) {
        spring.phase = Phase::compression;
        spring.bottom = spring.top = std::max(s, 0.0);
        reach_changed_ = true;
      } else if (event == Event::turns) {
        turn(spring, s);
        if (spring.phase == Phase::expansion && spring.e == 0) {
          spring.mark = s;
          open(spring, s, time_);
          if (located) pressed_again_.push_back(l);
        }
      } else {
        const double fall = before[l] - s;  // linear inside a step that was not cut at the event
        const double part = located || fall <= 0 || before[l] <= 0 ? 1 : std::min(1.0, before[l] / fall);
        open(spring, s, t_before + part * h);
      }
      if (located || spring.phase == Phase::open) break;
    }
    set_slopes(l);
  }
  for (const Index l : pressed_again_) close_if_pressed(l);
  pressed_again_.clear();
}

/// A plastic contact has just let go at gamma = 0 but for rounding: the forces around it say whether it closes again.
void SpringImpact::close_if_pressed(Index l) {
  Window& w = window_;
  double slope = 0;
  for (int entry = w.start[l]; entry < w.start[l + 1]; ++entry) {
    const Index neighbour = w.column[entry];
    slope += w.value[entry] * springs_[w.contact[neighbour]].force(w.y[neighbour]);
  }
  if (slope >= 0) return;
  Spring& spring = springs_[w.contact[l]];
  spring.phase = Phase::compression;
  spring.bottom = spring.top = 0;
  set_slopes(l);
}

/// From compression to expansion or back.
void SpringImpact::turn(Spring& spring, double s) {
  if (spring.phase == Phase::compression) {
    note_peak(spring, s, time_);
    if (spring.top - spring.bottom > tolerance_ * spring.depth) {
      ++spring.compressions;
      if (spring.opened) ++spring.reimpacts;
      spring.opened = false;
      spring.counts = true;
    }
    spring.phase = Phase::expansion;
    spring.mark = mark_after(spring, s);
  } else {
    if (unloading_ == Unloading::bi)
      spring.dissipated += (1 - spring.e * spring.e) * (spring.energy(spring.mark) - spring.energy(s));
    spring.phase = Phase::compression;
    spring.bottom = spring.top = s;
  }
}

void SpringImpact::open(Spring& spring, double& s, double time) {
  if (unloading_ != Unloading::gap)
    spring.dissipated += (unloading_ == Unloading::bi ? 1 - spring.e * spring.e : 1) * spring.energy(spring.mark);
  if (spring.counts) {  // after a compression that was more than noise
    last_release_ = std::max(last_release_, time);
    spring.opened = true;
  }
  spring.counts = false;
  spring.phase = Phase::open;
  s = unloading_ == Unloading::gap ? std::min(s, 0.0) : 0;
  reach_changed_ = true;
}

bool SpringImpact::window_is_stale() const {
  if (everything_) return false;
  const Window& w = window_;
  const Index n = w.size();
  Index needed = 0;
  for (Index l = 0; l < n; ++l) {
    bool keeps = is_alive(w.contact[l], w.y[l], w.gamma[l]);
    if (keeps) {  // all its neighbours must be here
      Index inside = w.start[l + 1] - w.start[l];
      const Index i = w.contact[l];
      if (inside < G_.outerIndexPtr()[i + 1] - G_.outerIndexPtr()[i]) return true;
    }
    for (int entry = w.start[l]; !keeps && entry < w.start[l + 1]; ++entry) {
      const int neighbour = w.column[entry];
      keeps = is_alive(w.contact[neighbour], w.y[neighbour], w.gamma[neighbour]);
    }
    needed += keeps;
  }
  return 4 * needed < 3 * n;
}

/// What the contacts hold and what closing ones bring, at most: the energy that the rest of the impact can turn over.
double SpringImpact::remaining_energy() const {
  double energy = 0;
  for (Index l = 0; l < window_.size(); ++l) {
    const Spring& spring = springs_[window_.contact[l]];
    if (spring.inverse_mass <= 0) continue;
    const double closing = std::max(0.0, -window_.gamma[l]);
    energy += spring.energy(window_.y[l]) + 0.5 * closing * closing / spring.inverse_mass;
  }
  return energy;
}

/// Whether the end was only that nothing visible was left of a long row of re-impacts.
bool SpringImpact::fades_out() {
  for (Index i = 0; i < problem_.size(); ++i)
    if (springs_[i].reimpacts >= kManyReimpacts && std::abs(gamma_[i]) <= 10 * tolerance_ * springs_[i].speed)
      collapsed_ = true;
  return collapsed_;
}

/// Ends an impact that dies out: the contacts that still close are stopped at once.
void SpringImpact::project() {
  for (Index i = 0; i < problem_.size(); ++i) springs_[i].dissipated += springs_[i].energy(s_[i]);
  const numerics::LcpSolution end = numerics::solve_lcp(G_, gamma_, Vector());
  if (end.status != numerics::LcpStatus::solved) return;
  const Vector after = gamma_ + G_ * end.x;
  for (Index i = 0; i < problem_.size(); ++i) springs_[i].dissipated -= 0.5 * end.x[i] * (gamma_[i] + after[i]);
  Lambda_ += end.x;
  gamma_ = after;
}

void SpringImpact::record() {
  if (path_ == nullptr) return;
  const Index m = problem_.size(), n = window_.size();
  Path::State state;
  state.time = time_;
  state.Lambda = Lambda_;
  state.force = Vector::Zero(m);
  state.stored = Vector::Zero(m);
  for (Index l = 0; l < n; ++l) {
    const Index i = window_.contact[l];
    state.Lambda[i] += window_.y[n + l];
    state.force[i] = springs_[i].force(window_.y[l]);
    state.stored[i] = springs_[i].energy(window_.y[l]);
  }
  path_->states.push_back(std::move(state));
}

template <class Pair, Exponents exponents>
Status SpringImpact::run() {
  RungeKutta<Pair> rk;
  StepControl control(Pair::error_order);
  Motion<exponents> motion{window_};
  Clock clock;
  const long limit = kSteps + kStepsPerContact * static_cast<long>(problem_.size());
  make_window();
  record();
  rk.resize(2 * window_.size());
  forced_.assign(window_.size(), Event::none);
  std::vector<double> before;
  double h = first_step();
  bool from_rest = true, near_release = false;
  for (;;) {
    bool alive = false;
    for (Index l = 0; l < window_.size() && !alive; ++l)
      alive = is_alive(window_.contact[l], window_.y[l], window_.gamma[l]);
    if (!alive) break;
    Clocked<Motion<exponents>> clocked{motion, clock, 2 * window_.size()};
    double* y = window_.y.data();
    clock = {Clock::Kind::plain, h};
    if (slopes_changed_) {
      rk.start(clocked, 0, y);
      slopes_changed_ = false;
    }
    // How long, and in which variable.
    bool opens = false;  // at the end of the step
    Release release = next_release(rk.start_derivative(), 1.5 * h);
    if (from_rest) {
      clock.kind = Clock::Kind::starts;
      release.l = -1;
    } else if (release.l >= 0 && near_release) {
      clock = {Clock::Kind::plain, std::min(h, 0.5 * release.time)};
    } else if (release.l >= 0) {
      const double eta = springs_[window_.contact[release.l]].eta;
      clock = {eta == std::floor(eta) ? Clock::Kind::plain : Clock::Kind::ends, release.time};
      opens = true;
    }
    if (release.l >= 0 && release.time <= kShortest * time_scale_) {  // opens together with another one
      forced_[release.l] = Event::opens;
      transitions(y, time_, 0);
      continue;
    }
    if (++steps_ > limit || !(clock.length > kShortest * time_scale_)) {
      leave_window();
      return Status::iteration_limit;
    }
    if (clock.kind != Clock::Kind::plain) rk.start(clocked, 0, y);
    double error = rk.attempt(clocked, 0, clock.span(), y, window_.weight.data());
    const bool aimed = opens;
    for (int correction = 0; error <= 1 && aimed; ++correction) {  // Newton's method for the end of the step
      const double s = rk.end()[release.l], speed = window_.phi_out[release.l] * gamma_at(release.l, rk.end());
      opens = std::abs(s) <= kArrived * local_ * springs_[window_.contact[release.l]].depth;
      if (opens || correction == kCorrections || !(std::abs(s) < 0.5 * speed * clock.length)) break;
      clock.length += s / speed;
      if (clock.kind != Clock::Kind::plain) rk.start(clocked, 0, y);
      error = rk.attempt(clocked, 0, clock.span(), y, window_.weight.data());
    }
    if (!(error <= 1)) {
      slopes_changed_ = clock.kind != Clock::Kind::plain;
      if (aimed)
        near_release = true;
      else
        h = control.after_failure(clock.length, error);
      continue;
    }
    rk.finish(clocked, clock.span());
    window_.gamma_start.swap(window_.gamma);
    window_.gamma = window_.latest;
    if (clock.kind == Clock::Kind::plain && !aimed) {
      const double next = control.after_success(clock.length, error);
      h = clock.length < h ? std::max(h, next) : next;
    }
    const double part = locate(rk, clocked, clock);
    double taken = clock.length;
    const double t_before = time_;
    before.assign(y, y + window_.size());
    if (part < 1) {
      taken = clock.time(part);
      clock = {Clock::Kind::plain, taken};
      slopes_changed_ = true;
      if (taken > kShortest * time_scale_) {
        rk.start(clocked, 0, y);
        rk.attempt(clocked, 0, taken, y, window_.weight.data());
        rk.finish(clocked, taken);
      } else {
        taken = 0;
        motion(time_, y, const_cast<double*>(rk.end_derivative()));
      }
      window_.gamma = window_.latest;
    } else if (opens) {
      forced_[release.l] = Event::opens;
    }
    from_rest = near_release = false;
    time_ += taken;
    if (taken > 0) {
      std::copy(rk.end(), rk.end() + 2 * window_.size(), y);
      if (clock.kind == Clock::Kind::plain)
        rk.advance();
      else
        slopes_changed_ = true;
    }
    transitions(before.data(), t_before, taken);
    record();
    if (events_ >= next_look_) {
      next_look_ = events_ + kEventsPerLook;
      const double small = kDyingOut * tolerance_;
      if (remaining_energy() <= small * small * energy_scale_) {
        collapsed_ = true;
        break;
      }
    }
    if (window_is_stale()) {
      leave_window();
      make_window();
      rk.resize(2 * window_.size());
      forced_.assign(window_.size(), Event::none);
    }
  }
  leave_window();
  if (collapsed_ || fades_out()) project();
  return Status::solved;
}

/// The impact at the accuracy asked for. Where many events follow each other, small errors may grow: then it is
/// integrated again with more care until the velocities agree.
struct Checked {
  std::unique_ptr<SpringImpact> impact;
  Status status = Status::iteration_limit;
  double error = 0;  // of the velocities, relative, if it is above the tolerance
};

Checked integrate(const ContactProblem& problem, const NormalProblem& normal, Unloading unloading, double tolerance,
                  Path* path) {
  const auto attempt = [&](double care) {
    if (path != nullptr) path->states.clear();
    Checked result;
    result.impact = std::make_unique<SpringImpact>(problem, normal, unloading, tolerance, care, path);
    result.status = result.impact->run();
    return result;
  };
  Checked result = attempt(1);
  const bool trusted =
      problem.size() > kWholeWindow || result.impact->events() <= kTrustedEvents * static_cast<long>(problem.size());
  double care = 1;
  while (!trusted && result.status == Status::solved) {
    if (result.impact->collapsed() && result.impact->steps() > kLongCollapse) break;
    care *= kMoreCare;
    Checked again = attempt(care);
    if (again.status != Status::solved) break;
    const double error = result.impact->distance(*again.impact);
    again.error = error > tolerance ? error : 0;
    result = std::move(again);
    if (error <= tolerance || care * kLocalShare * tolerance < kMostCare) break;
  }
  return result;
}

}  // namespace

Impulses spring_impulses(const ContactProblem& problem, Unloading unloading, double tolerance, std::string_view law,
                         Path* path) {
  const NormalProblem normal(problem);
  const Checked checked = integrate(problem, normal, unloading, tolerance, path);
  const SpringImpact& impact = *checked.impact;
  Impulses impulses;
  impulses.status = checked.status;
  const Index m = problem.size();
  if (impulses.status == Status::no_solution) return contradiction(problem, Vector::Unit(m, impact.contradiction), law);
  if (impulses.status == Status::iteration_limit)
    impulses.message = fmt::format("{}: not at its end after {} steps", law, impact.steps());
  else if (checked.error > 0)
    impulses.message =
        fmt::format("{}: {} events amplify rounding; u+ is known to {:.1g} only", law, impact.events(), checked.error);
  impulses.Lambda = normal.to_rows(impact.Lambda());
  impulses.accuracy = std::max(tolerance, checked.error);
  impulses.dissipated_normal = impulses.dissipated_friction = Vector::Zero(m);
  ContactHistory history;
  history.peak_time = Vector::Zero(m);
  history.compressions.assign(m, 0);
  history.reimpacts.assign(m, 0);
  history.collapsed = impact.collapsed();
  Vector peak = Vector::Zero(m);
  for (std::size_t j = 0; j < impact.springs().size(); ++j) {
    const Spring& spring = impact.springs()[j];
    impulses.dissipated_normal[j] = spring.dissipated;
    peak[j] = spring.peak;
    history.peak_time[j] = spring.peak_time;
    history.compressions[j] = spring.compressions;
    history.reimpacts[j] = spring.reimpacts;
  }
  impulses.peak_force = std::move(peak);
  if (!impact.collapsed()) impulses.duration = impact.duration();
  impulses.events = impact.events();
  impulses.history = std::move(history);
  impulses.cost.evaluations = impact.evaluations();
  impulses.cost.iterations = impact.steps();
  return impulses;
}

}  // namespace carom
