#include "laws/compliant.h"

#include "laws/contact_springs.h"

namespace carom {

Impulses Compliant::impulses(const ContactProblem& problem, Path* path) const {
  require_no_friction(problem, name);
  require_tolerance(tolerance, name);
  return spring_impulses(problem, springs::Unloading::gap, tolerance, name, path);
}

}  // namespace carom
