#include "carom/scene/stop_reader.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "carom/scene/motion_reader.h"

namespace carom::scene {
namespace {

/// As many as a double counts, or an address where that is less.
constexpr auto kMostImpacts =
    static_cast<std::size_t>(std::min<std::uint64_t>(std::uint64_t{1} << 53, std::numeric_limits<std::size_t>::max()));

/// "a > b" or "a < b", between formulas that read the state.
simulate::StopCondition read_condition(const Draft& draft, const std::string& name, const Field& field) {
  if (!field.node->text()) fail_expected(field, "a condition such as \"block.tilt > 1.2\"");
  const std::string& text = *field.node->text();
  const std::size_t sign = text.find_first_of("<>");
  if (sign == std::string::npos || text.find_first_of("<>=", sign + 1) != std::string::npos)
    fail(field, "is no condition; write one formula > another, or <, such as \"block.tilt > 1.2\"");
  const auto left = parse_state_formula(draft, field, std::string_view(text).substr(0, sign), 0);
  const auto right = parse_state_formula(draft, field, std::string_view(text).substr(sign + 1), sign + 1);
  if (text[sign] == '>') return {name, text, left, right};
  return {name, text, right, left};
}

}  // namespace

void read_stop(Draft& draft, const Field& root) {
  const std::optional<Field> table = member(root, "stop");
  if (!table) return;
  simulate::StopRules& rules = draft.scene.stop;
  for (const Member& one : members_of(*table)) {
    const Field field = member(*table, one);
    if (one.key == "impacts")
      rules.impacts = static_cast<double>(read_count(field, kMostImpacts));
    else if (one.key == "at_rest")
      rules.at_rest = read_positive(field);
    else
      rules.conditions.push_back(read_condition(draft, one.key, field));
  }
}

}  // namespace carom::scene
