#include "scene/material_reader.h"

#include <fmt/format.h>

namespace carom::scene {
namespace {

constexpr std::size_t kMostRules = 100'000;
constexpr std::array<std::string_view, 5> kMaterialKeys = {"density", "E", "nu", "e", "mu"};
constexpr std::array<std::string_view, 5> kContactKeys = {"e", "mu", "k", "eta", "e_t"};
constexpr std::array<std::string_view, 8> kPairKeys = {"bodies", "materials", "e", "mu", "k", "eta", "e_t", "touches"};

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
  require_known_keys(table, kMaterialKeys);
  Material material;
  material.name = name;
  if (const std::optional<Field> e = member(table, "e")) material.e = read_unit_interval(*e);
  if (const std::optional<Field> mu = member(table, "mu")) material.mu = read_not_negative(*mu);
  if (member(table, "E") || member(table, "nu")) material.elasticity = read_elasticity(table);
  const std::optional<Field> density = member(table, "density");
  draft.densities.push_back(density ? std::optional(read_positive(*density)) : std::nullopt);
  draft.materials.emplace(name, static_cast<int>(draft.scene.description.materials.size()));
  draft.scene.description.materials.push_back(std::move(material));
  draft.scene.origins.materials.push_back(table.path);
}

PairRule read_rule(const Field& table) {
  PairRule rule;
  if (const std::optional<Field> e = member(table, "e")) rule.e = read_unit_interval(*e);
  if (const std::optional<Field> mu = member(table, "mu")) rule.mu = read_not_negative(*mu);
  if (const std::optional<Field> k = member(table, "k")) rule.k = read_positive(*k);
  if (const std::optional<Field> eta = member(table, "eta")) rule.eta = read_positive(*eta);
  if (const std::optional<Field> e_t = member(table, "e_t")) rule.e_t = value_of<double>(*e_t);
  if (const std::optional<Field> touches = member(table, "touches")) rule.touches = value_of<bool>(*touches);
  return rule;
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
  require_known_keys(table, kPairKeys);
  require_not_both({{table}}, "bodies", "materials");
  PairRule rule = read_rule(table);
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
    require_known_keys(*all, kContactKeys);
    add_rule(draft, *all, read_rule(*all));
  }
  for (const Field& table : tables_of(root, "pair")) read_pair(draft, table);
}

}  // namespace carom::scene
