// Two feet with friction under contact forces, ever stiffer: they tend to what keller says of the impact.

#include <fmt/format.h>

#include "simulate/running.h"
#include "support.h"

namespace carom::testing {
namespace {

/// A block that falls flat on its two lower corners while it moves along.
std::string block_on_feet(const std::string& law, double k, double mu) {
  return fmt::format(
      "law = {}\nduration = 0.05\ncontact = {{e = 1, mu = {}, k = {}, eta = 1.5}}\n"
      "[[body]]\nname = \"block\"\nshape = {{type = \"rectangle\", size = [1, 0.6]}}\nmass = 1\n"
      "position = [0, 0.300001]\nvelocity = [0.5, -1]\n[[wall]]\nshape = {{type = \"plane\", normal = [0, 1]}}\n",
      law, mu, k);
}

TEST(StiffFeet, TendToKellersImpact) {
  for (const double mu : {0.1, 0.4}) {
    const Played rigid = play(block_on_feet("\"keller\"", 1, mu));
    ASSERT_EQ(rigid.seen.impacts.size(), 1u);
    double before = 1;
    for (const double k : {1e7, 1e9, 1e11}) {
      const Played soft = play(block_on_feet(
          "{name = \"compliant\", friction = \"coulomb\"}\nscheme = {name = \"compliant\", tolerance = 1e-9}", k, mu));
      const double error = (soft.summary.end.u - rigid.summary.end.u).norm();
      RecordProperty(fmt::format("error_{:g}_{:g}", mu, k), fmt::format("{:.3g}", error));
      EXPECT_LT(error, 0.4 * before) << mu << " " << k;
      before = error;
    }
    EXPECT_LT(before, 1e-3) << mu;
  }
}

}  // namespace
}  // namespace carom::testing
