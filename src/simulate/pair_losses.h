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

  /// Adds to what is known of the same pair, or of the others where `loss` is of others.
  void add(const PairLoss& loss);

  /// In the order of the bodies, the others last.
  std::vector<PairLoss> sorted() const;

 private:
  std::size_t place(const PairLoss& loss) const;  // of the pair, or of the gap where it belongs
  void grow();

  std::size_t most_, size_ = 0;
  std::vector<PairLoss> table_;  // open addressing: a pair is at its hash or after it; impacts < 0: a gap
  PairLoss others_;
};

}  // namespace carom::simulate
