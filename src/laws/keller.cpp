#include "carom/laws/keller.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "carom/laws/moments.h"
#include "carom/laws/one_contact/closing_contact.h"
#include "carom/laws/one_contact/groups.h"
#include "carom/laws/one_contact/onset.h"
#include "carom/laws/one_contact/together.h"

namespace carom {
namespace {

/// The kinetic norm of the fastest there is: of the bodies, and of a contact that walls or smooth forces move.
double fastest(const ContactProblem& problem, const one_contact::ClosingContact& contact) {
  const double bodies = std::sqrt(2 * problem.impact->M.kinetic_energy(problem.impact->u_minus));
  const double mobility = contact.B.trace();
  return mobility > 0 ? std::max(bodies, contact.c.norm() / std::sqrt(mobility)) : bodies;
}

/// Between two states of a straight piece.
one_contact::SlipState between(const one_contact::SlipState& a, const one_contact::SlipState& b, double share) {
  one_contact::SlipState state = a;
  state.P += share * (b.P - a.P);
  state.work += share * (b.P[0] - a.P[0]) * (a.c[0] + 0.5 * share * (b.c[0] - a.c[0]));
  return state;
}

/// The states of a path. Straight pieces have only ends; where nothing curves, some states are added between them.
std::vector<one_contact::SlipState> states_of(const one_contact::OneContactImpact& impact) {
  constexpr int kPieces = 16;
  if (impact.curved) return impact.states;
  std::vector<one_contact::SlipState> states = {impact.states.front()};
  for (std::size_t i = 1; i < impact.states.size(); ++i) {
    for (int k = 1; k < kPieces; ++k)
      states.push_back(between(impact.states[i - 1], impact.states[i], static_cast<double>(k) / kPieces));
    states.push_back(impact.states[i]);
  }
  return states;
}

/// In compression the contact stores the work done on it; in restitution what it is still to give back.
void write_path(const ContactProblem& problem, const one_contact::ClosingContact& contact,
                const one_contact::OneContactImpact& impact, Path& path) {
  path.parameter = Path::Parameter::impulse;
  for (const one_contact::SlipState& passed : states_of(impact)) {
    Path::State next;
    next.time = passed.P[0];
    next.Lambda = to_rows(problem, contact, passed.P);
    next.force = next.stored = Vector::Zero(problem.size());
    const bool compresses = passed.P[0] < impact.compressed.P[0];
    next.stored[contact.contact] = std::max(0.0, compresses ? -passed.work : impact.end.work - passed.work);
    path.add(std::move(next));
  }
}

/// Contacts that move each other, of which at least one has an impact. One whose neighbours feel nothing of it is
/// followed alone.
struct Acting {
  std::vector<Index> group;
  one_contact::Onset onset = {};  // tangential impacts: who may start, and how
  std::optional<one_contact::ClosingContact> alone = {};
  one_contact::OneContactImpact impact = {};  // of that one
};

constexpr double kPressed = 1e-12;  // of a velocity, relative to the terms it is summed from: more than rounding

/// Whether the impact of one contact makes another one close at any time, or leaves one to a tangential impact.
bool presses_others(const ContactProblem& problem, const Acting& acting) {
  const one_contact::ClosingContact& contact = *acting.alone;
  for (const Index i : acting.group) {
    if (i == contact.contact) continue;
    const Index row = problem.row[i];
    Eigen::Vector3d G = Eigen::Vector3d::Zero();
    for (Index t = 0; t <= contact.tangents; ++t) G[t] = problem.G.coeff(row, contact.row + t);
    const std::vector<Index>& starting = acting.onset.starting;
    const bool tangential = std::find(starting.begin(), starting.end(), i) != starting.end();
    for (const one_contact::SlipState& state : acting.impact.states) {
      const double terms = problem.gamma_terms[row] + G.cwiseAbs().dot(state.P.cwiseAbs());
      const double gamma = problem.gamma_free[row] + G.dot(state.P);
      if (gamma < -kPressed * terms) return true;
      if (tangential && &state == &acting.impact.states.back() && gamma <= kPressed * terms) return true;
    }
  }
  return false;
}

/// How others start after the tangential impact of one contact.
one_contact::Onset left_behind(const Keller& law, const ContactProblem& problem, const Acting& acting) {
  if (acting.onset.directions.empty() || !acting.onset.alone || acting.group.size() < 2) return {};
  const ContactProblem now = one_contact::after(problem, to_rows(problem, *acting.alone, acting.impact.end.P));
  return one_contact::onset_of(now, acting.group, law.restitution);
}

void require_parameters(const Keller& law) {
  require_tolerance(law.tolerance, Keller::name);
  if (!(law.wave_loss >= 0 && std::isfinite(law.wave_loss)))
    throw InputError("law.wave_loss",
                     fmt::format("{} is not a finite number >= 0; it is a lost energy", law.wave_loss));
}

one_contact::OneContactImpact follow_alone(const Keller& law, const ContactProblem& problem,
                                           const one_contact::ClosingContact& contact, bool record) {
  one_contact::OneContactImpact impact = one_contact::integrate_impact(contact, {.restitution = law.restitution,
                                                                                 .wave_loss = law.wave_loss,
                                                                                 .tolerance = law.tolerance,
                                                                                 .speed = fastest(problem, contact),
                                                                                 .record = record});
  if (const double work = -impact.compressed.work; !impact.wedged && law.wave_loss > work * (1 + 1e-12))
    throw InputError("law.wave_loss", fmt::format("{} J is more than the {:.6g} J that compression takes; waves carry "
                                                  "away a part of that",
                                                  law.wave_loss, work));
  return impact;
}

/// The groups in which something happens, and whether it is proven that nothing does in the others.
struct ActingGroups {
  std::vector<Acting> groups = {};
  bool all = true;
};

/// `record`: with the states of contacts that act alone.
ActingGroups acting_groups(const Keller& law, const ContactProblem& problem, bool record) {
  std::vector<char> closes(static_cast<std::size_t>(problem.size()), 0);
  for (const Index i : one_contact::closing_contacts(problem)) closes[i] = 1;
  ActingGroups result;
  for (std::vector<Index>& group : one_contact::groups_of(problem)) {
    Acting acting{.group = group};
    std::vector<Index> closing;
    std::copy_if(group.begin(), group.end(), std::back_inserter(closing), [&](Index i) { return closes[i] != 0; });
    acting.onset = closing.empty() ? one_contact::onset_of(problem, group, law.restitution)
                                   : one_contact::onset_beside_closing(problem, group, closing, law.restitution);
    const std::vector<Index>& starting = closing.empty() ? acting.onset.starting : closing;
    if (starting.empty()) {
      result.all = result.all && acting.onset.one_way;
      continue;
    }
    if (starting.size() == 1) {
      acting.alone = one_contact::seen_alone(problem, starting[0]);
      acting.impact = follow_alone(law, problem, *acting.alone, record || group.size() > 1);
      const one_contact::Onset left = left_behind(law, problem, acting);
      if (presses_others(problem, acting) || !left.directions.empty()) acting.alone.reset();
      acting.onset.one_way = acting.onset.one_way && left.one_way;
    }
    result.groups.push_back(std::move(acting));
  }
  return result;
}

Vector coefficients_of(const ContactProblem& problem) {
  Vector e(problem.size());
  for (Index i = 0; i < problem.size(); ++i) e[i] = problem.contacts()[i].e;
  return e;
}

/// What an answer is made of, before anything is added.
Impulses blank(const ContactProblem& problem) {
  Impulses impulses = one_contact::no_impact(problem);
  impulses.dissipated_normal = impulses.dissipated_friction = Vector::Zero(problem.size());
  impulses.works = PhaseWorks{Vector::Zero(problem.size()), Vector::Zero(problem.size())};
  impulses.events = 0;
  const bool depends = std::any_of(problem.contacts().begin(), problem.contacts().end(),
                                   [](const Contact& contact) { return contact.e_of && contact.e_of->reads_work(); });
  if (depends) impulses.e_used = coefficients_of(problem);
  return impulses;
}

/// A contact that acts alone. False if no impulse does what is asked of it.
bool add_alone(const Keller& law, const ContactProblem& problem, const Acting& acting, Impulses& impulses) {
  const one_contact::ClosingContact& contact = *acting.alone;
  const one_contact::OneContactImpact& impact = acting.impact;
  if (impact.wedged) return false;
  if (impact.unfinished) {
    impulses.status = Status::iteration_limit;
    impulses.message = fmt::format("{}: slip was not followed to its end in {} steps", law.name, impact.steps);
  }
  if (impact.jammed)
    impulses.message = fmt::format("{}: friction holds the contact, which {}", law.name,
                                   law.restitution == one_contact::Restitution::newton
                                       ? "parts only because Newton's coefficient says so, without friction"
                                       : "does not part");
  if (impact.change > law.tolerance)
    impulses.message =
        fmt::format("{}: slip is sensitive here and u+ is known to {:.1g} only", law.name, impact.change);
  const one_contact::SlipState &compressed = impact.compressed, &end = impact.end;
  impulses.Lambda += to_rows(problem, contact, end.P);
  impulses.dissipated_normal[contact.contact] = -end.work;
  impulses.dissipated_friction[contact.contact] = -end.friction_work;
  impulses.phases = TwoPhases{.compression_impulse = compressed.P[0],
                              .restitution_impulse = end.P[0] - compressed.P[0],
                              .compression_work = compressed.work,
                              .restitution_work = end.work - compressed.work};
  impulses.works->compression[contact.contact] = compressed.work;
  impulses.works->restitution[contact.contact] = end.work - compressed.work;
  if (contact.e_of != nullptr) impulses.e_used[contact.contact] = impact.e;
  impulses.mode = impact.mode;
  *impulses.events += impact.events;
  if (impact.curved) impulses.accuracy = std::max({impulses.accuracy, law.tolerance, impact.change});
  impulses.cost.evaluations += impact.evaluations;
  impulses.cost.iterations += impact.steps + impact.events;
  return true;
}

/// Contacts that act together need a law for each that does not depend on what the others do to it.
void require_together(const Keller& law, const ContactProblem& problem, const std::vector<Index>& group) {
  if (law.restitution != one_contact::Restitution::newton) return;
  Vector share = Vector::Zero(problem.size());
  share(group).setOnes();
  throw InputError("law.restitution",
                   fmt::format("newton is for contacts that do not move each other, and {} do: the velocity at which "
                               "one of them would end is changed by the others; use stronge or poisson",
                               named(problem, share).names));
}

one_contact::Together together(const Keller& law, const ContactProblem& problem, const Acting& acting) {
  return {problem, acting.group, acting.onset,
          one_contact::Together::Options{law.restitution, law.tolerance, Keller::name}};
}

/// Whether the tangential impact of one contact is all that may happen.
void judge_alone(const Keller& law, const ContactProblem& problem, const Acting& acting, Impulses& impulses) {
  if (acting.onset.one_way || impulses.status != Status::solved) return;
  one_contact::doubt(impulses.unique);
  if (law.restitution == one_contact::Restitution::newton || law.wave_loss > 0) return;  // of one contact only
  if (acting.onset.others.empty() || !acting.onset.alone) return;
  one_contact::FollowedGroup own;
  const Vector all = to_rows(problem, *acting.alone, acting.impact.end.P);
  std::vector<double> rows;
  for (const Index i : acting.group)
    for (Index t = 0; t <= problem.contacts()[i].tangents; ++t) rows.push_back(all[problem.row[i] + t]);
  own.impulses.Lambda = Eigen::Map<const Vector>(rows.data(), static_cast<Index>(rows.size()));
  Impulses judged = impulses;  // what is known of the one is exact
  together(law, problem, acting).judge(own, judged);
  impulses.unique = judged.unique;
  impulses.remarks = std::move(judged.remarks);
}

/// Adds what contacts that move each other do.
void add_together(const Keller& law, const ContactProblem& problem, const Acting& acting, Impulses& impulses,
                  Path* path) {
  const std::vector<Index>& contacts = acting.group;
  require_together(law, problem, contacts);
  const one_contact::ContactGroup group(problem, contacts);
  const bool tangential = !acting.onset.directions.empty();
  const one_contact::Together all = together(law, problem, acting);
  const one_contact::FollowedGroup followed = all.follow(path);
  const Impulses& own = followed.impulses;
  if (path != nullptr)
    for (Path::State& state : path->states) {
      const auto spread = [&](Vector& values, bool rows) {
        Vector whole = Vector::Zero(rows ? problem.gamma_minus.size() : problem.size());
        rows ? group.add_rows(values, whole) : group.add_contacts(values, whole);
        values = std::move(whole);
      };
      spread(state.Lambda, true);
      spread(state.force, false);
      spread(state.stored, false);
    }
  if (own.status != Status::solved) impulses.status = own.status;
  if (!own.message.empty()) impulses.message = own.message;
  if (tangential && acting.onset.alone && own.status == Status::solved)
    all.judge(followed, impulses);
  else if (!acting.onset.one_way)
    one_contact::doubt(impulses.unique);
  if (own.Lambda.size() == 0) return;
  group.add_rows(own.Lambda, impulses.Lambda);
  group.add_contacts(own.dissipated_normal, impulses.dissipated_normal);
  group.add_contacts(own.dissipated_friction, impulses.dissipated_friction);
  if (own.works) {
    group.add_contacts(own.works->compression, impulses.works->compression);
    group.add_contacts(own.works->restitution, impulses.works->restitution);
  }
  if (own.e_used.size() > 0) {
    if (impulses.e_used.size() == 0) impulses.e_used = coefficients_of(problem);
    impulses.e_used(contacts) = own.e_used;
  }
  if (!own.unique.tangential_impulse) impulses.unique.tangential_impulse = own.unique.tangential_impulse;
  impulses.accuracy = std::max(impulses.accuracy, own.accuracy);
  impulses.residual = std::max(impulses.residual, own.residual);
  *impulses.events += own.events.value_or(0);
  impulses.cost.evaluations += own.cost.evaluations;
  impulses.cost.iterations += own.cost.iterations;
}

/// All that acts as one: one time for all of them.
Acting joined(const std::vector<Acting>& acting) {
  Acting all;
  Vector onset;
  for (const Acting& one : acting) {
    all.group.insert(all.group.end(), one.group.begin(), one.group.end());
    all.onset.starting.insert(all.onset.starting.end(), one.onset.starting.begin(), one.onset.starting.end());
    if (one.onset.directions.empty()) continue;
    onset = onset.size() > 0 ? Vector(onset + one.onset.directions.front()) : one.onset.directions.front();
  }
  if (onset.size() > 0) all.onset.directions = {onset};
  all.onset.alone = std::all_of(acting.begin(), acting.end(),
                                [](const Acting& one) { return !one.onset.directions.empty() && one.onset.alone; });
  all.onset.one_way = std::all_of(acting.begin(), acting.end(), [](const Acting& one) { return one.onset.one_way; });
  std::sort(all.group.begin(), all.group.end());
  return all;
}

}  // namespace

Impulses Keller::impulses(const ContactProblem& problem, Path* path) const {
  require_parameters(*this);
  require_restitution_in_unit_interval(problem, name);
  const Moments moments(problem, moment, moment_directions);
  const ContactProblem& seen = moments.contacts();
  const bool turned = moment.size() > 0;
  if (turned && one_contact::closing_contacts(problem).empty()) return one_contact::no_impact(problem);
  const auto [acting, all] = acting_groups(*this, seen, path != nullptr);
  if (acting.empty()) {
    Impulses nothing = turned ? moments.alone() : one_contact::no_impact(problem);
    if (!all) one_contact::doubt(nothing.unique);
    return nothing;
  }
  const bool several = acting.size() > 1 || !acting.front().alone;
  if (several && wave_loss > 0)
    throw InputError("law.wave_loss", fmt::format("{} J is lost at one contact, and several act; give it where one "
                                                  "does",
                                                  wave_loss));
  Impulses impulses = blank(problem);
  if (!all) one_contact::doubt(impulses.unique);
  Path* const told = turned ? nullptr : path;
  if (told != nullptr && several && restitution != one_contact::Restitution::newton) {
    add_together(*this, seen, joined(acting), impulses, told);
  } else {
    for (const Acting& one : acting) {
      if (!one.alone)
        add_together(*this, seen, one, impulses, nullptr);
      else if (!add_alone(*this, seen, one, impulses))
        return one_contact::held_fast(problem, *one.alone, name);
      else
        judge_alone(*this, seen, one, impulses);
      if (impulses.status == Status::no_solution) return impulses;
    }
    if (told != nullptr && !several) write_path(seen, *acting.front().alone, acting.front().impact, *told);
  }
  if (several) {
    impulses.mode = "several contacts";
    impulses.phases.reset();
  }
  moments.add_followed(impulses);
  return impulses;
}

}  // namespace carom
