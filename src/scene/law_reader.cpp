#include "carom/scene/law_reader.h"

#include <fmt/format.h>

#include "carom/scene/error.h"
#include "carom/scene/keys.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

std::vector<std::string_view> law_names() {
  std::vector<std::string_view> names;
  for_each_law([&](const auto& law) { names.push_back(law.name); });
  return names;
}

ImpactLaw default_law(const Field& name) {
  const std::string given = value_of<std::string>(name);
  if (std::optional<ImpactLaw> law = law_by_name(given)) return *std::move(law);
  fail(*name.document, name.node->at, unknown_law(given));
}

}  // namespace

std::string unknown_law(std::string_view name) {
  const std::vector<std::string_view> names = law_names();
  const std::string nearest = suggestion(name, names, "");
  const std::string hint = nearest.starts_with("did") ? nearest + " " : "";
  return fmt::format("unknown law {}; {}the laws are {}", in_quotes(name), hint, listed(names));
}

ImpactLaw read_law(const Field& field, std::span<const std::string_view> beside) {
  if (field.node->text()) return default_law(field);
  if (!field.node->object()) fail_expected(field, R"(a name, or an object such as {"name": ...})");
  ImpactLaw law = default_law(required_member(field, "name", "which law; the laws are " + listed(law_names())));
  std::visit([&](auto& value) { read_fields(field, value, beside); }, law);
  return law;
}

ImpactLaw law_for(const std::optional<ImpactLaw>& own, std::string_view name) {
  if (own && name_of(*own) == name) return *own;
  if (const std::optional<ImpactLaw> law = law_by_name(name)) return *law;
  throw ReadError(fmt::format("--laws {}:1:1", shortened(name)), unknown_law(name));
}

}  // namespace carom::scene
