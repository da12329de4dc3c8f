// Every contact force by itself: what its concept promises, as numbers.

#include "carom/laws/springs/forces.h"

#include <gtest/gtest.h>

#include "support.h"

namespace carom::springs {
namespace {

template <class F>
class EveryForce : public ::testing::Test {
 public:
  static F force(double e, double eta) { return F(Contact{.e = e, .k = 3, .eta = eta}); }
};

using Forces = ::testing::Types<BiStiffness, MonoStiffness, ElasticGap>;
TYPED_TEST_SUITE(EveryForce, Forces);

TYPED_TEST(EveryForce, StoresTheWorkOfItsForce) {
  for (const double eta : {0.7, 1.0, 1.5, 2.5}) {
    const auto law = this->force(0.6, eta);
    constexpr int kPieces = 4000;
    constexpr double kDeepest = 0.8, kPiece = kDeepest / kPieces;
    double work = 0;
    for (int i = 0; i < kPieces; ++i) work += law.force((i + 0.5) * kPiece, 0, 0) * kPiece;
    EXPECT_NEAR(law.stored(kDeepest), work, 1e-4 * work) << eta;
  }
}

TYPED_TEST(EveryForce, DoesNotPull) {
  const auto law = this->force(0.6, 1.5);
  EXPECT_EQ(law.force(-0.1, 0, 0), 0);
  EXPECT_EQ(law.stored(-0.1), 0);
}

TYPED_TEST(EveryForce, ReturnsASquareOfItsRestitutionAndLosesTheRest) {
  for (const double e : {0.0, 0.3, 0.9, 1.0})
    for (const double eta : {1.0, 1.5}) {
      const auto law = this->force(e, eta);
      const double s = 0.7, mark = law.mark(s), stored = law.stored(s);
      EXPECT_NEAR(law.recoverable(s, mark), law.e * law.e * stored, 1e-14);
      EXPECT_NEAR(law.recoverable(s, mark) + law.lost_opening(mark), stored, 1e-14);
    }
}

TYPED_TEST(EveryForce, LosesNoMoreIfItTurnsOnTheWay) {
  const auto law = this->force(0.6, 1.5);
  const double mark = law.mark(0.7);
  EXPECT_NEAR(law.lost_turning(0.7, mark), 0, 1e-14) << "it has just begun";
  EXPECT_GE(law.lost_turning(0.6, mark), 0);
  EXPECT_LE(law.lost_turning(0.6, mark), law.lost_opening(mark));
  EXPECT_LT(law.floor(mark), 0.7);
}

TYPED_TEST(EveryForce, JumpsWhereItIsCutOff) {
  const auto law = this->force(0.6, 1.5);
  EXPECT_EQ(law.jumps(), law.force(law.floor(law.mark(0.7)), 0, 0) > 0);
}

TEST(BiStiffness, UnloadsInLessTime) {
  EXPECT_DOUBLE_EQ(BiStiffness(Contact{.e = 0.5}).unloading_rate(), 4);
  EXPECT_DOUBLE_EQ(BiStiffness(Contact{.e = 0}).unloading_rate(), 1) << "it lets go at once";
}

}  // namespace
}  // namespace carom::springs
