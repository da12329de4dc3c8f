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
  void finish();  // writes impulses and velocities back

 private:
  SweptContacts& all_;
  SweptBodies& bodies_;
  BallRoom& room_;
  Crew& crew_;
  double before_ = 0;            // square of the change by the sweep before
  std::optional<double> share_;  // of the directions before that the next sweep goes on along; none: it forgets them
};

}  // namespace carom::simulate
