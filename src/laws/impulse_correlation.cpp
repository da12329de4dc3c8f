#include "carom/laws/impulse_correlation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "carom/impact/solve.h"
#include "carom/laws/newton.h"
#include "carom/numerics/decompositions.h"

namespace carom {
namespace {

constexpr double kStill = 3e-12;           // of the terms a velocity is summed from
constexpr double kEmpty = 1e-22;           // of the energy of the fastest approach: stored energy that is none
constexpr double kTogether = 1e-9;         // of closing speeds: equally fast
constexpr double kFading = 1e-8;           // of the first closing speed: impacts that fade below it have no end
constexpr double kFadedAway = 1e-6;        // of the first closing speed: what is left below it changes little
constexpr double kNoNeighbour = 1e-24;     // of the mobilities: the square of a coupling that is none
constexpr int kMostSweeps = 20000;         // over resting contacts that share what keeps them closed
constexpr std::size_t kMostSettled = 100;  // of them that get all digits by a factorization
constexpr double kSettled = 1e-6;          // of a share: more than sweeps leave open
constexpr long kMostEvents = 4000, kMostEventsPerContact = 400;

enum class Ends { opens, closes, turns, empties };

/// The P at which E = rate (c P + v P^2 / 2), c >= 0: expansion has used up the energy. Infinite: it never does.
double until_empty(double E, double c, double v, double rate) {
  if (c * c + 2 * v * E / rate < 0) return std::numeric_limits<double>::infinity();
  const double q = 2 * E / rate, root = std::sqrt(std::max(0.0, c * c + v * q));
  return c + root > 0 ? q / (c + root) : std::numeric_limits<double>::infinity();
}

/// The impact, phase by phase: in a phase the primary contacts stay the same.
class Correlated {
 public:
  Correlated(const ContactProblem& problem, const NormalProblem& normal, const ImpulseCorrelation& law)
      : problem_(problem),
        normal_(normal),
        law_(law),
        G_(normal.G()),
        gamma_(normal.gamma_free),
        terms_(normal.gamma_terms),
        E_(problem.size()),
        e_(problem.size()),
        Lambda_(Vector::Zero(problem.size())),
        lost_(Vector::Zero(problem.size())) {
    for (Index i = 0; i < problem.size(); ++i) {
      E_[i] = problem.contacts()[i].E0;
      e_[i] = problem.contacts()[i].e;
      if (const double mobility = G_.coeff(i, i); mobility > 0)
        energy_ = std::max({energy_, 0.5 * gamma_[i] * gamma_[i] / mobility, E_[i]});
    }
  }

  Impulses answer() {
    std::vector<Index> primary;
    for (primary = next_primaries(); !primary.empty() && failed_ < 0; primary = next_primaries()) {
      if (events_ >= most_events() || !goes_on(problem_.options.watch, spent())) break;
      ++phases_;
      phase(primary);
    }
    Impulses impulses;
    if (failed_ >= 0) {
      impulses.status = Status::no_solution;
      impulses.message =
          fmt::format("{}: no end: with these ratios the neighbours press '{}' together at least as fast as it parts",
                      ImpulseCorrelation::name, problem_.contacts()[failed_].name);
      return impulses;
    }
    impulses.dissipated_normal = lost_;
    impulses.dissipated_friction = Vector::Zero(problem_.size());
    impulses.events = events_;
    impulses.cost.iterations = events_;
    impulses.Lambda = Lambda_;
    if (!primary.empty()) end_at_once(impulses);
    if (primary.empty() && phases_ > 2 && last_speed_ < kFading * first_speed_)
      impulses.remarks.push_back(fmt::format("{}: the impacts never end, ever weaker; {} were followed, until rounding",
                                             ImpulseCorrelation::name, phases_));
    return impulses;
  }

 private:
  long most_events() const { return kMostEvents + kMostEventsPerContact * static_cast<long>(problem_.size()); }
  double spent() const { return static_cast<double>(events_) / static_cast<double>(most_events()); }
  bool closes(Index i) const { return gamma_[i] < -kStill * terms_[i]; }
  bool stores(Index i) const { return E_[i] > kEmpty * energy_; }

  /// All that close fastest, or store most. Empty: the impact is over.
  std::vector<Index> next_primaries() {
    double fastest = 0, fullest = 0;
    for (Index i = 0; i < problem_.size(); ++i) {
      if (closes(i)) fastest = std::max(fastest, -gamma_[i]);
      if (stores(i)) fullest = std::max(fullest, E_[i]);
    }
    std::vector<Index> found;
    for (Index i = 0; i < problem_.size(); ++i) {
      if (fastest > 0 ? closes(i) && -gamma_[i] >= (1 - kTogether) * fastest
                      : stores(i) && E_[i] >= (1 - kTogether) * fullest)
        found.push_back(i);
    }
    if (fastest > 0) {
      if (first_speed_ == 0) first_speed_ = fastest;
      last_speed_ = fastest;
    }
    return found;
  }

  double ratio(Index primary, Index other) const {
    return law_.ratios.size() > 0 ? law_.ratios(primary, other) : law_.ratio;
  }

  /// Whether one moves the other, beyond rounding.
  bool are_neighbours(Index i, Index j, double coupling) const {
    return coupling * coupling > kNoNeighbour * G_.coeff(i, i) * G_.coeff(j, j);
  }

  /// Who gets an impulse, how much of it per impulse of a primary contact, and how fast the gaps then open.
  struct Shares {
    std::vector<Index> contacts;  // that get one or feel one
    Vector share, rate;           // (contacts) dP_j, dgamma_j
  };

  Shares shares(const std::vector<Index>& primary) {
    std::vector<double>& share = share_;
    share.assign(static_cast<std::size_t>(problem_.size()), 0);
    std::vector<Index> pushed = primary, resting;
    for (const Index i : primary)
      for (SparseMatrix::InnerIterator entry(G_, i); entry; ++entry) {
        const Index j = entry.row();
        const bool is_primary = std::binary_search(primary.begin(), primary.end(), j);
        const bool rests = std::abs(gamma_[j]) <= kStill * terms_[j] && !stores(j);
        if (is_primary || !are_neighbours(i, j, entry.value()) || !(rests || closes(j) || stores(j))) continue;
        if (share[j] == 0) pushed.push_back(j);
        if (share[j] == 0 && rests) resting.push_back(j);
        if (rests) gamma_[j] = 0;
        share[j] += ratio(i, j);
      }
    for (const Index i : primary) share[i] = 1;
    const std::vector<Index> held = hold(resting);
    Shares result;
    for (const Index j : pushed)
      for (SparseMatrix::InnerIterator entry(G_, j); entry; ++entry) result.contacts.push_back(entry.row());
    std::sort(result.contacts.begin(), result.contacts.end());
    result.contacts.erase(std::unique(result.contacts.begin(), result.contacts.end()), result.contacts.end());
    result.share.resize(static_cast<Index>(result.contacts.size()));
    result.rate.resize(static_cast<Index>(result.contacts.size()));
    for (std::size_t k = 0; k < result.contacts.size(); ++k) {
      const Index felt = result.contacts[k];
      const bool stays = std::find(held.begin(), held.end(), felt) != held.end();
      result.share[static_cast<Index>(k)] = share[felt];
      result.rate[static_cast<Index>(k)] = stays ? 0 : rate_of(felt);
    }
    return result;
  }

  /// How fast a gap opens with the shares of now.
  double rate_of(Index j) const {
    double rate = 0;
    for (SparseMatrix::InnerIterator entry(G_, j); entry; ++entry) rate += entry.value() * share_[entry.row()];
    return rate;
  }

  /// A contact that stores nothing cannot push its bodies apart: where its share would, it gets what keeps it closed.
  /// Those that stay so.
  std::vector<Index> hold(const std::vector<Index>& resting) {
    std::vector<double> most;
    for (const Index j : resting) most.push_back(share_[j]);
    std::vector<char> between(resting.size(), 0);
    const Watch* const watch = problem_.options.watch;
    for (int sweep = 0; sweep < kMostSweeps && !(watch != nullptr && watch->is_cancelled()); ++sweep) {
      double change = 0;
      for (std::size_t k = 0; k < resting.size(); ++k) {
        double& share = share_[resting[k]];
        const double wanted = share - rate_of(resting[k]) / G_.coeff(resting[k], resting[k]);
        const double taken = std::clamp(wanted, 0.0, most[k]);
        between[k] = taken > 0 && taken < most[k];
        change = std::max(change, std::abs(taken - share));
        share = taken;
      }
      if (change <= kStill) break;
    }
    std::vector<Index> held;
    for (std::size_t k = 0; k < resting.size(); ++k)
      if (between[k]) held.push_back(resting[k]);
    settle(held);
    return held;
  }

  /// All digits of the shares that sweeps have found: what is left over opens contacts that end together in an order
  /// of its own.
  void settle(const std::vector<Index>& held) {
    if (held.empty() || held.size() > kMostSettled) return;
    const Index n = static_cast<Index>(held.size());
    Matrix G(n, n);
    Vector rate(n);
    for (Index a = 0; a < n; ++a) {
      rate[a] = rate_of(held[a]);
      for (Index b = 0; b < n; ++b) G(a, b) = G_.coeff(held[a], held[b]);
    }
    const Vector change = numerics::CompleteOrthogonal(G).solve(rate);
    if (!change.allFinite() || change.cwiseAbs().maxCoeff() > kSettled) return;  // redundant contacts: as they are
    for (Index a = 0; a < n; ++a) share_[held[a]] = std::max(0.0, share_[held[a]] - change[a]);
  }

  double loss_rate(Index j) const { return 1 / (e_[j] * e_[j]); }

  /// Velocities anew from the impulses, so that rounding does not add up from phase to phase. Whether one has come to
  /// rest by that.
  bool refresh(const std::vector<Index>& contacts) {
    bool rests = false;
    for (const Index j : contacts) {
      if (gamma_[j] == 0) continue;
      double gamma = normal_.gamma_free[j];
      for (SparseMatrix::InnerIterator entry(G_, j); entry; ++entry) gamma += entry.value() * Lambda_[entry.row()];
      gamma_[j] = std::abs(gamma) <= kStill * terms_[j] ? 0 : gamma;
      rests = rests || gamma_[j] == 0;
    }
    return rests;
  }

  /// Until every primary contact has given back its energy.
  void phase(std::vector<Index> primary) {
    for (const Index i : primary)
      if (const SharedRestitution& e_of = problem_.contacts()[i].e_of; e_of && !stores(i))
        e_[i] = e_of->at(-gamma_[i], 0.5 * gamma_[i] * gamma_[i] / G_.coeff(i, i));
    for (bool first = true; !primary.empty() && events_ < most_events(); first = false) {
      if (!goes_on(problem_.options.watch, spent())) return;
      Shares now = shares(primary);
      if (first && refresh(now.contacts)) now = shares(primary);
      double P = std::numeric_limits<double>::infinity();
      Index which = -1;
      Ends how = Ends::turns;
      const auto consider = [&](double at, Index k, Ends ends) {
        if (at < P) P = at, which = k, how = ends;
      };
      for (Index k = 0; k < now.share.size(); ++k) {
        const Index j = now.contacts[k];
        const double a = now.share[k], v = now.rate[k], gamma = gamma_[j];
        const bool expands = gamma > 0 || (gamma == 0 && v > 0);
        if (a > 0 && !expands && v > 0) consider(-gamma / v, k, Ends::turns);
        if (a > 0 && expands) {
          const double e = e_[j];
          const double empty = e > 0 && stores(j) ? until_empty(E_[j], gamma, v, a * loss_rate(j)) : 0;
          const double back = v < 0 ? -gamma / v : std::numeric_limits<double>::infinity();
          empty <= back ? consider(empty, k, Ends::empties) : consider(back, k, Ends::closes);
        }
        if (a == 0 && gamma > 0 && v < 0) consider(-gamma / v, k, Ends::closes);
      }
      if (which < 0 || !std::isfinite(P)) {
        failed_ = primary.front();
        return;
      }
      advance(now, P);
      ++events_;
      const Index ended = now.contacts[which];
      if (how == Ends::turns || how == Ends::closes) gamma_[ended] = 0;
      if (how == Ends::empties || (how == Ends::turns && e_[ended] == 0)) give_back(ended, primary);
      for (Index k = 0; k < now.share.size(); ++k) {  // all that turn or close at this moment do
        const Index j = now.contacts[k];
        if (j == ended || gamma_[j] == 0 || std::abs(gamma_[j]) > kStill * terms_[j]) continue;
        const bool turns = now.share[k] > 0 && now.rate[k] > 0, closes = now.rate[k] < 0;
        if (turns || closes) gamma_[j] = 0;
        if (turns && e_[j] == 0) give_back(j, primary);
      }
    }
  }

  /// A neighbour that has given back its energy leaves because it is open now, a primary contact is done.
  void give_back(Index j, std::vector<Index>& primary) {
    E_[j] = 0;
    primary.erase(std::remove(primary.begin(), primary.end(), j), primary.end());
  }

  void advance(const Shares& now, double P) {
    for (Index k = 0; k < now.share.size(); ++k) {
      const Index j = now.contacts[k];
      const double a = now.share[k], before = gamma_[j], change = now.rate[k] * P;
      gamma_[j] += change;
      terms_[j] = std::max(terms_[j], std::abs(change));
      if (a == 0) continue;
      const double work = 0.5 * (before + gamma_[j]) * a * P;  // the contact's on the bodies
      const double e = e_[j];
      const bool expands = before + gamma_[j] > 0;
      if (expands)
        E_[j] = e > 0 ? std::max(0.0, E_[j] - work * loss_rate(j)) : 0;
      else
        E_[j] -= work;
      Lambda_[j] += a * P;
      lost_[j] -= work;
    }
  }

  /// What is left without restitution.
  void end_at_once(Impulses& impulses) const {
    ImpactProblem rest = *problem_.impact;
    Vector impulse = rest.W * normal_.to_rows(impulses.Lambda);
    if (rest.p.size() > 0) impulse += rest.p;
    rest.u_minus += rest.M.solve(std::move(impulse));
    if (!problem_.joints.empty()) rest.u_minus = problem_.joints.project(rest.u_minus);
    rest.p.resize(0);
    for (Contact& contact : rest.contacts) {
      contact.e = 0;
      contact.e_of = nullptr;
    }
    const ContactProblem reduced = reduce(rest);
    const Impulses plastic = Newton{}.impulses(reduced);
    if (plastic.status == Status::solved) {
      const Vector Lambda = plastic.Lambda(problem_.row), before = reduced.gamma_free(problem_.row);
      impulses.Lambda += Lambda;
      impulses.dissipated_normal -= Lambda.cwiseProduct(before + 0.5 * (G_ * Lambda));
    }
    if (last_speed_ <= kFadedAway * first_speed_ && first_speed_ > 0) {
      impulses.accuracy = last_speed_ / first_speed_;
      impulses.remarks.push_back(
          fmt::format("{}: the impacts never end, ever weaker; after {} events what was left, {:.1g} of the speed they "
                      "began with, was taken at once",
                      ImpulseCorrelation::name, events_, last_speed_ / first_speed_));
      return;
    }
    impulses.status = Status::iteration_limit;
    impulses.message = fmt::format(
        "{}: does not end within {} events; what was left was taken at once, without "
        "restitution",
        ImpulseCorrelation::name, events_);
  }

  const ContactProblem& problem_;
  const NormalProblem& normal_;
  const ImpulseCorrelation& law_;
  const SparseMatrix& G_;
  Vector gamma_, terms_;       // (m) [m/s] of now; the size of what they are summed from
  Vector E_;                   // (m) [J] stored
  Vector e_;                   // (m) [-] of the compressions of now
  Vector Lambda_, lost_;       // (m) [kg m/s], [J] so far
  std::vector<double> share_;  // (m) of the phase
  double energy_ = 0;          // [J] of the fastest approach
  double first_speed_ = 0, last_speed_ = 0;
  long phases_ = 0, events_ = 0;  // so far
  Index failed_ = -1;
};

}  // namespace

Impulses ImpulseCorrelation::impulses(const ContactProblem& problem) const {
  require_restitution_in_unit_interval(problem, name);
  require_no_friction(problem, name);
  if (!(ratio >= 0 && std::isfinite(ratio)))
    throw InputError("law.ratio", fmt::format("{} is not a finite number >= 0; neighbours push, too", ratio));
  if (ratios.size() > 0) {
    require_square(ratios, problem.size(), "law.ratios");
    for (Index i = 0; i < ratios.rows(); ++i)
      for (Index j = 0; j < ratios.cols(); ++j)
        if (!(ratios(i, j) >= 0 && std::isfinite(ratios(i, j))))
          throw InputError(fmt::format("law.ratios[{}][{}]", i, j),
                           fmt::format("{} is not a finite number >= 0; neighbours push, too", ratios(i, j)));
  }
  const NormalProblem normal(problem);
  Impulses impulses = Correlated(problem, normal, *this).answer();
  if (impulses.Lambda.size() > 0) impulses.Lambda = normal.to_rows(std::move(impulses.Lambda));
  return impulses;
}

}  // namespace carom
