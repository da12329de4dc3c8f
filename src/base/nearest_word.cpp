#include "carom/base/nearest_word.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace carom {
namespace {

constexpr std::size_t kMostBytes = 100;  // of words that are compared

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Fewest insertions, deletions, replacements and swaps of neighbours that turn a into b, upper and lower case alike.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

/// A third of the letters may differ, one always; but not all of them.
bool is_near(std::size_t distance, std::size_t longer) {
  return distance < longer && distance <= std::max<std::size_t>(1, longer / 3);
}

}  // namespace

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known) {
  std::string_view nearest;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const std::string_view candidate : known) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    if (longer > kMostBytes) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= least || !is_near(distance, longer)) continue;
    nearest = candidate;
    least = distance;
  }
  return nearest;
}

}  // namespace carom
