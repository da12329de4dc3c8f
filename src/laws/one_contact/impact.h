#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "carom/laws/one_contact/slip_curve.h"

namespace carom::one_contact {

/// What a coefficient of restitution relates: velocities, impulses or work.      [Gilardi, Sharf 2002, (7), (9), (11)]
enum class Restitution { newton, poisson, stronge };
constexpr std::array<std::string_view, 3> words_of(Restitution) {
  return {"newton", "poisson", "stronge"};
}

struct OneContactOptions {
  Restitution restitution = Restitution::stronge;
  double wave_loss = 0;     // [J] taken from the work of restitution, with stronge
  double tolerance = 1e-9;  // where slip curves: of the change of u in the kinetic metric, relative to `speed`
  double speed = 0;         // kinetic norm of the velocity before the impact
  bool record = false;      // keep the states that are passed
};

/// How an impact at one contact with Coulomb friction went, followed in its normal impulse.
struct OneContactImpact {
  SlipState end, compressed;      // at the end; at the end of compression
  std::vector<SlipState> states;  // from the first touch to the end, if asked for
  std::string mode;               // sliding, C-sticking, ..., see docs/laws/keller.md
  long events = 0, steps = 0, evaluations = 0;
  bool curved = false;      // slip was integrated
  bool jammed = false;      // friction holds the contact in restitution: it does not part
  bool wedged = false;      // and in compression: there is no answer
  bool unfinished = false;  // too many steps
  double e = 0;             // restitution that it had
  double change = 0;        // by how much the last two runs differ, in the terms of the tolerance
};

/// Straight pieces exactly; where slip curves, runs with ever smaller errors until two agree within the tolerance, or
/// until rounding ends it.
OneContactImpact integrate_impact(const ClosingContact& contact, const OneContactOptions& options);

}  // namespace carom::one_contact
