#include "carom/scene/law_set_reader.h"

#include <fmt/format.h>

#include <array>

#include "carom/scene/law_reader.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

constexpr std::array<std::string_view, 1> kBesideTheLaw = {"contacts"};
constexpr std::array<std::string_view, 3> kSideKeys = {"body", "shape", "at"};

int shape_of_side(const Draft& draft, int body, std::string_view name, const Field& field) {
  const std::vector<geometry::Part>& parts = draft.scene.description.bodies[body].parts;
  int found = -1, count = 0;
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].name.empty()) names.push_back(parts[i].name);
    if (parts[i].name != name) continue;
    found = static_cast<int>(i);
    ++count;
  }
  const std::string owner = in_quotes(draft.scene.description.bodies[body].name);
  if (count > 1)
    fail(field, fmt::format("{} shapes of {} have the name {}; a contact is of one", count, owner, in_quotes(name)));
  if (count == 0)
    fail(field, fmt::format("{} has no shape of the name {}; {}", owner, in_quotes(name),
                            names.empty() ? "none of its shapes has a name: give it one, name = ..."
                                          : suggestion(name, names, "its shapes are")));
  return found;
}

int body_of_side(const Draft& draft, const Field& field) {
  const int body = read_body_name(draft, field);
  if (body < 0) fail(field, "= \"world\" has no shape; a contact is between two bodies");
  return body;
}

/// "body" or "body.shape"; names may have points of their own.
SetContact::Side read_named_side(const Draft& draft, const Field& field) {
  const std::string& text = *field.node->text();
  for (std::size_t dot = text.rfind('.'); dot != std::string::npos && dot > 0; dot = text.rfind('.', dot - 1)) {
    const auto found = draft.groups.find(std::string_view(text).substr(0, dot));
    if (found == draft.groups.end() || draft.groups.contains(text)) continue;
    if (found->second.first != found->second.last)
      fail(field, fmt::format("= {} names {} bodies; name one of them", in_quotes(text),
                              found->second.last - found->second.first + 1));
    const int body = found->second.first;
    return {body, shape_of_side(draft, body, std::string_view(text).substr(dot + 1), field), {}};
  }
  return {body_of_side(draft, field), -1, {}};
}

SetContact::Side read_side(const Draft& draft, const Field& field) {
  if (field.node->text()) return read_named_side(draft, field);
  if (!field.node->object()) fail_expected(field, "\"body\", \"body.shape\", or {body = ..., at = [x, y]}");
  require_known_keys(field, kSideKeys);
  SetContact::Side side;
  side.body = body_of_side(draft, required_member(field, "body", "the body that touches"));
  if (const std::optional<Field> shape = member(field, "shape"))
    side.part = shape_of_side(draft, side.body, value_of<std::string>(*shape), *shape);
  if (const std::optional<Field> at = member(field, "at"))
    side.at = read_vector(*at, draft.dimension()) - draft.centres[side.body];
  return side;
}

LawSet read_law_set(const Draft& draft, const Field& table) {
  LawSet set;
  set.law = read_law(table, kBesideTheLaw);
  const Field list = required_member(table, "contacts", "whose law it is: pairs such as [\"block\", \"floor\"]");
  const std::size_t count = entries_of(list, "a list of pairs such as [\"block\", \"floor\"]").size();
  if (count == 0) fail(list, "is empty; a set has at least one contact");
  for (std::size_t i = 0; i < count; ++i) {
    const Field pair = entry(list, i);
    const std::size_t sides = entries_of(pair, "two sides such as [\"block\", \"floor\"]").size();
    if (sides != 2) fail(pair, fmt::format("has {} entries; a contact is between two bodies", sides));
    set.contacts.push_back({read_side(draft, entry(pair, 0)), read_side(draft, entry(pair, 1))});
  }
  return set;
}

}  // namespace

void read_law_sets(Draft& draft, const Field& root) {
  const std::optional<Field> law = member(root, "law");
  if (!law || !law->node->object()) return;
  for (const Field& table : tables_of(*law, "set")) draft.scene.sets.push_back(read_law_set(draft, table));
}

}  // namespace carom::scene
