#include "laws/springs/follow.h"

#include "laws/springs/driver.h"
#include "laws/springs/frictional_steps.h"
#include "laws/springs/waves.h"

namespace carom::springs {

Followed follow(const Task& task) {
  if (task.path != nullptr) task.path->states.clear();
  const System system(task);
  Followed nothing;
  nothing.held = system.held;
  nothing.status = system.held >= 0 ? Status::no_solution : Status::solved;
  nothing.contacts.resize(static_cast<std::size_t>(system.size()));
  nothing.Lambda = Vector::Zero(task.problem.gamma_minus.size());
  nothing.friction = Vector::Zero(system.size());
  if (system.held >= 0 || system.energy_scale <= 0) return nothing;
  if (!has_friction(task.problem)) return Waves(system, task.most_steps, task.path).run();
  FrictionalSteps steps(system, task.most_steps, task.path);
  const Status status = *advance(steps);
  return steps.result(status);
}

}  // namespace carom::springs
