#pragma once

#include "carom/simulate/crowd/crew.h"
#include "carom/simulate/crowd/swept_contacts.h"

namespace carom::simulate {

/// Fills in what follows from bodies, axes and arms: G and what is made of it.
void prepare(SweptContact& contact, const SweptBodies& bodies);

/// Adds to the impulse of a contact, and to the velocities of its bodies.
void push(SweptContact& contact, const Vector3& change, SweptBodies& bodies);

struct Swept {
  bool solved = false;
  double residual = 0;  // [-] the largest miss of a contact's equations over `weight`
  int sweeps = 0;
};

/// Gauss-Seidel by contacts from the impulses and velocities given: each in turn gets the impulse that its own
/// equations ask for, until the residual is at most `accuracy`; between sweeps a step along conjugate directions, which
/// saves two of three. `weight`: velocity in units of unit diagonal that residuals are relative to. A sweep costs in
/// proportion to the contacts; a heavy body on light ones takes many. The answer is the same to the last bit for every
/// number of threads.
Swept sweep_to(double accuracy, double weight, SweptContacts& all, SweptBodies& bodies, Crew& crew);

}  // namespace carom::simulate
