#pragma once

#include "carom/impact/law.h"

namespace carom {

/// Coulomb's law for all contacts at once, at the level of impulses, between velocities before and after:
///   0 <= gamma_N+ + rebound _|_ Lambda_N - least >= 0,   |Lambda_T| <= mu Lambda_N,
///   gamma_T+ = 0 or Lambda_T = -mu Lambda_N gamma_T+ / |gamma_T+|
/// with gamma+ = gamma_free + G Lambda. Contacts with mu_s > mu: what sticks has |Lambda_T| <= mu_s Lambda_N; of
/// several outcomes one in which as many as possible stick. What Newton's and Poisson's laws with friction share.
Impulses impulses_with_friction(const ContactProblem& problem, const Vector& gamma_free, const Vector& gamma_terms,
                                const Vector& rebound, const Vector& least, std::string_view law);

/// Looks for other solutions of one such problem, or of Poisson's two phases (`e`, one per contact; empty: one phase),
/// and says what it found: unique or not, no solution, or not known. Planar contacts by their modes, up to a dozen; of
/// several solutions that of least kinetic energy relative to the walls is taken, of these that of least impulses, and
/// of mirror images the one with the larger u+, entry by entry. `found` is what the iteration gave.
Impulses among_others(const ContactProblem& problem, const Vector& rebound, const Vector& e, Impulses found,
                      std::string_view law);

}  // namespace carom
