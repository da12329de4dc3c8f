// Which rule of a pair holds.

#include "carom/model/contact_rules.h"

#include <gtest/gtest.h>

namespace carom::testing {
namespace {

PairRule rule(PairRule::Between between, int a, int b, double mu) {
  PairRule result;
  result.between = between;
  result.a = a;
  result.b = b;
  result.mu = mu;
  return result;
}

/// Three free balls of the same material and one of another.
Description balls() {
  Description description;
  description.materials.resize(2);
  for (int i = 0; i < 4; ++i) {
    Body body;
    body.name = std::string(1, static_cast<char>('a' + i));
    body.material = i < 3 ? 0 : 1;
    body.parts.push_back({geometry::Sphere{0.1}, {}});
    description.bodies.push_back(body);
  }
  return description;
}

TEST(ContactRules, TheMoreSpecialRuleWinsThenTheLaterOne) {
  using enum PairRule::Between;
  Description description = balls();
  description.pairs = {rule(bodies, 2, 0, 0.1),    rule(bodies, 0, 2, 0.2), rule(materials, 1, 0, 0.3),
                       rule(materials, 0, 0, 0.4), rule(all, -1, -1, 0.5),  rule(bodies, 3, 1, 0.6)};
  const Model model(description);
  const ContactRules rules(model);
  EXPECT_EQ(rules.properties(0, 2).mu, 0.2);
  EXPECT_EQ(rules.properties(2, 0).mu, 0.2);
  EXPECT_EQ(rules.properties(0, 1).mu, 0.4);
  EXPECT_EQ(rules.properties(2, 3).mu, 0.3);
  EXPECT_EQ(rules.properties(1, 3).mu, 0.6);
}

TEST(ContactRules, BodiesPassThroughEachOtherWhereARuleSaysSo) {
  using enum PairRule::Between;
  Description description = balls();
  description.pairs = {rule(bodies, 2, 0, 0.1), rule(materials, 0, 0, 0.4)};
  description.pairs[1].touches = false;
  description.pairs[0].touches = true;
  const Model model(description);
  const ContactRules rules(model);
  EXPECT_TRUE(rules.may_touch(0, 2));
  EXPECT_FALSE(rules.may_touch(0, 1));
  EXPECT_TRUE(rules.may_touch(1, 3));
  EXPECT_FALSE(rules.may_touch(1, 1));
}

}  // namespace
}  // namespace carom::testing
