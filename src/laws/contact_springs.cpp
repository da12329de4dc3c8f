#include "carom/laws/contact_springs.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <memory>
#include <optional>
#include <utility>

#include "carom/laws/normal_complementarity.h"
#include "carom/laws/springs/follow.h"
#include "carom/numerics/decompositions.h"
#include "carom/numerics/factored_lcp.h"

namespace carom {
namespace {

constexpr long kSteps = 250000, kStepsPerContact = 2000;
constexpr long kStepsWithFriction = 80000;    // with friction: some clusters lose a thousandth of their speed a round
constexpr long kRoughSteps = 20000;           // for each lower accuracy, where that does not suffice
constexpr double kLooser = 100, kOther = 10;  // accuracies from try to try; the one that it is compared with
constexpr double kRoughest = 1e-3;            // what is known less well is not known
constexpr long kTrustedEvents = 12;           // a contact: with more of them the impact is integrated again
constexpr long kLongCollapse = 20000;         // steps: then it is not
constexpr double kMoreCare = 0.02;            // each time
constexpr Index kMostToEnclose = 200;         // contacts among which enclosing ones are looked for
constexpr double kMostCare = 1e-15;           // relative error of a step: less is rounding

/// An impact that was followed, and how well.
struct Checked {
  springs::Result impact;
  double error = 0;    // relative, of the velocities, if it is above the tolerance
  bool rough = false;  // at the accuracy asked for there was no end
};

bool is_trusted(const springs::Result& impact, const springs::Task& task) {
  return impact.status != Status::solved || task.problem.size() > springs::kFewContacts ||
         impact.events <= kTrustedEvents * static_cast<long>(task.problem.size()) ||
         (impact.collapsed && impact.steps > kLongCollapse);
}

/// The contacts that move each other with contact i.
std::vector<Index> moved_together(const ContactProblem& problem, const SparseMatrix& G, Index i) {
  std::vector<char> seen(static_cast<std::size_t>(problem.size()), 0);
  std::vector<Index> result = {i};
  seen[i] = 1;
  for (std::size_t next = 0; next < result.size(); ++next)
    for (SparseMatrix::InnerIterator entry(G, result[next]); entry; ++entry)
      if (!std::exchange(seen[entry.row()], 1)) result.push_back(entry.row());
  return result;
}

/// Contacts that enclose bodies from all sides, each by its share, where they and all that they move with lose nothing;
/// empty: there are none. Together they allow no velocity at which none of them closes but rest, which what conserves
/// its energy does not come to.
Vector enclosing(const springs::Task& task) {
  const ContactProblem& problem = task.problem;
  if (has_friction(problem) || problem.size() > kMostToEnclose) return {};
  const Matrix V = normal_factors(problem);
  const Vector speed = V.colwise().norm();
  // Velocities at which all of them open exist unless they enclose something.
  const auto opening = numerics::solve_factored_lcp(V, -speed, speed);
  if (!opening || opening->status != numerics::LcpStatus::infeasible) return {};
  Index first = 0;
  opening->ray.maxCoeff(&first);
  const std::vector<Index> all = moved_together(problem, task.normal.G(), first);
  std::vector<Index> around;
  for (const Index i : all) {
    const Contact& contact = problem.contacts()[i];
    const double e = std::visit([](const auto& own) { return own.e; }, task.force(contact));
    if (contact.e_of ? contact.e_of->at(0, 0) < 1 : e < 1) return {};  // what compressions end with
    if (opening->ray[i] > 0) around.push_back(i);
  }
  const auto rank = [&](const std::vector<Index>& columns) {
    return numerics::PivotedQr(V(Eigen::all, columns)).rank();
  };
  return rank(around) == rank(all) ? opening->ray : Vector();
}

/// An impact that has no end: what says so.
Impulses endless(const springs::Task& task, const Vector& share, std::string_view law) {
  Impulses impulses;
  impulses.status = Status::no_solution;
  impulses.message = fmt::format("{}: the impact never ends; contacts {} enclose what they touch and lose no energy",
                                 law, named(task.problem, share).names);
  return impulses;
}

/// An impact that does not end within its steps at the accuracy asked for, less accurately: what is too slow to be seen
/// is let go sooner, and two accuracies tell how much is known. Nothing if they do not.
std::optional<Checked> integrate_roughly(springs::Task task) {
  const double asked = task.tolerance;
  task.most_steps = kRoughSteps + kStepsPerContact * static_cast<long>(task.problem.size());
  for (double looser = kLooser; looser * asked <= kRoughest; looser *= kLooser) {
    task.tolerance = looser * asked;
    springs::Result impact = springs::follow(task);
    if (impact.status != Status::solved) continue;
    springs::Task other = task;
    other.tolerance = kOther * task.tolerance;
    other.path = nullptr;
    const springs::Result compared = springs::follow(other);
    if (compared.status != Status::solved) continue;
    const double error = std::max(task.tolerance, impact.distance(compared));
    if (error <= kRoughest) return Checked{std::move(impact), error, true};
  }
  return std::nullopt;
}

Checked integrate_carefully(springs::Task task) {
  task.most_steps = (has_friction(task.problem) ? kStepsWithFriction : kSteps) +
                    kStepsPerContact * static_cast<long>(task.problem.size());
  Checked result{springs::follow(task)};
  if (is_cancelled(task.problem)) return result;
  if (result.impact.status == Status::iteration_limit)
    if (std::optional<Checked> rough = integrate_roughly(task)) return *std::move(rough);
  while (!is_trusted(result.impact, task) && !is_cancelled(task.problem)) {
    task.care *= kMoreCare;
    task.most_steps -= result.impact.steps;
    const Path before = task.path != nullptr ? *task.path : Path{};
    springs::Result again = springs::follow(task);
    if (again.status != Status::solved) {
      if (task.path != nullptr) *task.path = before;
      break;
    }
    const double error = result.impact.distance(again);
    result.impact = std::move(again);
    if (error <= task.tolerance) break;
    result.error = error;
    if (task.care * springs::kStepShare * task.tolerance < kMostCare) break;
  }
  return result;
}

/// What each contact went through.
void add_history(const ContactProblem& problem, const springs::Result& impact, bool reads_e, Impulses& impulses) {
  const Index m = static_cast<Index>(impact.contacts.size());
  PhaseWorks works{Vector(m), Vector(m)};
  if (reads_e && !problem.evaluated.empty()) impulses.e_used.resize(m);
  ContactHistory history;
  history.collapsed = impact.collapsed;
  history.peak_time.resize(m);
  Vector peak(m);
  impulses.dissipated_normal.resize(m);
  for (Index i = 0; i < m; ++i) {
    const springs::SpringState& contact = impact.contacts[i];
    impulses.dissipated_normal[i] = contact.dissipated;
    works.compression[i] = -contact.taken;
    works.restitution[i] = std::max(0.0, problem.contacts()[i].E0 + contact.taken - contact.dissipated);
    if (impulses.e_used.size() > 0) {
      const Contact& given = problem.contacts()[i];
      impulses.e_used[i] = given.e_of && contact.compressions > 0 ? contact.e : given.e;
    }
    peak[i] = contact.peak;
    history.peak_time[i] = contact.peak_time;
    history.compressions.push_back(contact.compressions);
    history.reimpacts.push_back(contact.reimpacts);
  }
  impulses.peak_force = std::move(peak);
  impulses.history = std::move(history);
  impulses.works = std::move(works);
}

std::string message_for(const Checked& checked, const ContactProblem& problem, double tolerance, std::string_view law) {
  const springs::Result& impact = checked.impact;
  if (impact.status == Status::iteration_limit) return not_at_its_end(problem, law, impact.steps);
  if (checked.rough)
    return fmt::format("{}: too long to be followed at the tolerance {:.1g}; u+ is known to {:.1g} only", law,
                       tolerance, checked.error);
  if (checked.error > 0)
    return fmt::format("{}: {} events amplify rounding; u+ is known to {:.1g} only", law, impact.events, checked.error);
  if (impact.wedged)
    return fmt::format("friction holds the contacts while they are compressed: {:.3g} J stay in them", impact.kept);
  return {};
}

}  // namespace

Impulses spring_impulses(const ContactProblem& problem, springs::Force (*force)(const Contact&), double tolerance,
                         std::string_view law, Path* path, springs::Ends ends, double energy) {
  const NormalProblem normal(problem);
  const bool reads_e = !std::holds_alternative<springs::ElasticGap>(force(Contact{}));
  const springs::Task task = {.problem = problem,
                              .normal = normal,
                              .force = force,
                              .tolerance = tolerance,
                              .path = path,
                              .ends = ends,
                              .energy = energy};
  const Checked checked = integrate_carefully(task);
  const springs::Result& impact = checked.impact;
  if (impact.status == Status::no_solution)
    return contradiction(problem, Vector::Unit(problem.size(), impact.held), law);
  if (impact.status == Status::iteration_limit && !is_cancelled(problem))
    if (const Vector share = enclosing(task); share.size() > 0) return endless(task, share, law);
  Impulses impulses;
  impulses.status = impact.status;
  impulses.message = message_for(checked, problem, tolerance, law);
  impulses.Lambda = impact.Lambda;
  impulses.dissipated_friction = impact.friction;
  impulses.unique.tangential_impulse = !impact.shared;
  impulses.accuracy = std::max(tolerance, checked.error);
  if (checked.rough) impulses.residual = checked.error;
  add_history(problem, impact, reads_e, impulses);
  if (!impact.collapsed && !impact.wedged) impulses.duration = impact.duration();
  impulses.events = impact.events;
  impulses.cost.evaluations = impact.evaluations;
  impulses.cost.iterations = impact.steps;
  return impulses;
}

}  // namespace carom
