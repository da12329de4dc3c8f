// A beam on a stop: the numbers of tests/data/elastic_rods.json, and what holds for any beam.

#include "carom/waves/beam.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "carom/base/error.h"
#include "json.h"

namespace carom::waves {
namespace {

using testing::Json;

TEST(Beam, HasTheReferenceRestitution) {
  std::ifstream file(std::string(CAROM_SOURCE_DIR) + "/tests/data/elastic_rods.json");
  const Json all = Json::parse(file);
  int seen = 0;
  for (const Json& each : all.at("cases")) {
    if (each.at("kind") != "hybrid_restitution") continue;
    ++seen;
    const Json &inputs = each["inputs"], &expected = each["outputs"];
    const Beam beam{inputs["L"], inputs["m"], inputs["eps_h"], 1};
    const BeamImpact impact = hit(beam, inputs["x"]);
    const double tol = each["tol"];
    EXPECT_NEAR(impact.G_rigid, expected["G_r"], tol);
    EXPECT_NEAR(impact.G_flexible, expected["G_f"], tol);
    EXPECT_NEAR(impact.e_rigid, expected["eps_r"], tol);
    EXPECT_NEAR(mode_number(1), inputs["beta1L"], 1e-14);
  }
  EXPECT_EQ(seen, 10);
}

TEST(Beam, ModesAreThoseOfAFreeBeam) {
  for (const int k : {1, 2, 3, 7, 40}) {
    const double z = mode_number(k);
    EXPECT_NEAR(std::cos(z), 1 / std::cosh(z), 1e-12) << k;
    EXPECT_NEAR(mode_shape(k, 0), 2, 1e-9);
    EXPECT_NEAR(std::abs(mode_shape(k, 1)), 2, 1e-9);
    for (const int j : {1, 2, 3, 7, 40}) {  // Simpson's rule
      constexpr int kSteps = 4000;
      double product = 0, mean = 0, moment = 0;
      for (int i = 0; i <= kSteps; ++i) {
        const double s = static_cast<double>(i) / kSteps, weight = (i == 0 || i == kSteps ? 1 : i % 2 ? 4 : 2) / 3.0;
        product += weight / kSteps * mode_shape(k, s) * mode_shape(j, s);
        mean += weight / kSteps * mode_shape(k, s);
        moment += weight / kSteps * mode_shape(k, s) * s;
      }
      EXPECT_NEAR(product, k == j ? 1 : 0, 1e-6) << k << " " << j;
      EXPECT_NEAR(mean, 0, 1e-6) << "no momentum";
      EXPECT_NEAR(moment, 0, 1e-6) << "and no angular momentum";
    }
  }
  for (const double s : {0.0, 0.3, 0.5, 0.7, 1.0}) EXPECT_TRUE(std::isfinite(mode_shape(kMostModes, s)));
}

TEST(Beam, MoreModesTakeMoreAndScaleDoesNotMatter) {
  double before = 1;
  for (const int modes : {0, 1, 2, 5, 20, 100}) {
    const double e = hit({1, 1, 1, modes}, 0.05).e_rigid;
    EXPECT_LE(e, before);
    EXPECT_GE(e, -1);
    before = e;
    EXPECT_NEAR(hit({1e3, 1e-6, 1, modes}, 50).e_rigid, e, 1e-12);
    EXPECT_NEAR(hit({1, 1, 1, modes}, 0.95).e_rigid, e, 1e-9) << "a mirror image";
  }
  EXPECT_EQ(hit({1, 1, 0.3, 0}, 0.2).e_rigid, 0.3 + 1 - 1) << "a rigid beam";
}

TEST(Beam, RefusesWhatIsNone) {
  EXPECT_THROW(hit({0, 1, 1, 1}, 0), InputError);
  EXPECT_THROW(hit({1, -1, 1, 1}, 0), InputError);
  EXPECT_THROW(hit({1, 1, 1.5, 1}, 0), InputError);
  EXPECT_THROW(hit({1, 1, 1, kMostModes + 1}, 0), InputError);
  EXPECT_THROW(hit({1, 1, 1, 1}, 1.01), InputError);
  EXPECT_THROW(hit({1, 1, 1, 1}, NAN), InputError);
}

}  // namespace
}  // namespace carom::waves
