#include "carom/laws/compliant.h"

#include "carom/laws/contact_springs.h"

namespace carom {

Impulses Compliant::impulses(const ContactProblem& problem, Path* path) const {
  require_no_friction(problem, name);
  require_tolerance(tolerance, name);
  const auto elastic = [](const Contact& contact) -> springs::Force { return springs::ElasticGap(contact); };
  return spring_impulses(problem, elastic, tolerance, name, path);
}

}  // namespace carom
