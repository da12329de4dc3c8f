#include "laws/lzb.h"

#include "laws/contact_springs.h"

namespace carom {

Impulses Lzb::impulses(const ContactProblem& problem, Path* path) const {
  require_restitution_in_unit_interval(problem, name);
  require_tolerance(tolerance, name);
  return spring_impulses(problem, stiffness == Stiffness::bi ? springs::Unloading::bi : springs::Unloading::mono,
                         tolerance, name, path);
}

}  // namespace carom
