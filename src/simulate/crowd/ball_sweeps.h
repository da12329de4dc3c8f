#pragma once

#include <optional>

#include "carom/simulate/crowd/crew.h"
#include "carom/simulate/crowd/swept_contacts.h"

namespace carom::simulate {

/// How sweeps over some of the contacts ended: there were too many to begin with, or their changes are small, or not.
enum class SweptSome { too_many, quiet, restless };

/// What sweep_to does with contacts of balls, with fewer operations and wide vectors.
class BallSweeps {
 public:
  /// Whether all contacts that act are of this kind.
  static bool suits(const SweptContacts& all, const SweptBodies& bodies);

  /// All outlive this.
  BallSweeps(SweptContacts& all, SweptBodies& bodies, Crew& crew);

  double largest_miss() const;
  double sweep();  // the largest change that was met
  void go_on();
  /// Sweeps over those contacts alone that the last sweep has changed by more than a part of `enough`, until their
  /// changes are small; directions are forgotten then.
  SweptSome sweep_some(double enough);
  void finish();  // writes impulses and velocities back

 private:
  SweptContacts& all_;
  SweptBodies& bodies_;
  BallRoom& room_;
  Crew& crew_;
};

}  // namespace carom::simulate
