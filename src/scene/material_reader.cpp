#include "carom/scene/material_reader.h"

#include <fmt/format.h>

#include <limits>

#include "carom/scene/keys.h"
#include "carom/scene/restitution_reader.h"

namespace carom::scene {
namespace {

/// What it is, or that it follows from the materials as 1/e = 1/e_a + 1/e_b.
void read_restitution_of_pair(const Field& field, PairRule& rule) {
  const std::string* word = field.node->text();
  rule.e_in_series = word != nullptr && *word == "series";
  if (!rule.e_in_series) into_restitution<read_unit_restitution>(field, rule);
}

/// A number for every direction, or a list of two: along the grain and across it.
template <auto first, auto second, auto reader, auto reader_of_two, class T>
void read_along_and_across(const Field& field, T& value) {
  const Node::Array* list = field.node->array();
  value.*second = std::nullopt;
  if (list == nullptr) {
    value.*first = reader(field);
    return;
  }
  if (list->size() != 2) fail_expected(field, "a number, or a list of two: along the grain and across it");
  value.*first = reader_of_two(entry(field, 0));
  value.*second = reader_of_two(entry(field, 1));
}

constexpr std::size_t kMostRules = 100'000;
constexpr std::array<Key<Material>, 10> kMaterialKeys = {{
    {"density", "[kg/m^3], for the mass of bodies that give none"},
    {"E", "Young's modulus [Pa], which belongs to nu"},
    {"nu", "Poisson's ratio, which belongs to E"},
    {"pressure", "inside balls [Pa], > 0: what makes them stiff", into<&Material::pressure, read_positive>},
    {"rigid", "true: the elasticity of what it touches counts alone"},
    {"e", "coefficient of restitution, from 0 to 1, or a function", into_restitution<read_unit_restitution>},
    {"mu", "coefficient of friction, >= 0, or two of them, along the grain and across it",
     read_along_and_across<&Material::mu, &Material::mu_2, read_not_negative, read_positive>},
    {"mu_s", "friction of what sticks, >= mu", into<&Material::mu_s, read_not_negative>},
    {"mu_r", "resistance to rolling, >= 0", into<&Material::mu_r, read_not_negative>},
    {"mu_t", "resistance to spin about the normal, >= 0", into<&Material::mu_t, read_not_negative>},
}};
constexpr std::array<Key<PairRule>, 13> kContactKeys = {{
    {"e", "coefficient of restitution, from 0 to 1, a function, or \"series\"", read_restitution_of_pair},
    {"mu", "coefficient of friction, >= 0, or two of them, along the grain and across it",
     read_along_and_across<&PairRule::mu, &PairRule::mu_2, read_not_negative, read_positive>},
    {"k", "stiffness [N/m^eta], > 0", into<&PairRule::k, read_positive>},
    {"eta", "exponent of the force, > 0", into<&PairRule::eta, read_positive>},
    {"e_t", "coefficient of tangential restitution, or two of them, along the grain and across it",
     read_along_and_across<&PairRule::e_t, &PairRule::e_t_2, value_of<double>, value_of<double>>},
    {"c", "damping of the contact force, instead of e", into<&PairRule::c, read_not_negative>},
    {"mu_s", "friction of what sticks, >= mu", into<&PairRule::mu_s, read_not_negative>},
    {"k_t", "tangential stiffness [N/m], > 0", into<&PairRule::k_t, read_positive>},
    {"mu_r", "resistance to rolling, >= 0", into<&PairRule::mu_r, read_not_negative>},
    {"mu_t", "resistance to spin about the normal, >= 0", into<&PairRule::mu_t, read_not_negative>},
    {"flexibility", "how far both bodies give way [m/N], >= 0", into<&PairRule::flexibility, read_not_negative>},
    {"E0", "energy in a contact that is pressed at the start [J], >= 0", into<&PairRule::E0, read_not_negative>},
    {"preload", "force that presses it there [N], instead of E0", into<&PairRule::preload, read_not_negative>},
}};
constexpr std::array<Key<PairRule>, 3> kPairKeys = {{
    {"bodies", "the two bodies, or \"materials\""},
    {"materials", "the two materials"},
    {"touches", "false: they pass through each other", into<&PairRule::touches, value_of<bool>>},
}};

geometry::Elasticity read_elasticity(const Field& table) {
  geometry::Elasticity elasticity;
  elasticity.E = read_positive(required_member(table, "E", "Young's modulus [Pa], which belongs to nu"));
  const Field nu = required_member(table, "nu", "Poisson's ratio, which belongs to E");
  elasticity.nu = value_of<double>(nu);
  if (!(elasticity.nu > -1 && elasticity.nu <= 0.5))
    fail(nu, fmt::format("= {} is out of range; Poisson's ratio is > -1 and <= 1/2", elasticity.nu));
  return elasticity;
}

void read_material(Draft& draft, const Field& table, const std::string& name) {
  Material material;
  material.name = name;
  read_table(table, kMaterialKeys, material);
  if (member(table, "E") || member(table, "nu")) material.elasticity = read_elasticity(table);
  if (const std::optional<Field> rigid = member(table, "rigid"); rigid && value_of<bool>(*rigid)) {
    require_not_both({{table}}, "rigid", "E");
    require_not_both({{table}}, "rigid", "nu");
    material.elasticity = geometry::Elasticity{std::numeric_limits<double>::infinity(), 0};
  }
  for (const std::string_view other : {"E", "rigid"}) require_not_both({{table}}, "pressure", other);
  const std::optional<Field> density = member(table, "density");
  draft.densities.push_back(density ? std::optional(read_positive(*density)) : std::nullopt);
  draft.materials.emplace(name, static_cast<int>(draft.scene.description.materials.size()));
  draft.scene.description.materials.push_back(std::move(material));
  draft.scene.origins.materials.push_back(table.path);
}

void add_rule(Draft& draft, const Field& table, const PairRule& rule) {
  if (draft.scene.description.pairs.size() >= kMostRules)
    fail(table, fmt::format("makes more than {} pairs of bodies; name materials instead", kMostRules));
  draft.scene.description.pairs.push_back(rule);
  draft.scene.origins.pairs.push_back(table.path);
}

std::array<Field, 2> two_names(const Field& list, std::string_view what) {
  const std::size_t count = entries_of(list, fmt::format("a list of two {}", what)).size();
  if (count != 2) fail(list, fmt::format("has {} entries; a pair is two {}", count, what));
  return {entry(list, 0), entry(list, 1)};
}

/// One rule for each pair of bodies that the two names stand for.
void add_rules_of_bodies(Draft& draft, const Field& table, const Field& list, PairRule rule) {
  const auto [first, second] = two_names(list, "bodies");
  const Draft::Group a = read_group(draft, first), b = read_group(draft, second);
  for (const auto& [group, field] : {std::pair(a, first), std::pair(b, second)})
    if (group.first < 0) fail(field, "= \"world\" has no shape; a pair is two bodies");
  rule.between = PairRule::Between::bodies;
  for (rule.a = a.first; rule.a <= a.last; ++rule.a)
    for (rule.b = b.first; rule.b <= b.last; ++rule.b) {
      const bool known =
          rule.b >= a.first && rule.b <= a.last && rule.a >= b.first && rule.a <= b.last && rule.b < rule.a;
      if (rule.a != rule.b && !known) add_rule(draft, table, rule);
    }
}

void read_pair(Draft& draft, const Field& table) {
  std::vector<std::string_view> known = names_of(kPairKeys), of_contacts = names_of(kContactKeys);
  known.insert(known.end() - 1, of_contacts.begin(), of_contacts.end());
  require_known_keys(table, known);
  require_not_both({{table}}, "bodies", "materials");
  PairRule rule;
  read_keys(table, kContactKeys, rule);
  read_keys(table, kPairKeys, rule);
  if (const std::optional<Field> bodies = member(table, "bodies"))
    return add_rules_of_bodies(draft, table, *bodies, rule);
  const std::optional<Field> materials = member(table, "materials");
  if (!materials) required_member(table, "bodies", "the two bodies, or \"materials\"");
  const auto [first, second] = two_names(*materials, "materials");
  rule.between = PairRule::Between::materials;
  rule.a = read_material_name(draft, first);
  rule.b = read_material_name(draft, second);
  add_rule(draft, table, rule);
}

}  // namespace

void read_materials(Draft& draft, const Field& root) {
  const std::optional<Field> all = member(root, "materials");
  if (!all) return;
  for (const Member& one : members_of(*all)) {
    const Field table = member(*all, one);
    if (!table.node->object()) fail_expected(table, "a table such as {density = 7800, e = 0.9}");
    read_material(draft, table, one.key);
  }
}

void read_pairs(Draft& draft, const Field& root) {
  if (const std::optional<Field> all = member(root, "contact")) {
    PairRule rule;
    read_table(*all, kContactKeys, rule);
    add_rule(draft, *all, rule);
  }
  for (const Field& table : tables_of(root, "pair")) read_pair(draft, table);
}

std::string_view meaning_of_material_key(std::string_view key) {
  return meaning_in(kMaterialKeys, key);
}

std::string_view meaning_of_contact_key(std::string_view key) {
  const std::string_view of_contact = meaning_in(kContactKeys, key);
  return of_contact.empty() ? meaning_in(kPairKeys, key) : of_contact;
}

}  // namespace carom::scene
