#include "carom/laws/compliant.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/forces/engine/follow.h"
#include "carom/forces/engine/frozen.h"
#include "carom/laws/contact_springs.h"

namespace carom {
namespace {

constexpr long kCompliantSteps = 80000, kRoughCompliantSteps = 20000;
constexpr double kComparedWith = 10;    // times the tolerance of a rough run: the one that it is compared with
constexpr double kCoarser = 100;        // tolerances from try to try
constexpr double kCoarsest = 1e-3;      // what is known less well is not known
constexpr long kEventsToTrust = 24;     // a contact: with more of them the impact is followed again, more carefully
constexpr double kCarefully = 0.02;     // each time
constexpr double kMostCareful = 1e-13;  // relative error of a step, by and large: less is rounding
constexpr double kImmovable = 1e-14;    // of the largest entry of G: contacts below do not move
constexpr double kReturnsMore = 1e-6;   // relative: restitution above compression by more is said

bool is_flexible(const ContactProblem& problem) {
  return std::any_of(problem.contacts().begin(), problem.contacts().end(),
                     [](const Contact& contact) { return contact.flexibility > 0; });
}

/// Masses that move in the contacts' normals (m); 0 where joints hold a contact fast.
Vector normal_masses(const ContactProblem& problem) {
  Vector result(problem.size());
  for (Index i = 0; i < problem.size(); ++i) {
    const Index row = problem.row[i];
    const double G = problem.G.coeff(row, row);
    const Eigen::Map<const Vector> all(problem.G.valuePtr(), problem.G.nonZeros());
    result[i] = G > kImmovable * all.cwiseAbs().maxCoeff() ? 1 / G : 0;
  }
  return result;
}

}  // namespace

forces::NormalList Compliant::normal_forces(const std::vector<Contact>& contacts) const {
  return forces::list_of_kind<forces::NormalList>(static_cast<std::size_t>(force), contacts, [&](auto one) {
    if constexpr (requires { one.end; }) one.end = end;
    return one;
  });
}

forces::FrictionList Compliant::friction_forces(const std::vector<Contact>& contacts) const {
  return forces::list_of_kind<forces::FrictionList>(static_cast<std::size_t>(friction), contacts, [&](auto one) {
    if constexpr (requires { one.v_s; }) one.v_s = v_s;
    if constexpr (requires { one.nu; }) one.nu = nu;
    return one;
  });
}

namespace {

[[noreturn]] void refuse(std::size_t contact, const forces::Fault& fault) {
  const bool of_law = fault.field == "v_s" || fault.field == "nu";
  throw InputError(of_law ? fmt::format("law.{}", fault.field) : fmt::format("contacts[{}].{}", contact, fault.field),
                   fault.rule);
}

void require_sound(const forces::Task& task, const ContactProblem& problem) {
  const bool approaches = forces::approach_speed(task.kinematics, task.x) > 0;
  std::visit(
      [&](const auto& all) {
        for (std::size_t i = 0; i < all.size(); ++i) {
          const double mass = task.mass[static_cast<Index>(i)];
          if (const auto fault = all[i].fault(mass > 0 ? mass : 1)) refuse(i, *fault);
          const std::optional<double> asked = all[i].asked(0, mass > 0 ? mass : 1);
          if (!approaches && all[i].needs_speed() && *asked < 1 && problem.contacts()[i].E0 > 0)
            refuse(i, {"e", fmt::format("{} cannot be turned into damping where no contact approaches; give the "
                                        "damping c instead",
                                        *asked)});
        }
      },
      task.normal);
  std::visit(
      [&](const auto& all) {
        for (std::size_t i = 0; i < all.size(); ++i)
          if (all[i].mu_s > 0 && problem.contacts()[i].tangents > 0)
            if (const auto fault = all[i].fault()) refuse(i, *fault);
      },
      task.friction);
}

forces::Task task_of(const Compliant& law, const ContactProblem& problem, const forces::Frozen& frozen, Path* path) {
  const Index m = problem.size();
  forces::Task task = {.kinematics = frozen,
                       .normal = law.normal_forces(problem.contacts()),
                       .friction = law.friction_forces(problem.contacts()),
                       .x = Vector::Zero(frozen.size()),
                       .mass = normal_masses(problem),
                       .E0 = Vector::Zero(m),
                       .tolerance = law.tolerance,
                       .care = 1,
                       .most_steps = kCompliantSteps,
                       .path = path,
                       .watch = problem.options.watch};
  std::visit(
      [&](const auto& all) {
        for (Index i = 0; i < m; ++i) {
          task.E0[i] = problem.contacts()[i].E0;
          task.x[i] = all[i].indentation(task.E0[i]);
          if (law.gaps.size() > 0 && law.gaps[i] > 0) task.x[i] = -law.gaps[i];
        }
      },
      task.normal);
  return task;
}

void require_gaps(const Vector& gaps, const ContactProblem& problem) {
  if (gaps.size() != problem.size())
    throw InputError("law.gaps", fmt::format("has {} entries; expected one for each of the {} contacts", gaps.size(),
                                             problem.size()));
  for (Index i = 0; i < gaps.size(); ++i) {
    if (!(gaps[i] >= 0 && std::isfinite(gaps[i])))
      throw InputError(fmt::format("law.gaps[{}]", i),
                       fmt::format("{} is no gap; expected a finite length >= 0", gaps[i]));
    if (gaps[i] > 0 && problem.contacts()[i].E0 > 0)
      throw InputError(fmt::format("law.gaps[{}]", i),
                       fmt::format("{} m, and the contact stores E0 = {} J; what stores energy touches", gaps[i],
                                   problem.contacts()[i].E0));
  }
}

struct Careful {
  forces::Followed impact;
  double error = 0;    // relative, of the velocities, if it is above the tolerance
  bool rough = false;  // at the accuracy asked for there was no end
};

double distance(const forces::Followed& a, const forces::Followed& b) {
  return (a.gamma - b.gamma).cwiseAbs().maxCoeff() / a.speed;
}

forces::Followed follow_anew(const forces::Task& task) {
  if (task.path != nullptr) task.path->states.clear();
  return forces::follow(task);
}

/// What does not end within its steps is followed less accurately; what has many events a second time, to see what they
/// do to errors.
Careful follow_with_care(forces::Task task) {
  const double asked = task.tolerance;
  Careful result{follow_anew(task)};
  const auto is_cancelled = [&] { return task.watch != nullptr && task.watch->is_cancelled(); };
  if (is_cancelled()) return result;
  if (result.impact.status == Status::iteration_limit) {
    task.most_steps = kRoughCompliantSteps;
    for (double tolerance = kCoarser * asked; tolerance <= kCoarsest; tolerance *= kCoarser) {
      task.tolerance = tolerance;
      forces::Followed again = follow_anew(task);
      if (again.status != Status::solved) continue;
      forces::Task other = task;  // two accuracies tell how much is known
      other.tolerance *= kComparedWith;
      other.path = nullptr;
      const forces::Followed compared = forces::follow(other);
      if (compared.status != Status::solved) continue;
      const double error = std::max(tolerance, distance(again, compared));
      if (error <= kCoarsest) return {std::move(again), error, true};
    }
    return result;
  }
  const auto is_trusted = [&] {
    return result.impact.events <= kEventsToTrust * static_cast<long>(result.impact.contacts.size());
  };
  while (!is_trusted() && !is_cancelled() && task.care * kCarefully * asked > kMostCareful) {
    task.care *= kCarefully;
    const Path before = task.path != nullptr ? *task.path : Path{};
    forces::Followed again = follow_anew(task);
    if (again.status != Status::solved) {
      if (task.path != nullptr) *task.path = before;
      break;
    }
    const double error = distance(result.impact, again);
    result.impact = std::move(again);
    result.error = error > asked ? error : 0;
    if (error <= asked) break;
  }
  return result;
}

std::string message_of(const Careful& careful, const ContactProblem& problem, double tolerance) {
  const forces::Followed& impact = careful.impact;
  if (impact.status == Status::iteration_limit) return not_at_its_end(problem, Compliant::name, impact.steps);
  if (careful.rough)
    return fmt::format("{}: too long to be followed at the tolerance {:.1g}; u+ is known to {:.1g} only",
                       Compliant::name, tolerance, careful.error);
  if (careful.error > 0)
    return fmt::format("{}: {} events amplify errors; u+ is known to {:.1g} only", Compliant::name, impact.events,
                       careful.error);
  if (impact.wedged)
    return fmt::format("friction holds the contacts while they are compressed: {:.3g} J stay in them", impact.kept);
  return {};
}

void add_contacts(const forces::Task& task, const forces::Followed& impact, bool is_evaluated, Impulses& impulses) {
  const Index m = static_cast<Index>(impact.contacts.size());
  ContactHistory history;
  history.peak_time.resize(m);
  Vector peak(m);
  AskedRestitution restitution;
  restitution.obtained.resize(m);
  impulses.dissipated_normal = impact.work + task.E0;
  impulses.dissipated_friction = impact.rubbed;
  Losses losses{Vector::Zero(m), Vector::Zero(m), impact.rubbed};
  std::visit(
      [&]<class F>(const std::vector<F>& all) {
        (F::remembers ? losses.loops : losses.damping) = impulses.dissipated_normal;
        for (Index i = 0; i < m; ++i) {
          const std::size_t at = static_cast<std::size_t>(i);
          const double mass = task.mass[i] > 0 ? task.mass[i] : 1;
          const double v0 = impact.contacts[at].touched ? impact.contacts[at].memory.v0 : impact.speed;
          restitution.asked.push_back(all[at].asked(v0, mass));
          restitution.obtained[i] = all[at].restitution(v0, mass);
        }
      },
      task.normal);
  for (Index i = 0; i < m; ++i) {
    const forces::ContactState& one = impact.contacts[i];
    peak[i] = one.peak;
    history.peak_time[i] = one.peak_time;
    history.compressions.push_back(one.compressions);
    history.reimpacts.push_back(std::max(one.touches - 1, 0L));
  }
  impulses.peak_force = std::move(peak);
  impulses.history = std::move(history);
  impulses.losses = std::move(losses);
  impulses.works = PhaseWorks{Vector(m), Vector(m)};
  for (Index i = 0; i < m; ++i) {
    impulses.works->compression[i] = -impact.contacts[i].compressed;
    impulses.works->restitution[i] = impact.contacts[i].returned;
  }
  if (is_evaluated) {
    impulses.e_used.resize(m);
    for (Index i = 0; i < m; ++i) impulses.e_used[i] = restitution.asked[i].value_or(restitution.obtained[i]);
  }
  impulses.restitution = std::move(restitution);
}

/// Contacts that gave back more than was put into them: others did work on them in between, tangentially.
std::vector<std::string> remarks_on(const ContactProblem& problem, const forces::Task& task,
                                    const forces::Followed& impact) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < impact.contacts.size(); ++i) {
    const forces::ContactState& one = impact.contacts[i];
    const double taken = one.compressed + task.E0[static_cast<Index>(i)];
    if (taken > 0 && one.returned > (1 + kReturnsMore) * taken)
      result.push_back(fmt::format("contact '{}' returned more work than it took: its energetic coefficient is {:.6g}",
                                   problem.contacts()[i].name, std::sqrt(one.returned / taken)));
  }
  return result;
}

}  // namespace

bool Compliant::ignores(std::string_view contact_field) const {
  const bool linear = force == Force::spring_dashpot || force == Force::bi_stiffness;
  const bool damped = force != Force::power && force != Force::hysteretic && force != Force::bi_stiffness;
  if (contact_field == "e") return force == Force::power;
  if (contact_field == "c") return !damped;
  if (contact_field == "eta") return linear;
  if (contact_field == "k_t") return friction != Friction::bristle;
  return contact_field == "mu_s" && friction == Friction::regularised;
}

Impulses Compliant::impulses(const ContactProblem& problem, Path* path) const {
  require_tolerance(tolerance, name);
  if (gaps.size() > 0) require_gaps(gaps, problem);
  if (gaps.size() == 0 && force == Force::power && !has_friction(problem) && !is_flexible(problem)) {
    const auto elastic = [](const Contact& contact) -> springs::Force { return springs::ElasticGap(contact); };
    return spring_impulses(problem, elastic, tolerance, name, path);
  }
  const forces::Frozen frozen(problem);
  const forces::Task task = task_of(*this, problem, frozen, path);
  require_sound(task, problem);
  for (Index i = 0; i < problem.size(); ++i)
    if (task.mass[i] == 0 && problem.gamma_free[problem.row[i]] < 0)
      return contradiction(problem, Vector::Unit(problem.size(), i), name);
  const Careful careful = follow_with_care(task);
  const forces::Followed& impact = careful.impact;
  Impulses impulses;
  impulses.status = impact.status;
  impulses.message = message_of(careful, problem, tolerance);
  impulses.Lambda = impact.x.tail(frozen.rows());
  impulses.unique.tangential_impulse = !impact.shared;
  impulses.accuracy = std::max(tolerance, careful.error);
  if (careful.rough) impulses.residual = careful.error;
  add_contacts(task, impact, !problem.evaluated.empty() && force != Force::power, impulses);
  impulses.remarks = remarks_on(problem, task, impact);
  if (!impact.wedged) impulses.duration = impact.duration;
  impulses.events = impact.events;
  impulses.cost.evaluations = impact.evaluations;
  impulses.cost.iterations = impact.steps;
  return impulses;
}

}  // namespace carom
