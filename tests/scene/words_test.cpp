#include "carom/scene/words.h"

#include <gtest/gtest.h>

#include <array>

namespace carom::scene {
namespace {

constexpr std::array<std::string_view, 6> kKnown = {"mass", "M", "u", "contacts", "joints", "law"};

std::string suggest(std::string_view word) {
  return suggestion(word, kKnown, "known keys are");
}

TEST(Words, TheNearestKnownWordIsSuggested) {
  EXPECT_EQ(suggest("masss"), "did you mean \"mass\"?");
  EXPECT_EQ(suggest("Mass"), "did you mean \"mass\"?");
  EXPECT_EQ(suggest("masses"), "did you mean \"mass\"?");
  EXPECT_EQ(suggest("cotnacts"), "did you mean \"contacts\"?");
  EXPECT_EQ(suggest("m"), "did you mean \"M\"?");
  EXPECT_EQ(suggest("lw"), "did you mean \"law\"?");
}

TEST(Words, FarFromAllListsThem) {
  const std::string all = R"(known keys are "mass", "M", "u", "contacts", "joints", "law")";
  EXPECT_EQ(suggest("x"), all);
  EXPECT_EQ(suggest("velocity"), all);
  EXPECT_EQ(suggest(""), all);
}

TEST(Words, TextOfTheUserStaysOnOneLineAndValid) {
  EXPECT_EQ(printable("a\nb\x1B\xFF"), "a\\x0Ab\\x1B\\xFF");
  EXPECT_EQ(printable("\xC3\xA9"), "\xC3\xA9");
  EXPECT_EQ(in_quotes(std::string(59, 'a') + "\xC3\xA9 and more"), '"' + std::string(59, 'a') + "...\"");
}

}  // namespace
}  // namespace carom::scene
