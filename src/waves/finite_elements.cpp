#include "carom/waves/finite_elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "carom/base/error.h"
#include "carom/numerics/lcp.h"
#include "carom/waves/rod_elements.h"

namespace carom::waves {
namespace {

constexpr int kMostElements = 1'000'000;

/// One contact: which rods, and what a force between them does to the gap in a step.
struct Pair {
  int left = kNone, right = kNone;  // rods; none for what does not move
  double gap = 0;                   // [m] of the unstressed rods at t = 0
};

class Elements {
 public:
  Elements(const RodsProblem& problem, const ElementsOptions& options) : problem_(problem), options_(options) {
    double slowest = 0;
    for (const Rod& rod : problem.rods) slowest = std::max(slowest, rod.crossing());
    const double element = slowest / options.elements;  // [s] to cross one
    steps_ = std::ceil(problem.duration / element * std::sqrt(2.0));
    h_ = problem.duration / steps_;
    for (const Rod& rod : problem.rods) {
      const double count = std::max(2.0, std::round(rod.crossing() / element));
      rods_.emplace_back(rod, static_cast<int>(count), h_);
      if (!rods_.back().is_in_range())
        throw InputError("rods", fmt::format("has numbers too far apart for finite elements in steps of {} s", h_));
      nodes_ += count;
      fastest_ = std::max(fastest_, std::abs(rod.velocity));
      for (const EndForce& force : rod.forces) fastest_ = std::max(fastest_, std::abs(force.value) / rod.Z());
    }
    find_contacts();
  }

  ElementsRun run() {
    const double within = std::floor(options_.most_work / nodes_);
    const double last = std::min(steps_, std::max(1.0, within));
    record(0);
    for (double step = 1; step <= last; ++step) {
      if (!goes_on_to_end(options_.watch, (step - 1) / last)) return finish(step - 1, "it was told to stop");
      if (!advance()) return finish(step - 1, "the contact forces of a step were not found");
      t_ = step == steps_ ? problem_.duration : step * h_;
      note_contacts();
      if (options_.samples > 0 && t_ >= problem_.duration * static_cast<double>(run_.samples.size()) / options_.samples)
        record(t_);
    }
    return finish(last, last < steps_ ? "no more steps are allowed" : "");
  }

 private:
  void find_contacts() {
    const std::vector<Junction> junctions = junctions_of(problem_);
    for (const Junction& junction : junctions) {
      if (!junction.contact) continue;
      const bool left = junction.left != kNone && !problem_.rods[junction.left].is_fixed(End::right);
      const bool right = junction.right != kNone && !problem_.rods[junction.right].is_fixed(End::left);
      pairs_.push_back({left ? junction.left : kNone, right ? junction.right : kNone, junction.gap});
      run_.outcome.contacts.push_back({junction.left_name, junction.right_name, {}});
    }
    const Index m = static_cast<Index>(pairs_.size());
    G_.resize(m, m);
    std::vector<Eigen::Triplet<double>> entries;
    for (Index i = 0; i < m; ++i) {
      const Pair& pair = pairs_[i];
      double own = 0;
      if (pair.left != kNone) own += rods_[pair.left].compliance(End::right);
      if (pair.right != kNone) own += rods_[pair.right].compliance(End::left);
      entries.emplace_back(i, i, own);
      if (i + 1 == m || pair.right == kNone || pairs_[i + 1].left != pair.right) continue;
      const double other = -rods_[pair.right].cross_compliance();
      entries.emplace_back(i, i + 1, other);
      entries.emplace_back(i + 1, i, other);
    }
    G_.setFromTriplets(entries.begin(), entries.end());
  }

  /// The gap where contact forces are zero.
  double free_gap(const Pair& pair, RodElements::Moment moment) const {
    double gap = pair.gap;
    if (pair.left != kNone) gap -= rods_[pair.left].end_displacement(End::right, moment);
    if (pair.right != kNone) gap += rods_[pair.right].end_displacement(End::left, moment);
    return gap;
  }

  /// None if the complementarity problem was not solved.
  std::optional<Vector> contact_forces() const {
    Vector q(static_cast<Index>(pairs_.size()));
    for (Index i = 0; i < q.size(); ++i) q[i] = free_gap(pairs_[i], RodElements::Moment::end_of_step);
    if (q.size() == 0 || q.minCoeff() >= 0) return Vector(Vector::Zero(q.size()));
    if (q.size() == 1) return Vector(-q / G_.coeff(0, 0));
    const numerics::LcpSolution solution = numerics::solve_lcp(G_, q);
    if (solution.status != numerics::LcpStatus::solved) return {};
    return Vector(solution.x.cwiseMax(0.0));
  }

  bool advance() {
    for (RodElements& rod : rods_) rod.move_freely();
    const std::optional<Vector> forces = contact_forces();
    if (!forces) return false;
    const Vector& f = *forces;
    for (Index i = 0; i < f.size(); ++i) {
      if (f[i] == 0) continue;
      if (pairs_[i].left != kNone) rods_[pairs_[i].left].push(End::right, -f[i]);
      if (pairs_[i].right != kNone) rods_[pairs_[i].right].push(End::left, f[i]);
      ContactResult& contact = run_.outcome.contacts[i];
      contact.impulse += f[i] * h_;
      contact.peak_force = std::max(contact.peak_force, f[i]);
    }
    for (RodElements& rod : rods_) rod.finish_step();
    return true;
  }

  /// The force that the ends, which have no mass, exert at the time.
  double force_now(const Pair& pair) const {
    double soft = 0;
    if (pair.left != kNone) soft += rods_[pair.left].end_compliance();
    if (pair.right != kNone) soft += rods_[pair.right].end_compliance();
    return std::max(0.0, -free_gap(pair, RodElements::Moment::now) / soft);
  }

  void note_contacts() {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      std::vector<Interval>& intervals = run_.outcome.contacts[i].intervals;
      if (free_gap(pairs_[i], RodElements::Moment::now) > fastest_ * h_)
        continue;  // less than the way of a step is not seen
      const double begin = t_ - h_;
      if (!intervals.empty() && begin - intervals.back().end <= 0.5 * h_)
        intervals.back().end = t_;
      else
        intervals.push_back({std::max(0.0, begin), t_});
    }
  }

  RodState state(std::size_t rod) const {
    RodState state = rods_[rod].state();
    for (const Pair& pair : pairs_) {
      if (pair.left != static_cast<int>(rod) && pair.right != static_cast<int>(rod)) continue;
      const double f = force_now(pair);
      state.strain += 0.5 * f * f * rods_[rod].end_compliance();
    }
    return state;
  }

  void record(double t) {
    if (options_.samples == 0) return;
    Sample sample{t, {}, {}};
    for (std::size_t i = 0; i < rods_.size(); ++i) sample.rods.push_back(state(i));
    for (const Pair& pair : pairs_) sample.forces.push_back(force_now(pair));
    run_.samples.push_back(std::move(sample));
  }

  ElementsRun finish(double last, const std::string& why) {
    RodsOutcome& outcome = run_.outcome;
    outcome.finished = why.empty();
    outcome.reached = t_;
    outcome.steps = static_cast<long>(last);
    if (!outcome.finished)
      outcome.message = fmt::format("{}; {} with {} elements were made, and the solution is known up to {} s of {} s",
                                    why, last, nodes_, t_, problem_.duration);
    std::vector<RodState> states;
    double exchanged = 0;
    for (std::size_t i = 0; i < rods_.size(); ++i) {
      states.push_back(state(i));
      outcome.rods.push_back(result_of(problem_.rods[i], states.back()));
      run_.fields.push_back(rods_[i].fields());
      outcome.work += rods_[i].work();
      exchanged += std::abs(rods_[i].work());
    }
    outcome.restitution = restitution_of(problem_, outcome);
    balance(problem_, states, exchanged, outcome);
    return std::move(run_);
  }

  const RodsProblem& problem_;
  ElementsOptions options_;
  std::vector<RodElements> rods_;
  std::vector<Pair> pairs_;  // one a contact
  SparseMatrix G_;           // [m/N] gaps after a step by contact forces
  double steps_ = 0, h_ = 0, t_ = 0, nodes_ = 0, fastest_ = 0;
  ElementsRun run_;
};

}  // namespace

ElementsRun follow_elements(const RodsProblem& problem, const ElementsOptions& options) {
  validate(problem);
  if (options.elements < 2 || options.elements > kMostElements)
    throw InputError("elements",
                     fmt::format("{} elements; expected a number from 2 to {}", options.elements, kMostElements));
  return Elements(problem, options).run();
}

}  // namespace carom::waves
