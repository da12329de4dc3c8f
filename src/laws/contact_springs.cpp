#include "laws/contact_springs.h"

#include <fmt/format.h>

#include <memory>
#include <type_traits>

#include "laws/springs/impact.h"
#include "laws/springs/rubbing.h"

namespace carom {
namespace {

constexpr long kSteps = 100000, kStepsPerContact = 2000;
constexpr long kRubbingSteps = 400000;  // with friction: some clusters lose a thousandth of their speed a round
constexpr long kTrustedEvents = 12;     // a contact: with more of them the impact is integrated again
constexpr long kLongCollapse = 20000;   // steps: then it is not
constexpr double kMoreCare = 0.02;      // each time
constexpr double kMostCare = 1e-15;     // relative error of a step: less is rounding

template <class Impact>
struct Checked {
  std::unique_ptr<Impact> impact;
  Status status = Status::iteration_limit;
  double error = 0;  // relative, of the velocities, if it is above the tolerance
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

template <class Impact>
Checked<Impact> integrate(springs::Task task) {
  constexpr bool rubs = std::is_same_v<Impact, springs::Rubbing>;
  task.most_steps = (rubs ? kRubbingSteps : kSteps) + kStepsPerContact * static_cast<long>(task.problem.size());
  Checked<Impact> result = integrate_once<Impact>(task);
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
  Impulses impulses;
  impulses.status = checked.status;
  if (checked.status == Status::iteration_limit)
    impulses.message = fmt::format("{}: not at its end after {} steps", law, impact.steps());
  else if (checked.error > 0)
    impulses.message =
        fmt::format("{}: {} events amplify rounding; u+ is known to {:.1g} only", law, impact.events(), checked.error);
  add_impulses(impact, task.normal, impulses);
  impulses.accuracy = std::max(task.tolerance, checked.error);
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
