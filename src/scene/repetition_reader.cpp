#include "carom/scene/repetition_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "carom/scene/body_reader.h"
#include "carom/scene/error.h"
#include "carom/scene/words.h"

namespace carom::scene {

void require_single_body_keys(const Field& table) {
  std::vector<std::string_view> keys = body_keys();
  std::erase(keys, "position");
  require_known_keys(table, keys);
}

std::optional<Field> member_table(const Field& repeated, std::size_t i, std::size_t count) {
  const std::optional<Field> all = member(repeated, "member");
  if (!all) return std::nullopt;
  std::optional<Field> found;
  for (const Member& one : members_of(*all)) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(one.key.data(), one.key.data() + one.key.size(), number);
    if (error != std::errc() || end != one.key.data() + one.key.size() || number < 1 || number > count)
      fail(*all->document, one.key_at,
           fmt::format("{} has a table for {}; members are counted from 1 to {}, as in member = {{2 = {{mass = 3}}}}",
                       all->path, in_quotes(one.key), count));
    if (number == i + 1) found = member(*all, one);
  }
  if (found) require_single_body_keys(*found);
  return found;
}

}  // namespace carom::scene
