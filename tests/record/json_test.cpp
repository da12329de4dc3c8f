#include "carom/record/json.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>

namespace carom::testing {
namespace {

TEST(Json, IsWrittenAsTheLibraryWritesIt) {
  const double tiny = std::numeric_limits<double>::denorm_min(), large = std::numeric_limits<double>::max();
  const std::vector<double> numbers = {0, -0.0, 1, 0.1, 1e-5, 1e15, 1e16, -2.5e-7, std::numbers::pi, tiny, large};
  const std::vector<std::string> texts = {"", "plain", "a \"quoted\" \\ one", "line\nand tab\t", "\u00b5 \x01 \x7f"};
  record::Json ours = {
      {"numbers", numbers}, {"texts", texts}, {"empty", record::Json::array()}, {"none", record::Json::object()}};
  nlohmann::ordered_json theirs = {{"numbers", numbers},
                                   {"texts", texts},
                                   {"empty", nlohmann::ordered_json::array()},
                                   {"none", nlohmann::ordered_json::object()}};
  ours["whole"] = std::numeric_limits<std::int64_t>::min();
  theirs["whole"] = std::numeric_limits<std::int64_t>::min();
  ours["truth"] = true;
  theirs["truth"] = true;
  ours["null"] = nullptr;
  theirs["null"] = nullptr;
  ours["pairs"] = {{"of", "texts"}, {"and", {"of", "them"}}};
  theirs["pairs"] = {{"of", "texts"}, {"and", {"of", "them"}}};
  ours["list"] = {1, "two", {3.5}};
  theirs["list"] = {1, "two", {3.5}};
  for (const int indent : {-1, 0, 1, 2}) EXPECT_EQ(ours.dump(indent), theirs.dump(indent));
}

TEST(Json, HasNullForWhatIsNoNumber) {
  EXPECT_EQ(record::Json({std::nan(""), std::numeric_limits<double>::infinity(), 1.0}).dump(), "[null,null,1.0]");
  EXPECT_EQ(record::or_null(std::optional<double>()).dump(), "null");
}

TEST(Json, TakesKeysAndEntriesOneByOne) {
  record::Json document;
  document["b"] = 1;
  document["a"].push_back("x");
  document["b"] = false;
  EXPECT_EQ(document.dump(), R"({"b":false,"a":["x"]})");
  EXPECT_EQ(document, (record::Json{{"b", false}, {"a", record::Json::array({"x"})}}));
}

}  // namespace
}  // namespace carom::testing
