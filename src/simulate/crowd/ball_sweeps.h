#pragma once

#include <optional>

#include "carom/simulate/crowd/crew.h"
#include "carom/simulate/crowd/swept_contacts.h"

namespace carom::simulate {

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
  /// changes are small. False: they are too many for that.
  bool sweep_some(double enough);
  void finish();  // writes impulses and velocities back

 private:
  SweptContacts& all_;
  SweptBodies& bodies_;
  BallRoom& room_;
  Crew& crew_;
};

}  // namespace carom::simulate
