#pragma once

#include <cstddef>
#include <vector>

#include "carom/simulate/summary.h"

namespace carom::simulate {

/// The energy lost between each two bodies that touch. A gas mixes until everybody has met everybody: pairs are told
/// apart up to a number in proportion to the bodies, those that meet first; what the others lose is one sum.
class PairLosses {
 public:
  explicit PairLosses(std::size_t bodies);

  /// Something will be added for these two bodies soon: fetches what is known of them into the cache.
  void expect(int body_a, int body_b) const;

  /// Adds to what is known of the same pair, or of the others where `loss` is of others. `of`: the number of the
  /// impact, of which a pair that touches at several points has one all the same.
  void add(const PairLoss& loss);
  void add(const PairLoss& loss, long of);

  /// In the order of the bodies, the others last.
  std::vector<PairLoss> sorted() const;

 private:
  struct Entry : PairLoss {
    long last = -1;  // the impact that was counted last
  };

  std::size_t place(const PairLoss& loss) const;  // of the pair, or of the gap where it belongs
  void grow();
  Entry& entry(const PairLoss& loss);  // of the pair, a new one if it is not known

  std::size_t most_, size_ = 0;
  std::vector<Entry> table_;  // open addressing: a pair is at its hash or after it; impacts < 0: a gap
  Entry others_;
};

}  // namespace carom::simulate
