#include "carom/laws/springs/follow.h"

#include "carom/laws/springs/driver.h"
#include "carom/laws/springs/frictional_steps.h"
#include "carom/laws/springs/located_steps.h"
#include "carom/laws/springs/multirate.h"

namespace carom::springs {

namespace {

/// The method that suits the window goes on until another one does.
Result integrate_waves(Waves waves) {
  using numerics::DormandPrince5, numerics::DormandPrince8;
  std::optional<Status> status;
  while (!status) {
    const bool coarse = waves.is_coarse();
    if (waves.is_multirate())
      status = coarse ? advance(Multirate<DormandPrince5>(waves)) : advance(Multirate<DormandPrince8>(waves));
    else
      status = coarse ? advance(LocatedSteps<DormandPrince5>(waves)) : advance(LocatedSteps<DormandPrince8>(waves));
  }
  return waves.result(*status);
}

}  // namespace

Result follow(const Task& task) {
  if (task.path != nullptr) task.path->states.clear();
  const System system(task);
  Result nothing;
  nothing.held = system.held;
  nothing.status = system.held >= 0 ? Status::no_solution : Status::solved;
  nothing.contacts.resize(static_cast<std::size_t>(system.size()));
  nothing.Lambda = Vector::Zero(task.problem.gamma_minus.size());
  nothing.friction = Vector::Zero(system.size());
  if (system.held >= 0 || system.energy_scale <= 0) return nothing;
  if (!has_friction(task.problem) && task.ends == Ends::energy)
    return integrate_waves(Waves(system, task.most_steps, task.path));
  FrictionalSteps steps(system, task.most_steps, task.path);
  const Status status = *advance(steps);
  return steps.result(status);
}

}  // namespace carom::springs
