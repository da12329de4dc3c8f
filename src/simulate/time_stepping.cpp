#include "simulate/time_stepping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "laws/moreau.h"
#include "simulate/contact_search.h"
#include "simulate/journal.h"
#include "simulate/smooth_motion.h"

namespace carom {
namespace {

constexpr double kTouchingInStep = 1e-8;  // of the smaller body's size: gaps up to this are closed
constexpr double kSlop = 1e-3;            // of the smaller body's size: deeper contacts are moved apart
constexpr double kTarget = 0.5;           // of the slop: how deep they are left
constexpr double kFarthest = 0.02;        // of its size: what moving contacts apart may move a body in a step

class TimeSteppingRun {
 public:
  TimeSteppingRun(const Model& model, const State& start, const TimeStepping& scheme, const ImpactLaw& law,
                  const RunOptions& options, Observer& observer)
      : model_(model),
        options_(options),
        law_(law),
        state_(start),
        rules_(model),
        search_(model, rules_),
        journal_(model, start, observer),
        summary_(journal_.summary),
        scheme_(scheme),
        steps_(static_cast<long>(std::ceil(options.duration / scheme.step - 1e-9))),
        h_(options.duration / static_cast<double>(steps_)) {
    for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body)
      if (model.first_velocity(body) >= 0) free_bodies_.push_back(body);
  }

  RunSummary go() {
    const double t0 = state_.t;
    record();
    long recorded = 1;
    for (long i = 1; i <= steps_ && summary_.status == RunStatus::solved; ++i) {
      step();
      state_.t = t0 + static_cast<double>(i) * h_;
      ++summary_.steps;
      if (state_.t >= t0 + static_cast<double>(recorded) * options_.interval - 0.5 * h_ || i == steps_) {
        record();
        ++recorded;
      }
      journal_.progress(state_.t);
    }
    return journal_.finished(state_);
  }

 private:
  void step() {
    const Vector before = state_.u;
    move((1 - scheme_.theta) * h_);
    Island all{near_touches(), free_bodies_};
    const Vector room = room_before_contact(all.touches);
    for (const Touch& touch : all.touches)
      summary_.deepest_penetration = std::max(summary_.deepest_penetration, -touch.point.gap);
    solve_step(all, h_ * forces(model_, state_).h, room);
    ++summary_.evaluations;
    book_work(before);
    move(scheme_.theta * h_);
    keep_together(all.touches);
  }

  /// The impulses of the contacts and of the smooth forces change the velocities.
  void solve_step(const Island& island, const Vector& smooth_impulse, const Vector& room) {
    IslandProblem island_problem = impact_problem(model_, rules_, state_, island);
    ImpactProblem& problem = island_problem.problem;
    problem.p = smooth_impulse(island_problem.rows);
    for (std::size_t i = 0; i < problem.contacts.size(); ++i) {
      problem.contacts[i].room = room[static_cast<Index>(i)];
      if (problem.contacts[i].room > 0) problem.contacts[i].e = 0;
    }
    if (problem.contacts.empty()) {
      const Joints joints(problem.M, problem.J);
      state_.u(island_problem.rows) =
          joints.project(problem.u_minus + problem.M.solve(problem.p)) + island_problem.frame;
      acting_.clear();
      return;
    }
    const Answer found = answer(problem, law_, scheme_.accuracy, {scheme_.accuracy, guess(island, problem)});
    journal_.step(state_, island, island_problem, found, remember(island, found.outcome));
    state_.u(island_problem.rows) = found.outcome.u_plus + island_problem.frame;
  }

  /// What the same contacts carried in the step before.
  Vector guess(const Island& island, const ImpactProblem& problem) const {
    Vector result = Vector::Zero(problem.W.cols());
    Index row = 0;
    for (std::size_t i = 0; i < island.touches.size(); row += 1 + problem.contacts[i].tangents, ++i) {
      const geometry::ContactPoint& point = island.touches[i].point;
      const auto known = acting_.find({island.touches[i].pair, point.feature});
      if (known == acting_.end()) continue;
      result[row] = point.normal.dot(known->second);
      if (problem.contacts[i].tangents > 0)
        result.segment(row + 1, problem.contacts[i].tangents) =
            tangents_of(point.normal, model_.dimension()).transpose() * known->second;
    }
    return result;
  }

  /// Keeps what the contacts carry; whether one does that did not in the step before.
  bool remember(const Island& island, const ImpactOutcome& outcome) {
    std::map<std::pair<PartPair, geometry::Feature>, Vector3> acting;
    bool is_new = false;
    for (std::size_t i = 0; i < island.touches.size() && outcome.Lambda.size() > 0; ++i) {
      const double normal = outcome.Lambda[outcome.row[i]];
      if (!(normal > 0)) continue;
      const geometry::ContactPoint& point = island.touches[i].point;
      const std::pair key(island.touches[i].pair, point.feature);
      is_new = is_new || !acting_.contains(key);
      Vector3& impulse = acting[key] = normal * point.normal;
      if (const Vector along = outcome.tangential(outcome.Lambda, i); along.size() > 0)
        impulse += tangents_of(point.normal, model_.dimension()) * along;
    }
    acting_ = std::move(acting);
    return is_new;
  }

  double ahead() const { return scheme_.theta * h_; }

  /// Contacts that bodies could close in what is left of the step, moving twice as fast as now.
  std::vector<Touch> near_touches() const {
    std::vector<double> speed(model_.bodies().size());
    for (int body = 0; body < static_cast<int>(speed.size()); ++body) {
      const Twist twist = model_.twist(body, state_);
      const double reach = search_.reach(body);
      speed[static_cast<std::size_t>(body)] = twist.velocity.norm() + h_ * model_.description().gravity.norm() +
                                              (std::isfinite(reach) ? reach * twist.angular.norm() : 0);
    }
    const double fastest = *std::max_element(speed.begin(), speed.end());
    std::vector<Touch> touches = search_.touching(state_, kTouchingInStep, 4 * ahead() * fastest);
    std::erase_if(touches, [&](const Touch& touch) {
      const double both =
          speed[static_cast<std::size_t>(touch.pair.body_a)] + speed[static_cast<std::size_t>(touch.pair.body_b)];
      return touch.point.gap > kTouchingInStep * search_.smaller_size(touch.pair) + 2 * ahead() * both;
    });
    return touches;
  }

  /// How fast each contact may still close without closing within the step; 0 for those that are closed, or will be if
  /// nothing happens: they are impacts. The others only must not overlap. To wait until bodies overlap and then move
  /// them apart would feed energy into the system.
  Vector room_before_contact(const std::vector<Touch>& touches) const {
    Vector room = Vector::Zero(static_cast<Index>(touches.size()));
    for (std::size_t i = 0; i < touches.size(); ++i) {
      const double gap = touches[i].point.gap;
      const double limit = kTouchingInStep * search_.smaller_size(touches[i].pair);
      if (gap > limit && gap + ahead() * normal_velocity(model_, state_, touches[i]) > limit)
        room[static_cast<Index>(i)] = gap / ahead();
    }
    return room;
  }

  void move(double dt) {
    state_.t += dt;
    model_.displace(state_.q, dt * state_.u);
  }

  /// What loads, prescribed bodies and dampers did over the step, at its mean velocity.
  void book_work(const Vector& before) {
    const Description& description = model_.description();
    if (description.loads.empty() && description.springs.empty() && description.torsion_springs.empty()) return;
    const Forces mean = forces(model_, {state_.t, state_.q, 0.5 * (before + state_.u)});
    summary_.books.work += h_ * mean.work_rate;
    summary_.books.dissipated_dampers += h_ * mean.damping_rate;
  }

  /// Joints back to zero, and contacts that sank deeper than the slop up to a part of it: both by the least motion.
  void keep_together(const std::vector<Touch>& touches) {
    if (!model_.description().joints.empty()) {
      const Projected projected = project(model_, state_, {});
      summary_.largest_joint_error = std::max(summary_.largest_joint_error, projected.error);
      state_.q = projected.state.q;
    }
    if (std::none_of(touches.begin(), touches.end(), [&](const Touch& touch) { return is_deep(touch); })) return;
    const double before = potential_energy(model_, state_);
    for (const Island& island : islands(model_, search_.touching(state_, kTouchingInStep)))
      if (std::any_of(island.touches.begin(), island.touches.end(), [&](const Touch& touch) { return is_deep(touch); }))
        move_apart(island);
    summary_.books.correction += potential_energy(model_, state_) - before;
  }

  bool is_deep(const Touch& touch) const { return touch.point.gap < -kSlop * search_.smaller_size(touch.pair); }

  void move_apart(const Island& island) {
    IslandProblem problem = impact_problem(model_, rules_, state_, island, true);
    problem.problem.u_minus.setZero();
    for (std::size_t i = 0; i < island.touches.size(); ++i) {
      const Touch& touch = island.touches[i];
      problem.problem.contacts[i].e = 0;
      problem.problem.drift[static_cast<Index>(i)] =
          touch.point.gap + kTarget * kSlop * search_.smaller_size(touch.pair);
    }
    // from a guess, as a step is
    const SolveOptions options{scheme_.accuracy, Vector::Zero(static_cast<Index>(island.touches.size()))};
    const ImpactOutcome moved = solve(problem.problem, Moreau{.e = 0.0}, nullptr, options);
    if (moved.status == Status::no_solution) return;
    State moving{state_.t, state_.q, Vector::Zero(model_.velocities())};
    moving.u(problem.rows) = moved.u_plus;
    model_.displace(state_.q, sensible_share(island, moving) * moving.u);
  }

  /// Of a displacement, so that no body moves far: to free a ball wedged between others, the linear equations would let
  /// it jump over them.
  double sensible_share(const Island& island, const State& moving) const {
    double share = 1;
    for (const int body : island.bodies)
      if (const double reach = search_.reach(body); reach > 0 && std::isfinite(reach))
        share = std::min(share, kFarthest * reach / model_.twist(body, moving).velocity.norm());
    return share;
  }

  void record() { journal_.record(state_); }

  const Model& model_;
  const RunOptions& options_;
  const ImpactLaw& law_;
  State state_;
  ContactRules rules_;
  ContactSearch search_;
  Journal journal_;
  RunSummary& summary_;
  std::map<std::pair<PartPair, geometry::Feature>, Vector3> acting_;  // contacts of the last step, with their impulses
  const TimeStepping& scheme_;
  std::vector<int> free_bodies_;
  long steps_;
  double h_;
};

}  // namespace

RunSummary run_time_stepping(const Model& model, const State& start, const TimeStepping& scheme, const ImpactLaw& law,
                             const RunOptions& options, Observer& observer) {
  return TimeSteppingRun(model, start, scheme, law, options, observer).go();
}

}  // namespace carom
