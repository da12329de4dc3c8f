#include "carom/laws/lzb.h"

#include "carom/laws/contact_springs.h"

namespace carom {

Impulses Lzb::impulses(const ContactProblem& problem, Path* path) const {
  require_restitution_in_unit_interval(problem, name);
  require_tolerance(tolerance, name);
  const auto bi = [](const Contact& contact) -> springs::Force { return springs::BiStiffness(contact); };
  const auto mono = [](const Contact& contact) -> springs::Force { return springs::MonoStiffness(contact); };
  return stiffness == Stiffness::bi ? spring_impulses(problem, bi, tolerance, name, path)
                                    : spring_impulses(problem, mono, tolerance, name, path);
}

}  // namespace carom
