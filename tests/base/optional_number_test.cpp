#include "carom/base/optional_number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace carom {
namespace {

TEST(OptionalNumber, IsNoneUntilItIsGiven) {
  OptionalNumber number;
  EXPECT_FALSE(number);
  EXPECT_EQ(number.value_or(3), 3);
  EXPECT_EQ(std::optional<double>(number), std::nullopt);
  number = 2.5;
  EXPECT_TRUE(number.has_value());
  EXPECT_EQ(*number, 2.5);
  EXPECT_EQ(std::optional<double>(number), 2.5);
  number = std::nullopt;
  EXPECT_FALSE(number);
  EXPECT_EQ(sizeof number, sizeof(double));
}

TEST(OptionalNumber, TellsAGivenNaNFromNone) {
  for (const double nan : {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::quiet_NaN(),
                           std::sqrt(-1.0), std::nan("7")}) {
    const OptionalNumber given = nan;
    EXPECT_TRUE(given);
    EXPECT_TRUE(std::isnan(*given));
  }
}

TEST(OptionalNumber, ComesOutOfAnOptional) {
  EXPECT_FALSE(OptionalNumber(std::optional<double>()));
  EXPECT_EQ(*OptionalNumber(std::optional<double>(0.0)), 0);
}

}  // namespace
}  // namespace carom
