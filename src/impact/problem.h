#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/base/error.h"
#include "carom/base/optional_number.h"
#include "carom/base/watch.h"
#include "carom/impact/joints.h"
#include "carom/impact/mass_matrix.h"
#include "carom/impact/restitution_function.h"
#include "carom/numerics/linear_algebra.h"

namespace carom {

/// One contact. A law reads the fields it needs, in the sense its header states, and leaves the others alone.
struct Contact {
  std::string name = {};
  int tangents = 0;           // 0 frictionless, 1 planar, 2 spatial: columns of W after the normal
  double e = 0;               // [-] coefficient of restitution
  double mu = 0;              // [-] coefficient of Coulomb friction, >= 0
  double e_t = 0;             // [-] coefficient of tangential restitution
  double k = 1;               // [N/m^eta] contact stiffness, > 0
  double eta = 1.5;           // [-] exponent of the force law lambda = k s^eta, > 0
  double E0 = 0;              // [J] energy stored in the contact before the impact, >= 0
  double gap_rate = 0;        // [m/s] >= 0: not closed yet, it may go on closing at this rate over a time step
  OptionalNumber c = {};      // damping, >= 0, in the unit of the contact force; instead of e
  OptionalNumber mu_s = {};   // [-] friction that holds what sticks, >= mu; none: mu
  OptionalNumber k_t = {};    // [N/m] tangential stiffness, > 0
  double flexibility = 0;     // [m/N] of the bodies, in series with the contact's own stiffness, >= 0
  OptionalNumber mu_2 = {};   // [-] friction along the second tangent, > 0, with mu along the first: the cone's section
                              // is the ellipse (Lambda_1/mu)^2 + (Lambda_2/mu_2)^2 <= Lambda^2; none: mu
  OptionalNumber e_t_2 = {};  // [-] tangential restitution along the second tangent; none: e_t
  SharedRestitution e_of = {};  // e depends on the impact; `e` then is not read. Null for most: it is a number

  double static_friction() const { return mu_s.value_or(mu); }
  bool has_ellipse() const { return mu_2 && tangents == 2 && *mu_2 != mu; }
};

/// One impact at a frozen configuration:
///   M (u+ - u-) = p + W Lambda + J Lambda_J,    gamma = W'u + drift,    J'u+ = 0.
/// gamma > 0 opens a contact, Lambda > 0 presses. The columns of W are the contacts' directions, in order:
/// normal, tangents | normal, tangents | ...
struct ImpactProblem {
  MassMatrix M;    // (n x n)
  SparseMatrix W;  // (n x rows), rows = sum of 1 + tangents
  Vector u_minus;  // (n) velocity before the impact
  Vector drift;    // (rows) velocity of moving walls in the directions of W; empty = 0
  Vector p;        // (n) impulse of the smooth forces over a time step; empty = 0
  SparseMatrix J;  // (n x joints) bilateral directions that are closed afterwards, may be redundant; empty = none
  std::vector<Contact> contacts;  // (m)
};

/// Whether other solutions are looked for where friction may allow several.
enum class Others { ignored, counted, listed };

/// How a problem is to be solved; no part of what it is.
struct SolveOptions {
  double accuracy = 0;  // [-] relative error of the contacts' velocities that may be left; 0: none but rounding
  Vector guess;  // (rows) impulses to start from, of a step before. Laws that can then iterate, and where contacts
                 // are redundant their impulses stay near it; empty: none
  Others others = Others::counted;
  bool validated = false;  // the problem has passed `validate` as it is: it need not pass again
  Watch* watch = nullptr;  // who waits for the answer; must outlive the work
};

/// What the contacts of a problem have: who needs none of it need not look through them again.
struct ContactFeatures {
  bool friction = false;   // some mu > 0
  bool functions = false;  // some e depends on the impact
  bool stored = false;     // some E0 > 0
  bool gaps = false;       // some gap_rate > 0
  double least_e = 0;      // the range of e, after functions have become numbers
  double greatest_e = 0;
};

/// The problem seen from its contacts, all that most laws ever need: gamma+ = gamma_free + G Lambda. Velocities are
/// relative to the `gap_rate` of a contact that is not closed yet: it must not fall below 0 either.
struct ContactProblem {
  const ImpactProblem* impact = nullptr;  // where it came from; must outlive this
  SparseMatrix G;          // (rows x rows) Delassus matrix W' M^-1 W, joints eliminated; positive semidefinite
  Vector gamma_minus;      // (rows) before the impact
  Vector gamma_free;       // (rows) after it if no contact acted
  Vector gamma_terms;      // (rows) size of the terms these are summed from, for their rounding
  std::vector<Index> row;  // (m) row of each contact's normal; its tangents follow
  Joints joints;           // what closes J'u+ = 0
  SolveOptions options;
  ContactFeatures has;
  std::vector<Contact> evaluated;  // (m) where some e depends on the impact, with the e of this one; else empty

  const std::vector<Contact>& contacts() const { return evaluated.empty() ? impact->contacts : evaluated; }
  Index size() const { return static_cast<Index>(row.size()); }
  bool has_tangents() const { return gamma_minus.size() > size(); }
};

/// Throws InputError if a length, a sign or a value makes no sense under any law.
void validate(const ImpactProblem& problem);

/// Restitution that depends on the impact becomes a number: that at the closing speed before the impact, or at the work
/// v^2 / (2 G_ii) that would stop the contact alone. Contacts without such a function cost nothing.
void evaluate_restitution(ImpactProblem& problem);

/// Validates unless that has been done, eliminates the joints and forms G. Costs in proportion to the entries of W and
/// G.
ContactProblem reduce(const ImpactProblem& problem, SolveOptions options = {});
ContactProblem reduce(ImpactProblem&&, SolveOptions = {}) = delete;  // it keeps a pointer to the problem

/// The same of a problem without joints, but for G, which stays empty: for methods that never form it.
ContactProblem reduce_without_G(const ImpactProblem& problem, SolveOptions options = {});

}  // namespace carom
