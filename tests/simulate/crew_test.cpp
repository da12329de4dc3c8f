// Threads that share loops.

#include "carom/simulate/crowd/crew.h"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <vector>

namespace carom::testing {

using simulate::Crew;

TEST(Crew, TakesEveryEntryOnceHoweverManyLoopsFollow) {
  for (const int threads : {0, 1, 2, 5}) {
    Crew crew(threads);
    std::vector<long> taken(1003);
    const long loops = 3000;
    for (long loop = 0; loop < loops; ++loop)
      crew.for_ranges(3, taken.size(), 10, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) ++taken[i];
      });
    for (std::size_t i = 0; i < taken.size(); ++i) ASSERT_EQ(taken[i], i < 3 ? 0 : loops) << i << ", " << threads;
  }
}

TEST(Crew, FindsTheLargestOfAllPieces) {
  for (const int threads : {1, 2, 5}) {
    Crew crew(threads);
    for (std::size_t largest = 0; largest < 500; ++largest) {
      const double found = crew.largest_of_ranges(
          0, 500, 7, [&](std::size_t from, std::size_t to) { return from <= largest && largest < to ? 3.5 : 1.5; });
      ASSERT_EQ(found, 3.5) << largest << ", " << threads;
    }
    EXPECT_EQ(crew.largest_of_ranges(4, 4, 1, [](std::size_t, std::size_t) { return 1.0; }), 0);
  }
}

TEST(Crew, HandsOnWhatIsThrownAndGoesOnThen) {
  Crew crew(3);
  for (int again = 0; again < 200; ++again) {
    EXPECT_THROW(crew.for_ranges(0, 100, 1,
                                 [&](std::size_t from, std::size_t) {
                                   if (from == 40) throw std::runtime_error("forty");
                                 }),
                 std::runtime_error);
    std::vector<int> taken(100);
    crew.for_ranges(0, 100, 1, [&](std::size_t from, std::size_t) { taken[from] = 1; });
    EXPECT_EQ(std::accumulate(taken.begin(), taken.end(), 0), 100);
  }
}

TEST(Crew, SeveralAtATimeDoNotWaitForEachOther) {
  Crew one(4);
  std::vector<int> taken(64 * 64);
  one.for_ranges(0, 64, 1, [&](std::size_t row, std::size_t) {
    Crew other(2);
    other.for_ranges(0, 64, 1, [&](std::size_t column, std::size_t) { ++taken[64 * row + column]; });
  });
  EXPECT_EQ(taken, std::vector<int>(64 * 64, 1));
}

}  // namespace carom::testing
