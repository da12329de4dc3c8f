#include "carom/scene/scheme_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "carom/scene/keys.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

const std::vector<Scheme>& all_schemes() {
  static const std::vector<Scheme> all = []<std::size_t... i>(std::index_sequence<i...>) {
    return std::vector<Scheme>{std::variant_alternative_t<i, Scheme>{}...};
  }
  (std::make_index_sequence<std::variant_size_v<Scheme>>{});
  return all;
}

Scheme scheme_named(const Field& name) {
  const std::string given = value_of<std::string>(name);
  std::vector<std::string_view> names;
  for (const Scheme& scheme : all_schemes()) names.push_back(name_of(scheme));
  const auto found = std::find(names.begin(), names.end(), given);
  if (found != names.end()) return all_schemes()[found - names.begin()];
  fail(name, fmt::format("= {} is no scheme; {}", in_quotes(given), suggestion(given, names, "schemes are")));
}

}  // namespace

Scheme read_scheme(const Field& field) {
  if (field.node->text()) return scheme_named(field);
  if (!field.node->object()) fail_expected(field, "a name, or a table such as {name = \"event-driven\"}");
  Scheme scheme;
  if (const std::optional<Field> name = member(field, "name")) scheme = scheme_named(*name);
  std::visit([&](auto& value) { read_fields(field, value); }, scheme);
  return scheme;
}

}  // namespace carom::scene
