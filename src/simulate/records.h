#pragma once

#include <limits>

#include "carom/simulate/contact_search.h"
#include "carom/simulate/journal.h"
#include "carom/simulate/motion.h"

namespace carom::simulate {

/// The recorded times of an event-driven run: what is told at each of them, and the books of what happens to energy
/// between impacts. Who looks changes no sums.
class Records {
 public:
  /// Of a run from `start` [s].
  Records(const Model& model, const ContactSearch& search, const RunOptions& options, Journal& journal, double start);

  /// `from`: the number of the first record that is not yet told.
  void go_on(long from);

  bool is_due(double t) const { return next_ <= t && recorded_ <= last(); }
  double next() const { return next_; }  // [s]

  /// Tells all that are due up to t: inside a step, or where there is none as it is now. `closed`: contacts that stay
  /// so, if forces are wanted.
  void until(double t, const TrajectoryStep* step, const Moment& now, const Mode& closed);
  void tell(const State& state, const Mode& closed);

  /// Adds what happened between impacts since the last time to the ledger.
  void book(const Moment& moment);

  double told_at = -std::numeric_limits<double>::infinity();  // [s] the last time
  Moment entered;                                             // what the ledger knows of

 private:
  long last() const;
  void measure(const State& state);

  const Model& model_;
  const ContactSearch& search_;
  const RunOptions& options_;
  Journal& journal_;
  const double start_;
  long recorded_ = 0;
  double next_ = 0;  // [s]
};

}  // namespace carom::simulate
