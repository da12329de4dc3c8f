// What the flight of many balls is made of: pending times, cells, and what pairs have lost.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "carom/simulate/event_heap.h"
#include "carom/simulate/flight_cells.h"
#include "carom/simulate/pair_losses.h"
#include "support.h"

namespace carom::testing {

using namespace simulate;
namespace {

TEST(PairLossesTest, TellsPairsApartUpToANumberAndLosesNothing) {
  PairLosses losses(10);
  double sum = 0;
  for (int a = 0; a < 100; ++a)
    for (int b = a + 1; b < 100; ++b)
      for (int again = 0; again < 2; ++again) {
        losses.add({a, b, -1, 1, 0.5});
        sum += 0.5;
      }
  const std::vector<PairLoss> all = losses.sorted();
  EXPECT_LT(all.size(), 2000u);
  EXPECT_TRUE(all.back().is_of_others());
  double told = 0;
  long impacts = 0;
  for (const PairLoss& loss : all) {
    told += loss.dissipated;
    impacts += loss.impacts;
  }
  EXPECT_EQ(told, sum);
  EXPECT_EQ(impacts, 9900);
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end() - 1, [](const PairLoss& x, const PairLoss& y) {
    return std::tie(x.body_a, x.body_b) < std::tie(y.body_a, y.body_b);
  }));
  PairLosses again(10);
  for (const PairLoss& loss : all) again.add(loss);
  EXPECT_EQ(again.sorted().size(), all.size());
}

TEST(PairLossesTest, APairThatTouchesAtSeveralPointsHasOneImpact) {
  PairLosses losses(2);
  for (long impact = 1; impact <= 3; ++impact)
    for (int leg = 0; leg < 4; ++leg) losses.add({0, 1, -1, leg == 3 ? 0 : 1, 0.25}, impact);
  losses.add({0, 1, 5, 1, 1}, 3);  // a stop of a joint between them is another contact
  const std::vector<PairLoss> all = losses.sorted();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].impacts, 3);
  EXPECT_EQ(all[0].dissipated, 3);
  EXPECT_EQ(all[1].impacts, 1);
}

TEST(EventHeapTest, KnowsTheFirstOfTimesThatChange) {
  Random random(3);
  std::vector<double> times(37, std::numeric_limits<double>::infinity());
  EventHeap heap(37);
  for (int round = 0; round < 2000; ++round) {
    const int item = static_cast<int>(37 * random.uniform());
    times[item] = std::floor(20 * random.uniform());
    heap.set(item, times[item]);
    const auto least = std::min_element(times.begin(), times.end());
    ASSERT_EQ(heap.time(), *least);
    ASSERT_EQ(heap.first(), least - times.begin()) << "equal times in the order of the items";
  }
}

TEST(FlightCellsTest, FindsEveryPointNearerThanAnEdgeOnceWhereverItIs) {
  for (const int axes : {1, 2, 3}) {
    Random random(17);
    std::vector<Vector3> points;
    for (int i = 0; i < 300; ++i) {
      Vector3 x = Vector3::Zero();
      for (int k = 0; k < axes; ++k) x[k] = 20 * random.uniform() - 5;
      points.push_back(x);
    }
    // The room told is smaller than that of the points: the grid repeats itself.
    FlightCells cells(points.size(), 1.5, axes, Vector3::Zero(), Vector3::Constant(6));
    for (int i = 0; i < 300; ++i) cells.insert(i, points[i]);
    for (int i = 0; i < 300; ++i) {
      std::vector<int> found(300, 0);
      cells.for_near(i, [&](int other, const Vector3& image) {
        EXPECT_TRUE(image.isZero());
        ++found[other];
      });
      EXPECT_EQ(found[i], 0);
      EXPECT_LE(*std::max_element(found.begin(), found.end()), 1);
      for (int j = 0; j < 300; ++j)
        EXPECT_TRUE(j == i || found[j] == 1 || (points[i] - points[j]).cwiseAbs().maxCoeff() > 1.5);
    }
  }
}

}  // namespace
}  // namespace carom::testing
