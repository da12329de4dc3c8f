#include "carom/laws/springs/system.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "carom/numerics/lcp.h"

namespace carom::springs {
namespace {

constexpr double kRounding = 4e-16;   // of a velocity, relative to the terms it is summed from
constexpr double kEcho = 0.1;         // of the tolerance: in large systems, what a wave leaves behind below this rests
constexpr double kLeastSpeed = 1e-3;  // of the fastest closing: no contact is followed more closely than this
constexpr double kHeld = 1e-12;       // the same, of a contact that joints hold fast
constexpr double kLayers = 3000;      // contacts one after the other whose errors together count as one
constexpr double kSteep = 0.02;       // of the error of a step: for forces of infinite slope at s = 0
constexpr double kPlastic = 0.01;     // of the tolerance: an e below it is 0
constexpr double kLeastE = 1e-9;      // and so is one below this: rounding of gamma would decide its expansion
constexpr long kManyReimpacts = 8;    // of a contact, before its fading counts as a collapse
constexpr double kFaded = 10;         // tolerances: a speed that is left of them

}  // namespace

System::System(const Task& task)
    : problem(task.problem), normal(task.normal), G(task.normal.G()), tolerance(task.tolerance), ends(task.ends) {
  const Vector inverse_mass = G.diagonal();
  springs.reserve(static_cast<std::size_t>(size()));
  for (Index i = 0; i < size(); ++i) {
    Contact contact = problem.contacts()[i];
    const double least = std::max(kPlastic * tolerance, kLeastE);
    if (contact.e < least) contact.e = 0;
    springs.emplace_back(task.force(contact), inverse_mass[i], problem.contacts()[i].e_of.get(), least);
  }
  set_scales(task.energy);
  if (energy_scale <= 0 || held >= 0) return;
  step_error = task.care * kStepShare * tolerance / (1 + layers(State(*this).s) / kLayers);
  if (std::any_of(springs.begin(), springs.end(), [](const Spring& spring) { return spring.power.eta < 1; }))
    step_error *= kSteep;
}

void System::set_scales(double least_energy) {
  const double least = std::sqrt(2 * least_energy);
  double fastest = 0, strongest = least;  // closing speed [m/s], square root of twice its energy [J^1/2]
  for (Index i = 0; i < size(); ++i) {
    const double closing = std::max(0.0, -normal.gamma_free[i]), inverse = springs[i].inverse_mass;
    if (!springs[i].moves()) {
      if (closing > kHeld * normal.gamma_terms[i]) held = i;
      continue;
    }
    const double root = std::sqrt(inverse), stored = std::sqrt(2 * problem.contacts()[i].E0);
    fastest = std::max({fastest, closing, std::max(stored, least) * root});
    strongest = std::max({strongest, closing / root, stored});
  }
  energy_scale = 0.5 * strongest * strongest;
  if (energy_scale <= 0) return;
  time_scale = std::numeric_limits<double>::infinity();
  noise_.resize(size());
  echo_.resize(size());
  bool linear = true, hertz = true;
  for (Index i = 0; i < size(); ++i) {
    Spring& spring = springs[i];
    const double most = strongest * std::sqrt(spring.inverse_mass);  // if all energy went there
    spring.set_scale(std::clamp(most, kLeastSpeed * fastest, fastest), tolerance);
    noise_[i] = std::max(kNoise * tolerance * spring.speed, kRounding * normal.gamma_terms[i]);
    echo_[i] = std::max(kEcho * tolerance * spring.speed, noise_[i]);
    if (spring.moves()) time_scale = std::min(time_scale, spring.depth / spring.speed);
    lossy = lossy || !spring.is_elastic();
    if (const double e = spring.smallest_e(normal.gamma_free[i]); e > 0) least_e = std::min(least_e, e);
    jumps = jumps || spring.may_jump();
    turns_decide = turns_decide || spring.depends_on_work();
    linear = linear && spring.power.eta == 1;
    hertz = hertz && spring.power.eta == 1.5;
  }
  exponents = linear ? Exponents::linear : hertz ? Exponents::hertz : Exponents::any;
}

/// How many contacts a wave passes one after the other: the errors of its way add up.
double System::layers(const Vector& s) const {
  if (is_small()) return 0;
  std::vector<char> seen(static_cast<std::size_t>(size()), 0);
  std::vector<Index> front, next;
  for (Index i = 0; i < size(); ++i)
    if (normal.gamma_free[i] < -noise_[i] || s[i] > 0) {
      seen[i] = 1;
      front.push_back(i);
    }
  double count = 0;
  for (; !front.empty(); front.swap(next), ++count) {
    next.clear();
    for (const Index i : front)
      for (SparseMatrix::InnerIterator entry(G, i); entry; ++entry)
        if (!std::exchange(seen[entry.row()], 1)) next.push_back(entry.row());
  }
  return count;
}

double System::energy_at(Index i, double s, double gamma) const {
  const Spring& spring = springs[i];
  if (!spring.moves()) return 0;
  const double closing = std::max(0.0, -gamma);
  return spring.energy(s) + 0.5 * closing * closing / spring.inverse_mass;
}

bool System::is_invisible(double energy, double share) const {
  const double visible = share * tolerance;
  return energy <= visible * visible * energy_scale;
}

State::State(const System& system) : s(system.size()), contacts(static_cast<std::size_t>(system.size())) {
  for (Index i = 0; i < system.size(); ++i) s[i] = system.springs[i].power.indentation(system.problem.contacts()[i].E0);
}

double Result::duration() const {
  double last = 0;
  for (const SpringState& contact : contacts) last = std::max(last, contact.released);
  return last;
}

double Result::distance(const Result& other) const {
  return ((gamma - other.gamma).array().abs() / speed.array()).maxCoeff();
}

bool is_faded(const System& system, const std::vector<SpringState>& contacts, const Vector& gamma) {
  if (!system.lossy) return false;
  for (Index i = 0; i < system.size(); ++i)
    if (contacts[i].reimpacts >= kManyReimpacts &&
        std::abs(gamma[i]) <= kFaded * system.tolerance * system.springs[i].speed)
      return true;
  return false;
}

Vector stopping_impulses(const System& system, const Vector& gamma) {
  numerics::LcpSolution end = numerics::solve_lcp(system.G, gamma, Vector());
  return end.status == numerics::LcpStatus::solved ? std::move(end.x) : Vector();
}

}  // namespace carom::springs
