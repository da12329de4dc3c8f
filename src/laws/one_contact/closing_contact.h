#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "carom/impact/law.h"

namespace carom::one_contact {

/// The one contact of an impact that closes, seen alone: c+ = c + B P in the rows (normal, tangent, tangent), P its
/// impulse. Where it has fewer tangents the rows of those it lacks are zero, so a plane and a line are special cases.
struct ClosingContact {
  Index contact = 0;        // its number
  Index row = 0;            // of its normal
  Index tangents = 0;       // 0, 1 or 2
  Eigen::Matrix3d B;        // its block of G [1/kg], positive semidefinite
  Eigen::Vector3d c_minus;  // velocity before the impact [m/s]
  Eigen::Vector3d c;        // and after it if no contact acted; components that are rounding are 0
  Eigen::Vector2d slip;     // of c, before moments have changed it
  double e = 0, mu = 0, mu_s = 0;
  const RestitutionFunction* e_of = nullptr;  // e depends on the work of compression; owned by the problem

  double B_nn() const { return B(0, 0); }
  Eigen::Vector2d B_tn() const { return B.bottomLeftCorner<2, 1>(); }
  Eigen::Matrix2d B_tt() const { return B.bottomRightCorner<2, 2>(); }
  double c_n() const { return c[0]; }
  Eigen::Vector2d c_t() const { return c.tail<2>(); }

  /// The normal velocity after the impact that Newton's coefficient asks for.
  double rebound() const { return std::max(0.0, -e * c_minus[0]); }

  /// The impulse with P_t = ratio P_n that gives this velocity; nothing where it presses more than it parts.
  std::optional<Eigen::Vector3d> impulse_of_ratio(const Eigen::Vector2d& ratio) const;
};

/// A contact that slips without closing and whose friction then presses its bodies together: dc_n/dP_n < 0. The impact
/// is real and has no approach.                                                                  [Wang, Mason 1992]
bool is_tangential_impact(const ClosingContact& contact);

/// Contact i of the problem alone.
ClosingContact seen_alone(const ContactProblem& problem, Index i);

/// All contacts that close, beyond rounding.
std::vector<Index> closing_contacts(const ContactProblem& problem);

/// The contact that closes; nothing if none does. Throws InputError naming them if there are more, and if one has e
/// outside [0, 1].
std::optional<ClosingContact> closing_contact(const ContactProblem& problem, std::string_view law);

/// The same, and where none closes, one that has a tangential impact.
std::optional<ClosingContact> closing_or_tangential_contact(const ContactProblem& problem, std::string_view law);

/// Those of some contacts that have a tangential impact.
std::vector<Index> tangential_impacts_among(const ContactProblem& problem, const std::vector<Index>& contacts);

/// Impulses of the whole problem: P at the contact, 0 elsewhere.
Vector to_rows(const ContactProblem& problem, const ClosingContact& contact, const Eigen::Vector3d& P);

/// The answer where no contact closes: nothing happens.
Impulses no_impact(const ContactProblem& problem);

/// The answer of a law that jumps.
Impulses impulse_at(const ContactProblem& problem, const ClosingContact& contact, const Eigen::Vector3d& P,
                    std::string_view mode);

/// The answer where no impulse of the contact stops its approach: joints hold it fast.
Impulses held_fast(const ContactProblem& problem, const ClosingContact& contact, std::string_view law);

}  // namespace carom::one_contact
