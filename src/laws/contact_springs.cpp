#include "laws/contact_springs.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "laws/normal_complementarity.h"
#include "laws/springs/impact.h"
#include "laws/springs/rubbing.h"
#include "numerics/decompositions.h"
#include "numerics/factored_lcp.h"

namespace carom {
namespace {

constexpr long kSteps = 250000, kStepsPerContact = 2000;
constexpr long kRubbingSteps = 80000;         // with friction: some clusters lose a thousandth of their speed a round
constexpr long kRoughSteps = 20000;           // for each lower accuracy, where that does not suffice
constexpr double kLooser = 100, kOther = 10;  // accuracies from try to try; the one that it is compared with
constexpr double kRoughest = 1e-3;            // what is known less well is not known
constexpr long kTrustedEvents = 12;           // a contact: with more of them the impact is integrated again
constexpr long kLongCollapse = 20000;         // steps: then it is not
constexpr double kMoreCare = 0.02;            // each time
constexpr Index kMostToEnclose = 200;         // contacts among which enclosing ones are looked for
constexpr double kMostCare = 1e-15;           // relative error of a step: less is rounding

template <class Impact>
struct Checked {
  std::unique_ptr<Impact> impact;
  Status status = Status::iteration_limit;
  double error = 0;    // relative, of the velocities, if it is above the tolerance
  bool rough = false;  // at the accuracy asked for there was no end
};

template <class Impact>
Checked<Impact> integrate_once(const springs::Task& task) {
  if (task.path != nullptr) task.path->states.clear();
  Checked<Impact> result;
  result.impact = std::make_unique<Impact>(task);
  result.status = result.impact->run();
  return result;
}

template <class Impact>
bool is_trusted(const Checked<Impact>& result, const springs::Task& task) {
  const Impact& impact = *result.impact;
  return result.status != Status::solved || task.problem.size() > springs::kFewContacts ||
         impact.events() <= kTrustedEvents * static_cast<long>(task.problem.size()) ||
         (impact.collapsed() && impact.steps() > kLongCollapse);
}

/// The contacts that move each other with contact i.
std::vector<Index> moved_together(const ContactProblem& problem, const SparseMatrix& G, Index i) {
  std::vector<char> seen(static_cast<std::size_t>(problem.size()), 0);
  std::vector<Index> result = {i};
  seen[static_cast<std::size_t>(i)] = 1;
  for (std::size_t next = 0; next < result.size(); ++next)
    for (SparseMatrix::InnerIterator entry(G, result[next]); entry; ++entry)
      if (!std::exchange(seen[static_cast<std::size_t>(entry.row())], 1)) result.push_back(entry.row());
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
    const bool keeps =
        task.unloading == springs::Unloading::gap || problem.contacts()[static_cast<std::size_t>(i)].e == 1;
    if (!keeps) return {};
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
template <class Impact>
std::optional<Checked<Impact>> integrate_roughly(springs::Task task) {
  const double asked = task.tolerance;
  task.most_steps = kRoughSteps + kStepsPerContact * static_cast<long>(task.problem.size());
  for (double looser = kLooser; looser * asked <= kRoughest; looser *= kLooser) {
    task.tolerance = looser * asked;
    Checked<Impact> result = integrate_once<Impact>(task);
    if (result.status != Status::solved) continue;
    springs::Task other = task;
    other.tolerance = kOther * task.tolerance;
    other.path = nullptr;
    const Checked<Impact> compared = integrate_once<Impact>(other);
    if (compared.status != Status::solved) continue;
    result.error = std::max(task.tolerance, result.impact->distance(*compared.impact));
    result.rough = true;
    if (result.error <= kRoughest) return result;
  }
  return std::nullopt;
}

template <class Impact>
Checked<Impact> integrate(springs::Task task) {
  constexpr bool rubs = std::is_same_v<Impact, springs::Rubbing>;
  task.most_steps = (rubs ? kRubbingSteps : kSteps) + kStepsPerContact * static_cast<long>(task.problem.size());
  Checked<Impact> result = integrate_once<Impact>(task);
  if (result.status == Status::iteration_limit)
    if (std::optional<Checked<Impact>> rough = integrate_roughly<Impact>(task)) return *std::move(rough);
  while (!is_trusted(result, task)) {
    task.care *= kMoreCare;
    task.most_steps -= result.impact->steps();
    const Path before = task.path != nullptr ? *task.path : Path{};
    Checked<Impact> again = integrate_once<Impact>(task);
    if (again.status != Status::solved) {
      if (task.path != nullptr) *task.path = before;
      break;
    }
    const double error = result.impact->distance(*again.impact);
    result = std::move(again);
    if (error <= task.tolerance) break;
    result.error = error;
    if (task.care * springs::kStepShare * task.tolerance < kMostCare) break;
  }
  return result;
}

/// What each contact went through.
template <class Impact>
void add_history(const Impact& impact, Impulses& impulses) {
  const Index m = static_cast<Index>(impact.springs().size());
  ContactHistory history;
  history.collapsed = impact.collapsed();
  history.peak_time.resize(m);
  Vector peak(m);
  impulses.dissipated_normal.resize(m);
  for (Index i = 0; i < m; ++i) {
    const springs::Spring& spring = impact.springs()[i];
    impulses.dissipated_normal[i] = spring.dissipated;
    peak[i] = spring.peak;
    history.peak_time[i] = spring.peak_time;
    history.compressions.push_back(spring.compressions);
    history.reimpacts.push_back(spring.reimpacts);
  }
  impulses.peak_force = std::move(peak);
  impulses.history = std::move(history);
}

void add_impulses(const springs::Impact& impact, const NormalProblem& normal, Impulses& impulses) {
  impulses.Lambda = normal.to_rows(impact.Lambda());
  impulses.dissipated_friction = Vector::Zero(static_cast<Index>(impact.springs().size()));
}

void add_impulses(const springs::Rubbing& impact, const NormalProblem&, Impulses& impulses) {
  impulses.Lambda = impact.Lambda();
  impulses.dissipated_friction = impact.friction();
  impulses.unique.tangential_impulse = !impact.shared();
  if (impact.wedged() && impulses.message.empty())
    impulses.message =
        fmt::format("friction holds the contacts while they are compressed: {:.3g} J stay in them", impact.kept());
}

bool ends_in_time(const springs::Impact& impact) {
  return !impact.collapsed();
}

bool ends_in_time(const springs::Rubbing& impact) {
  return !impact.collapsed() && !impact.wedged();
}

template <class Impact>
Impulses follow(const springs::Task& task, std::string_view law) {
  const Checked<Impact> checked = integrate<Impact>(task);
  const Impact& impact = *checked.impact;
  if (checked.status == Status::no_solution)
    return contradiction(task.problem, Vector::Unit(task.problem.size(), impact.contradiction), law);
  if (checked.status == Status::iteration_limit)
    if (const Vector share = enclosing(task); share.size() > 0) return endless(task, share, law);
  Impulses impulses;
  impulses.status = checked.status;
  if (checked.status == Status::iteration_limit)
    impulses.message = fmt::format("{}: not at its end after {} steps", law, impact.steps());
  else if (checked.rough)
    impulses.message = fmt::format("{}: too long to be followed at the tolerance {:.1g}; u+ is known to {:.1g} only",
                                   law, task.tolerance, checked.error);
  else if (checked.error > 0)
    impulses.message =
        fmt::format("{}: {} events amplify rounding; u+ is known to {:.1g} only", law, impact.events(), checked.error);
  add_impulses(impact, task.normal, impulses);
  impulses.accuracy = std::max(task.tolerance, checked.error);
  if (checked.rough) impulses.residual = checked.error;
  add_history(impact, impulses);
  if (ends_in_time(impact)) impulses.duration = impact.duration();
  impulses.events = impact.events();
  impulses.cost.evaluations = impact.evaluations();
  impulses.cost.iterations = impact.steps();
  return impulses;
}

}  // namespace

Impulses spring_impulses(const ContactProblem& problem, springs::Unloading unloading, double tolerance,
                         std::string_view law, Path* path) {
  const NormalProblem normal(problem);
  const springs::Task task = {
      .problem = problem, .normal = normal, .unloading = unloading, .tolerance = tolerance, .path = path};
  return has_friction(problem) ? follow<springs::Rubbing>(task, law) : follow<springs::Impact>(task, law);
}

}  // namespace carom
