#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

namespace carom::simulate {

/// Threads that there are for one run, at least 1; 1 where Carom is built without them.
int available_threads();

/// Hands pieces of [first, last) to several threads and waits for them.
void in_pieces(std::size_t first, std::size_t last, int threads,
               const std::function<void(std::size_t from, std::size_t to, std::size_t piece)>& use);

/// The largest of use(from, to) over pieces that make up [first, last): at once, unless there are at least two pieces
/// of `least` each. The same for every number of threads, if `use` is largest over its entries.
template <class Use>
double largest_of_ranges(std::size_t first, std::size_t last, std::size_t least, int threads, Use&& use) {
  const std::size_t pieces = std::min(static_cast<std::size_t>(threads), (last - first) / least);
  if (pieces < 2) return use(first, last);
  constexpr std::size_t kMostPieces = 64;
  double found[kMostPieces] = {};
  in_pieces(first, last, static_cast<int>(std::min(pieces, kMostPieces)),
            [&](std::size_t from, std::size_t to, std::size_t piece) { found[piece] = use(from, to); });
  return *std::max_element(found, found + kMostPieces);
}

/// The same without a result.
template <class Use>
void for_ranges(std::size_t first, std::size_t last, std::size_t least, int threads, Use&& use) {
  largest_of_ranges(first, last, least, threads, [&](std::size_t from, std::size_t to) {
    use(from, to);
    return 0.0;
  });
}

}  // namespace carom::simulate
