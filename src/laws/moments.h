#pragma once

#include <optional>

#include "carom/impact/law.h"
#include "carom/laws/one_contact/closing_contact.h"

namespace carom {

/// Rotations that an impact reverses: omega = D u, omega+ = -e_m omega-, by moment impulses along the rows of D beside
/// the contacts' impulses (M in (5) of the source). Being linear they are eliminated: the contacts see another G and
/// another gamma_free, and what law they follow does not matter.              [Gilardi, Sharf 2002, (5), (13), (16)]
class Moments {
 public:
  /// coefficients e_m (k), directions D (k x n); both empty: there are none. Throws InputError for a wrong size or an
  /// e_m outside [-1, 1], naming law.moment or law.moment_directions. `problem` must outlive this.
  Moments(const ContactProblem& problem, const Vector& coefficients, const Matrix& directions);

  /// The problem as its contacts see it.
  const ContactProblem& contacts() const { return reduced_ ? *reduced_ : problem_; }

  /// The closing contact of the problem as it is once the moments have acted; its `slip` stays that before. Nothing if
  /// they part it as fast as its restitution asks for: then it needs no impulse.
  std::optional<one_contact::ClosingContact> acting_on(const one_contact::ClosingContact& closing) const;

  /// The answer where no contact needs an impulse.
  Impulses alone() const;

  /// Adds to the contacts' impulses those of the moments.
  void add_to(Impulses& impulses) const;

  /// The same where the contacts were followed: moments act first, at once, and then hold the rotations. Tells what
  /// they take.
  void add_followed(Impulses& impulses) const;

 private:
  const ContactProblem& problem_;
  std::optional<ContactProblem> reduced_;
  Matrix D_;                // (k x n)
  Matrix K_mc_;             // (k x rows) what the contacts' impulses give to omega
  Matrix inverse_;          // (k x k) of D M^-1 D', joints eliminated; of redundant ones the pseudo-inverse
  Vector before_, change_;  // (k) omega if no contact acted, and the change of it that is asked for
};

}  // namespace carom
