#include "carom/simulate/moreau_step.h"

#include <algorithm>
#include <cmath>

#include "carom/laws/moreau.h"
#include "carom/laws/newton.h"
#include "carom/laws/poisson.h"
#include "carom/model/forces.h"
#include "carom/simulate/crowd_answer.h"
#include "carom/simulate/magnitudes.h"
#include "carom/simulate/overlaps.h"
#include "carom/simulate/smooth_motion.h"
#include "carom/simulate/step_ledger.h"
#include "carom/simulate/step_outcome.h"

namespace carom::simulate {
namespace {

constexpr double kTouchingInStep = 1e-8;  // of the smaller body's size: gaps up to this are closed
constexpr double kSameSpeed = 1e-12;      // of the terms of a contact's velocity: less is rounding
constexpr double kNoLoad = 1e-12;         // of the momentum of the lighter body at that speed: an impulse that is none
constexpr double kNoClosing = 1e-15;      // of the fastest body so far: the same, where it comes from earlier steps
constexpr double kShareOfRestitution = 1.0 / 16;  // how finely the share that creates no energy is sought
constexpr double kClosedAgain = 1e-10;  // of the fastest contact: approach of an opening contact that is no matter

/// Moreau's e is for all contacts of an impact. Those of a step differ, and Newton's law is the same where they do not.
std::optional<double> restitution_of(const ImpactLaw& law) {
  const Moreau* moreau = std::get_if<Moreau>(&law);
  return moreau && moreau->e ? std::optional<double>(*moreau->e) : std::nullopt;
}

/// The median of the free bodies' velocities, axis by axis.
Vector3 common_velocity(const Model& model, const BodyFrames& frames) {
  Vector3 result = Vector3::Zero();
  std::vector<double> all;
  for (Index axis = 0; axis < static_cast<Index>(model.dimension()); ++axis) {
    all.clear();
    for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body)
      if (model.first_velocity(body) >= 0) all.push_back(frames.twist(body).velocity[axis]);
    if (all.empty()) return result;
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::nth_element(all.begin(), middle, all.end());
    const double above = *middle, below = all.size() % 2 == 0 ? *std::max_element(all.begin(), middle) : above;
    result[axis] = 0.5 * (below + above);
  }
  return result;
}

}  // namespace

MoreauStep::MoreauStep(const Model& model, const ContactRules& rules, const ContactSearch& search, const ImpactLaw& law,
                       const TimeStepping& scheme, Journal& journal, int threads)
    : model_(model),
      rules_(rules),
      search_(search),
      law_(restitution_of(law) ? ImpactLaw(Newton{}) : law),
      returns_impulses_(std::holds_alternative<Poisson>(law)),
      e_(restitution_of(law)),
      scheme_(scheme),
      journal_(journal),
      each_(model.dimension() == Dimension::line    ? 1
            : model.dimension() == Dimension::plane ? 3
                                                    : 6),
      crew_(threads),
      near_(model, search, crew_) {}

RunMemory MoreauStep::memory() const {
  RunMemory memory;
  memory.speed = fastest_;
  memory.carried = acting_.all();
  memory.joint_balance = joints_.mu();
  memory.joint_energy = joints_.taken();
  return memory;
}

void MoreauStep::recall(const RunMemory& memory) {
  fastest_ = memory.speed;
  acting_ = CarriedImpulses(memory.carried);
  joints_.recall(memory.joint_balance, memory.joint_energy);
}

State MoreauStep::after(const State& state, double h) {
  State middle = state;
  journal_.summary.ledger.correction += joints_.push(model_, middle);
  middle.t += (1 - scheme_.theta) * h;
  model_.displace(middle.q, (1 - scheme_.theta) * h * middle.u);
  const FreeMotion free = free_motion(model_, middle, scheme_.theta, h);
  journal_.summary.evaluations += free.evaluations;
  State end{state.t + h, middle.q, free.u};
  if (!free.u.allFinite() || !middle.q.allFinite()) return end;

  const BodyFrames frames(model_, middle, crew_);
  const std::vector<ContactPair>& pairs = near_pairs(middle, frames, h);
  in_step_ = pairs.size();
  const State added{middle.t, middle.q, free.u - middle.u};
  const BodyFrames added_frames(model_, added, crew_);
  const Moment moment{middle, added, frames, added_frames};
  jumped_ = false;
  notes_ = {};
  pressed_ = Vector::Zero(journal_.wants_forces() ? model_.velocities() : 0);
  const std::vector<ContactPair> others = act_in_crowds(moment, pairs, free, h, end.u);
  for (const Island& island : islands(model_, others)) act(moment, island, free, h, end.u);
  acting_ = CarriedImpulses(std::move(notes_.acting));
  book_smooth_forces(model_, middle, end.u, free, {scheme_.theta, h, !acting_.empty()}, journal_.summary.ledger);
  if (journal_.wants_forces()) {
    tell_joints(middle, end.u, free, h);
    journal_.contacts_now(middle, notes_.closed);
  }
  model_.displace(end.q, scheme_.theta * h * end.u);
  hold_together(middle, pairs, h, end);
  end.u = without_vanishing(end.u);
  return end;
}

Parted MoreauStep::parted(const State& state, double slop) {
  return part_overlaps(model_, rules_, search_, near_, state, slop, scheme_, overlaps_, crew_);
}

/// Contacts that bodies could close in what is left of the step, moving twice as fast as now: as seen by one that moves
/// along with most of them.
const std::vector<ContactPair>& MoreauStep::near_pairs(const State& middle, const BodyFrames& frames, double h) {
  const Vector3 along = common_velocity(model_, frames);
  std::vector<double> speed(model_.bodies().size());
  for (int body = 0; body < static_cast<int>(speed.size()); ++body) {
    const Twist& twist = frames.twist(body);
    const double reach = search_.reach(body);
    const double other =
        h * model_.description().gravity.norm() + (std::isfinite(reach) ? reach * twist.angular.norm() : 0);
    speed[body] = (twist.velocity - along).norm() + other;
    fastest_ = std::max(fastest_, twist.velocity.norm() + other);
  }
  return near_.within(middle, frames, kTouchingInStep, 2 * scheme_.theta * h, speed);
}

/// How fast a contact may still close without closing within the step; 0 for one that is closed, or will be if nothing
/// happens: that is an impact. Others only must not overlap. To wait until bodies overlap and then move them apart
/// would feed energy into the system.
double MoreauStep::gap_rate(const BodyFrames& frames, const ContactPair& pair, double h) const {
  const double gap = pair.point.gap, ahead = scheme_.theta * h;
  const double limit = kTouchingInStep * search_.smaller_size(pair.parts);
  return gap > limit && gap + ahead * frames.normal_velocity(pair) > limit ? gap / ahead : 0;
}

/// Those of crowds do the same; the pairs that are in none are left.
std::vector<ContactPair> MoreauStep::act_in_crowds(const Moment& moment, const std::vector<ContactPair>& pairs,
                                                   const FreeMotion& free, double h, Vector& u) {
  if (static_cast<Index>(pairs.size()) * static_cast<Index>(model_.dimension()) <= kCrowd) return pairs;
  if (!crowds_) crowds_.emplace(model_, rules_, law_, e_, scheme_, journal_, crew_);
  gap_rates_.clear();
  for (const ContactPair& pair : pairs) gap_rates_.push_back(gap_rate(moment.frames, pair, h));
  acting_.find(pairs, carried_before_);
  return crowds_->act(
      {moment.state, moment.frames, moment.added_frames, free.u, pairs, carried_before_, gap_rates_, fastest_, h}, u,
      notes_);
}

/// The impulses of one island's contacts change its velocities in u.
void MoreauStep::act(const Moment& moment, const Island& island, const FreeMotion& free, double h, Vector& u) {
  const State& middle = moment.state;
  const StandingIslands::Question question{model_, middle, island, free.u, acting_, each_, h, fastest_};
  if (const StandingIslands::Known* known = standing_.find(question))
    return finish(middle, island, free, h, known->problem, known->outcome, u);
  const long approximate = journal_.summary.approximations.steps;
  IslandProblem all = step_problem(model_, rules_, middle, island, free.u, free.across);
  const std::optional<ImpactOutcome> outcome = solved(moment, island, free, h, all);
  if (!outcome) return;
  finish(middle, island, free, h, all, *outcome, u);
  if (journal_.summary.approximations.steps == approximate) standing_.keep(question, all, *outcome);
}

/// What the contacts of an island do; nothing if none closes.
std::optional<ImpactOutcome> MoreauStep::solved(const Moment& moment, const Island& island, const FreeMotion& free,
                                                double h, IslandProblem& all) {
  Vector speeds(static_cast<Index>(island.pairs.size()));
  for (std::size_t i = 0; i < island.pairs.size(); ++i) {
    all.problem.contacts[i].gap_rate = gap_rate(moment.frames, island.pairs[i], h);
    if (e_) {
      all.problem.contacts[i].e = *e_;
      all.problem.contacts[i].e_of = nullptr;
    }
    speeds[static_cast<Index>(i)] = slow(moment, island.pairs[i]);
  }
  if (!carried(island) && !closes(all, free.u)) return std::nullopt;
  evaluate_restitution(all.problem);
  Vector given(speeds.size());
  for (Index i = 0; i < given.size(); ++i) given[i] = all.problem.contacts[i].e;
  const std::vector<char> part = choose(all.problem, speeds);
  if (returns_impulses_) press(island, given, part, all.problem);
  StepOutcome outcome(all.problem, part);
  if (std::find(part.begin(), part.end(), 1) != part.end())
    outcome.add_first(restrained(moment.state, island, outcome.first_problem(), part).outcome);
  const double accuracy = std::max(accuracy_for(scheme_, model_.dimension(), in_step_), kClosedAgain);
  if (outcome.closes_again(accuracy)) {
    const ImpactProblem second = outcome.second_problem();
    outcome.add_second(answered(moment.state, island, second, {}).outcome);
  }
  if (!outcome.acts()) return std::nullopt;
  return std::move(outcome).in_world(all, free.joints_move);
}

/// Takes the answer over: velocities, impulses, journal.
void MoreauStep::finish(const State& middle, const Island& island, const FreeMotion& free, double h,
                        const IslandProblem& all, const ImpactOutcome& outcome, Vector& u) {
  u(all.rows) = outcome.u_plus;
  let_stand(model_, island, each_, {middle.u, free.u}, u);
  const std::vector<char> is_new = note(island, outcome);
  if (journal_.wants_forces()) tell(middle, island, all, outcome, h);
  journal_.step(middle, island, all.problem, outcome, free.u(all.rows), is_new);
}

/// Whether a contact carried something in the step before, by more than rounding: friction may go on pressing it.
bool MoreauStep::carried(const Island& island) const {
  const auto light = [&](int body) { return model_.first_velocity(body) >= 0 ? model_.bodies()[body].mass : HUGE_VAL; };
  return std::any_of(island.pairs.begin(), island.pairs.end(), [&](const ContactPair& pair) {
    const Vector3* known = acting_.find(pair);
    return known != nullptr &&
           known->norm() > kNoLoad * fastest_ * std::min(light(pair.parts.body_a), light(pair.parts.body_b));
  });
}

/// Whether a contact would close within the step, beyond what rounding makes of bodies that move together.
bool MoreauStep::closes(const IslandProblem& island, const Vector& u_free) const {
  const ImpactProblem& problem = island.problem;
  const Vector before = problem.W.transpose() * problem.u_minus + problem.drift;
  const Vector after = problem.W.transpose() * Vector(u_free(island.rows) - island.frame) + problem.drift;
  Index row = 0;
  for (const Contact& contact : problem.contacts) {
    if (std::min(before[row], after[row]) + contact.gap_rate < -kNoClosing * fastest_) return true;
    row += 1 + contact.tangents;
  }
  return false;
}

/// What the smooth forces add to the velocities of the two points of a contact within the step, in any direction.
/// Contacts that move more slowly lie.
double MoreauStep::slow(const Moment& middle, const ContactPair& pair) const {
  const State& added = middle.added;
  if (pair.parts.is_stop()) return Vector(contact_rows(model_, added, {pair}).W.transpose() * added.u).norm();
  double speed = 0;
  for (const auto& [body, point] :
       {std::pair(pair.parts.body_a, &pair.point.point_a), std::pair(pair.parts.body_b, &pair.point.point_b)})
    if (model_.first_velocity(body) >= 0) speed += middle.added_frames.velocity(body, *point).norm();
  return speed;
}

/// Which contacts take part from the start: all, or, where some are thrown back, those that do not open. A plastic
/// impact of all never gains more than the smooth impulse can give; restitution at some contacts and none at others
/// that open does. Contacts that lie, or are open, lose their e; where e is a share of impulses, not of that of the
/// smooth forces.
std::vector<char> MoreauStep::choose(ImpactProblem& problem, const Vector& slow) const {
  const Vector gamma = problem.W.transpose() * problem.u_minus + problem.drift, terms = velocity_terms(problem);
  const Vector added = problem.W.transpose() * problem.M.solve(problem.p);
  const double rounding = kSameSpeed * terms.maxCoeff();  // what rests beside a fast contact does not open
  std::vector<char> part;
  Index row = 0;
  for (Contact& contact : problem.contacts) {
    const double limit = slow[static_cast<Index>(part.size())];
    part.push_back(gamma[row] <= limit + rounding);
    if (contact.gap_rate > 0 || (limit > rounding && -gamma[row] <= limit)) contact.e = contact.e_t = 0;
    if (returns_impulses_ && added[row] < 0 && gamma[row] < 0) contact.e *= gamma[row] / (gamma[row] + added[row]);
    row += 1 + contact.tangents;
  }
  for (std::size_t i = 0; i < part.size(); ++i)
    if (part[i] && (problem.contacts[i].e != 0 || problem.contacts[i].e_t != 0)) return part;
  for (Contact& contact : problem.contacts) contact.e = contact.e_t = 0;
  std::fill(part.begin(), part.end(), 1);
  return part;
}

/// Where e is a share of impulses, a contact that lies returns its share of what an impact elsewhere presses it with:
/// what the compression adds to its impulse of the step before, which carried the smooth forces.
void MoreauStep::press(const Island& island, const Vector& e, const std::vector<char>& part,
                       ImpactProblem& problem) const {
  std::vector<std::size_t> lying;
  bool hit = false;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const Contact& contact = problem.contacts[i];
    hit = hit || (part[i] && contact.e > 0);
    if (part[i] && contact.gap_rate == 0 && contact.e == 0 && e[static_cast<Index>(i)] > 0) lying.push_back(i);
  }
  if (!hit || lying.empty()) return;
  const StepOutcome some(problem, part);
  const double accuracy = accuracy_for(scheme_, model_.dimension(), in_step_);
  SolveOptions options{accuracy, {}, Others::ignored};
  const ImpactOutcome compressed = plastic_answer(some.first_problem(), accuracy, options).outcome;
  if (compressed.Lambda.size() == 0) return;
  std::size_t next = 0, at = 0;  // contact among those that take part
  for (std::size_t i = 0; i < part.size() && next < lying.size(); at += part[i] != 0, ++i) {
    if (i != lying[next]) continue;
    ++next;
    const geometry::ContactPoint& point = island.pairs[i].point;
    const Vector3* before = acting_.find(island.pairs[i]);
    const double carried = before == nullptr ? 0 : std::max(0.0, point.normal.dot(*before));
    const double now = compressed.Lambda[compressed.row[at]];
    if (now > carried) problem.contacts[i].e = e[static_cast<Index>(i)] * (1 - carried / now);
  }
}

/// An empty `part`: a plastic impact of all.
Answer MoreauStep::answered(const State& middle, const Island& island, const ImpactProblem& problem,
                            const std::vector<char>& part) {
  Island acting{{}, island.bodies};
  for (std::size_t i = 0; i < island.pairs.size(); ++i)
    if (part.empty() || part[i]) acting.pairs.push_back(island.pairs[i]);
  const double accuracy = accuracy_for(scheme_, model_.dimension(), in_step_);
  SolveOptions options{accuracy, Vector::Zero(problem.W.cols()), Others::ignored};
  if (!part.empty()) options.guess = guess(acting, problem);
  if (std::optional<Answer> swept = crowd_answer(problem, part.empty() ? Newton{} : law_, each_, options))
    return *std::move(swept);
  Answer found = part.empty() ? plastic_answer(problem, accuracy, options) : answer(problem, law_, accuracy, options);
  if (found.rung != Rung::asked)
    journal_.approximate(middle.t, found.rung, found.residual, journal_.names(acting.pairs), &problem);
  return found;
}

/// The law's answer; where it would leave more energy than there was, with friction at a contact that is thrown back,
/// say, that with the largest common share of the restitution that does not.
Answer MoreauStep::restrained(const State& middle, const Island& island, const ImpactProblem& problem,
                              const std::vector<char>& part) {
  Answer found = answered(middle, island, problem, part);
  if (!creates_energy(problem, found.outcome)) return found;
  const auto with_share = [&](double share) {
    ImpactProblem weaker = problem;
    for (Contact& contact : weaker.contacts) {
      contact.e *= share;
      contact.e_t *= share;
    }
    return answered(middle, island, weaker, part);
  };
  Answer best = with_share(0);
  for (double low = 0, high = 1; high - low > kShareOfRestitution;) {
    const double share = 0.5 * (low + high);
    Answer tried = with_share(share);
    if (creates_energy(problem, tried.outcome)) {
      high = share;
    } else {
      low = share;
      best = std::move(tried);
    }
  }
  return best;
}

/// What the same contacts carried in the step before.
Vector MoreauStep::guess(const Island& island, const ImpactProblem& problem) const {
  Vector result = Vector::Zero(problem.W.cols());
  Index row = 0;
  for (std::size_t i = 0; i < island.pairs.size(); row += 1 + problem.contacts[i].tangents, ++i) {
    const geometry::ContactPoint& point = island.pairs[i].point;
    const Vector3* known = acting_.find(island.pairs[i]);
    if (known == nullptr) continue;
    result[row] = std::max(0.0, point.normal.dot(*known));
    if (problem.contacts[i].tangents > 0)
      result.segment(row + 1, problem.contacts[i].tangents) =
          tangents_of(island.pairs[i], model_.dimension()).transpose() * *known;
  }
  return result;
}

/// Joints back to zero, and contacts that sank deeper than the slop up to a part of it.
void MoreauStep::hold_together(const State& middle, const std::vector<ContactPair>& pairs, double h, State& end) {
  RunSummary& summary = journal_.summary;
  if (!model_.description().joints.empty()) {
    const Projected projected = project(model_, end, {});
    summary.largest_joint_error = std::max(summary.largest_joint_error, projected.error);
    end.q = projected.state.q;
    summary.ledger.correction += joints_.settle(model_, end, jumped_);
  }
  const State leaving{middle.t, middle.q, end.u};
  const BodyFrames frames(model_, leaving, crew_);
  double deepest = 0;
  bool too_deep = false;
  for (const ContactPair& pair : pairs) {
    const double gap = pair.point.gap + scheme_.theta * h * frames.normal_velocity(pair);
    deepest = std::max(deepest, -gap);
    too_deep = too_deep || is_deeper(gap, kOverlapSlop, search_.smaller_size(pair.parts));
  }
  if (too_deep) {
    const double before = potential_energy(model_, end);
    Parted parted = this->parted(end, kOverlapSlop);
    end.q = std::move(parted.q);
    deepest = parted.deepest;
    summary.ledger.correction += potential_energy(model_, end) - before;
  }
  summary.deepest_penetration = std::max(summary.deepest_penetration, deepest);
}

}  // namespace carom::simulate
