#include "carom/model/contact_rules.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace carom {
namespace {

/// How special a rule is; more special rules come later, so they win.
int rank(const PairRule& rule) {
  return rule.between == PairRule::Between::bodies ? 2 : rule.between == PairRule::Between::materials ? 1 : 0;
}

bool applies(const PairRule& rule, const Description& description, int a, int b) {
  if (rule.between == PairRule::Between::all) return true;
  if (rule.between == PairRule::Between::materials) {
    a = description.bodies[a].material;
    b = description.bodies[b].material;
  }
  return (rule.a == a && rule.b == b) || (rule.a == b && rule.b == a);
}

/// Of those that are given.
std::optional<double> smaller(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(std::min(*a, *b)) : a ? a : b;
}

template <class Use>
void for_rules(const Description& description, int a, int b, Use&& use) {
  for (int level = 0; level <= 2; ++level)
    for (const PairRule& rule : description.pairs)
      if (rank(rule) == level && applies(rule, description, a, b)) use(rule);
}

/// Of every kind of shape that a body has, one of its smallest and one of its largest.
std::vector<int> kinds_of_parts(const Body& body) {
  std::map<std::size_t, std::pair<int, int>> extremes;
  const auto size = [&](int part) { return geometry::reach(body.parts[part].shape); };
  for (int part = 0; part < static_cast<int>(body.parts.size()); ++part) {
    const auto [found, is_new] = extremes.try_emplace(body.parts[part].shape.index(), part, part);
    auto& [smallest, largest] = found->second;
    if (size(part) < size(smallest)) smallest = part;
    if (size(part) > size(largest)) largest = part;
  }
  std::set<int> parts;
  for (const auto& [kind, both] : extremes) parts.insert({both.first, both.second});
  return {parts.begin(), parts.end()};
}

}  // namespace

Contact contact_of(const PairProperties& known, double k) {
  Contact contact;
  contact.e = known.e;
  contact.mu = known.mu;
  contact.e_t = known.e_t;
  contact.k = known.k.value_or(k);
  contact.eta = known.eta;
  contact.c = known.c;
  if (known.mu_s) contact.mu_s = std::max(*known.mu_s, known.mu);
  contact.k_t = known.k_t;
  contact.flexibility = known.flexibility;
  return contact;
}

ContactRules::ContactRules(const Model& model) : model_(&model), joined_(model.bodies().size()) {
  for (const Joint& joint : model.description().joints) {
    if (joint.a.body < 0 || joint.b.body < 0) continue;
    joined_[joint.a.body].push_back(joint.b.body);
    joined_[joint.b.body].push_back(joint.a.body);
  }
  for (std::vector<int>& others : joined_) std::sort(others.begin(), others.end());
}

bool ContactRules::may_touch(int body_a, int body_b) const {
  const Description& description = model_->description();
  if (body_a == body_b) return false;
  if (model_->first_velocity(body_a) < 0 && model_->first_velocity(body_b) < 0) return false;
  const std::vector<int>& others = joined_[body_a];
  bool pairs = !std::binary_search(others.begin(), others.end(), body_b);
  for_rules(description, body_a, body_b, [&](const PairRule& rule) { pairs = rule.touches.value_or(pairs); });
  return pairs;
}

PairProperties ContactRules::properties(int body_a, int body_b) const {
  const Description& description = model_->description();
  PairProperties result;
  result.flexibility = description.bodies[body_a].flexibility + description.bodies[body_b].flexibility;
  const int a = description.bodies[body_a].material;
  const int b = description.bodies[body_b].material;
  if (a >= 0 || b >= 0) {
    const Material& first = description.materials[a >= 0 ? a : b];
    const Material& second = description.materials[b >= 0 ? b : a];
    result.e = smaller(first.e, second.e).value_or(result.e);
    result.mu = smaller(first.mu, second.mu).value_or(result.mu);
    result.mu_s = smaller(first.mu_s, second.mu_s);
    result.mu_r = smaller(first.mu_r, second.mu_r).value_or(0);
    result.mu_t = smaller(first.mu_t, second.mu_t).value_or(0);
    if (first.elasticity && second.elasticity && !(first.is_rigid() && second.is_rigid()))
      result.modulus = geometry::effective_modulus(*first.elasticity, *second.elasticity);
  }
  for_rules(description, body_a, body_b, [&](const PairRule& rule) {
    result.e = rule.e.value_or(result.e);
    result.mu = rule.mu.value_or(result.mu);
    result.e_t = rule.e_t.value_or(result.e_t);
    result.eta = rule.eta.value_or(result.eta);
    if (rule.k) result.k = rule.k;
    if (rule.c) result.c = rule.c;
    if (rule.mu_s) result.mu_s = rule.mu_s;
    if (rule.k_t) result.k_t = rule.k_t;
    result.mu_r = rule.mu_r.value_or(result.mu_r);
    result.mu_t = rule.mu_t.value_or(result.mu_t);
    result.flexibility = rule.flexibility.value_or(result.flexibility);
  });
  return result;
}

PairProperties ContactRules::properties(const PartPair& parts) const {
  if (!parts.is_stop()) return properties(parts.body_a, parts.body_b);
  const Stops& stops = *model_->description().joints[parts.joint()].stops;
  PairProperties result;
  result.e = stops.e;
  result.k = stops.k;
  result.eta = stops.eta;
  return result;
}

bool ContactRules::knows_stiffness(const PartPair& parts) const {
  const PairProperties known = properties(parts);
  if (parts.is_stop()) return known.k.has_value();
  return known.k || (known.modulus && geometry::has_hertz_contact(part(parts.body_a, parts.part_a).shape,
                                                                  part(parts.body_b, parts.part_b).shape));
}

std::vector<PartPair> ContactRules::kinds() const {
  const std::vector<Body>& bodies = model_->bodies();
  std::set<int> singular;  // bodies that rules name
  for (const PairRule& rule : model_->description().pairs)
    if (rule.between == PairRule::Between::bodies) singular.insert({rule.a, rule.b});
  // Two bodies of every kind stand for all of it.
  std::map<std::tuple<int, bool, std::size_t, double>, int> seen;
  std::vector<int> chosen;
  for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
    const Body& body = bodies[i];
    if (body.parts.empty()) continue;
    if (singular.contains(i) ||
        seen[{body.material, body.is_free(), body.parts.front().shape.index(), body.flexibility}]++ < 2)
      chosen.push_back(i);
  }
  std::vector<PartPair> result;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    for (std::size_t j = i + 1; j < chosen.size(); ++j) {
      if (!may_touch(chosen[i], chosen[j])) continue;
      for (const int a : kinds_of_parts(bodies[chosen[i]]))
        for (const int b : kinds_of_parts(bodies[chosen[j]])) result.push_back({chosen[i], a, chosen[j], b});
    }
  return result;
}

const geometry::Part& ContactRules::part(int body, int part) const {
  return model_->bodies()[body].parts[part];
}

Contact ContactRules::contact(const State& state, const ContactPair& pair) const {
  const PartPair& parts = pair.parts;
  const geometry::ContactPoint& point = pair.point;
  const PairProperties known = properties(parts);
  Contact contact = contact_of(known, Contact{}.k);
  contact.name = name_of(*model_, parts, "-");
  if (known.k || !knows_stiffness(parts)) return contact;
  const geometry::Part& a = part(parts.body_a, parts.part_a);
  const geometry::Part& b = part(parts.body_b, parts.part_b);
  const geometry::RelativeCurvature curvature = geometry::relative_curvature(
      a.shape, model_->pose(parts.body_a, state) * a.pose, point.point_a, b.shape,
      model_->pose(parts.body_b, state) * b.pose, point.point_b, point.normal, model_->dimension());
  contact.k = geometry::hertz_stiffness(curvature, *known.modulus);
  return contact;
}

}  // namespace carom
