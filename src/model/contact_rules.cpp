#include "carom/model/contact_rules.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "carom/model/combined.h"

namespace carom {
namespace {

/// How special a rule of many pairs is; more special rules come later, so they win.
int rank(const PairRule& rule) {
  return rule.between == PairRule::Between::materials ? 1 : 0;
}

/// The same: whether it speaks of this pair.
bool applies(const PairRule& rule, const Description& description, int a, int b) {
  if (rule.between == PairRule::Between::all) return true;
  a = description.bodies[a].material;
  b = description.bodies[b].material;
  return (rule.a == a && rule.b == b) || (rule.a == b && rule.b == a);
}

/// Of those that are given.
std::optional<double> smaller(const std::optional<double>& a, const std::optional<double>& b) {
  return a && b ? std::optional(std::min(*a, *b)) : a ? a : b;
}

/// The smaller one at every speed, where that is not a number.
SharedRestitution smaller_restitution(const Material& a, const Material& b) {
  if (!a.e_of && !b.e_of) return nullptr;
  if (!a.e || !b.e || &a == &b) return a.e ? a.e_of : b.e_of;
  RestitutionFunction both;
  for (const Material* one : {&a, &b}) {
    if (!one->e_of)
      both.forms.push_back(constant_restitution(*one->e));
    else
      both.forms.insert(both.forms.end(), one->e_of->forms.begin(), one->e_of->forms.end());
  }
  return std::make_shared<const RestitutionFunction>(std::move(both));
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
  contact.mu_2 = known.mu_2;
  contact.e_t = known.e_t;
  contact.e_t_2 = known.e_t_2;
  contact.k = known.k.value_or(k);
  contact.eta = known.eta;
  contact.c = known.c;
  if (known.mu_s) contact.mu_s = std::max(*known.mu_s, known.mu);
  contact.k_t = known.k_t;
  contact.flexibility = known.flexibility;
  contact.e_of = known.e_of;
  return contact;
}

void forget_direction(Contact& contact) {
  if (contact.mu_2) {
    const double mean = std::sqrt(contact.mu * *contact.mu_2);
    if (contact.mu_s) contact.mu_s = *contact.mu_s * (mean / contact.mu);
    contact.mu = mean;
  }
  if (contact.e_t_2) contact.e_t = 0.5 * (contact.e_t + *contact.e_t_2);
  contact.mu_2 = contact.e_t_2 = std::nullopt;
}

double energy_at_start(const PairProperties& known, const Contact& contact) {
  if (!known.preload) return known.E0.value_or(0);
  return *known.preload * std::pow(*known.preload / contact.k, 1 / contact.eta) / (contact.eta + 1);
}

ContactRules::ContactRules(const Model& model) : model_(&model), joined_(model.bodies().size()) {
  const std::vector<Material>& materials = model.description().materials;
  for (int a = 0; a < static_cast<int>(materials.size()); ++a)
    for (int b = a; b < static_cast<int>(materials.size()); ++b)
      if (SharedRestitution both = smaller_restitution(materials[a], materials[b]))
        restitutions_.emplace(std::pair(a, b), std::move(both));
  for (const Joint& joint : model.description().joints) {
    if (joint.a.body < 0 || joint.b.body < 0) continue;
    joined_[joint.a.body].push_back(joint.b.body);
    joined_[joint.b.body].push_back(joint.a.body);
  }
  for (std::vector<int>& others : joined_) std::sort(others.begin(), others.end());
  for (const PairRule& rule : model.description().pairs) {
    if (rule.between == PairRule::Between::bodies)
      of_bodies_.push_back({std::minmax(rule.a, rule.b), &rule});
    else
      of_many_.push_back(&rule);
    some_touch_ = some_touch_ || rule.touches.has_value();
  }
  std::stable_sort(of_many_.begin(), of_many_.end(),
                   [](const PairRule* one, const PairRule* other) { return rank(*one) < rank(*other); });
  std::stable_sort(of_bodies_.begin(), of_bodies_.end(),
                   [](const OfBodies& one, const OfBodies& other) { return one.bodies < other.bodies; });
}

/// The rules of a pair, the more special ones last.
template <class Use>
void ContactRules::for_rules(int a, int b, Use&& use) const {
  for (const PairRule* rule : of_many_)
    if (applies(*rule, model_->description(), a, b)) use(*rule);
  const std::pair<int, int> bodies = std::minmax(a, b);
  auto own = std::lower_bound(of_bodies_.begin(), of_bodies_.end(), bodies,
                              [](const OfBodies& one, const std::pair<int, int>& other) { return one.bodies < other; });
  for (; own != of_bodies_.end() && own->bodies == bodies; ++own) use(*own->rule);
}

bool ContactRules::may_touch(int body_a, int body_b) const {
  if (body_a == body_b) return false;
  if (model_->first_velocity(body_a) < 0 && model_->first_velocity(body_b) < 0) return false;
  const std::vector<int>& others = joined_[body_a];
  bool pairs = !std::binary_search(others.begin(), others.end(), body_b);
  if (some_touch_) for_rules(body_a, body_b, [&](const PairRule& rule) { pairs = rule.touches.value_or(pairs); });
  return pairs;
}

SharedRestitution ContactRules::restitution_of_materials(int a, int b) const {
  const auto found = restitutions_.find(std::minmax(a, b));
  return found != restitutions_.end() ? found->second : nullptr;
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
    if (!restitutions_.empty()) result.e_of = restitution_of_materials(a >= 0 ? a : b, b >= 0 ? b : a);
    result.mu = smaller(first.mu, second.mu).value_or(result.mu);
    result.mu_s = smaller(first.mu_s, second.mu_s);
    if (first.mu_2 || second.mu_2)
      result.mu_2 = smaller(first.mu_2 ? first.mu_2 : first.mu, second.mu_2 ? second.mu_2 : second.mu);
    if (result.mu <= 0) result.mu_2.reset();
    result.mu_r = smaller(first.mu_r, second.mu_r).value_or(0);
    result.mu_t = smaller(first.mu_t, second.mu_t).value_or(0);
    if (first.elasticity && second.elasticity && !(first.is_rigid() && second.is_rigid()))
      result.modulus = geometry::effective_modulus(*first.elasticity, *second.elasticity);
  }
  if (a >= 0) result.pressure_a = description.materials[a].pressure.value_or(0);
  if (b >= 0) result.pressure_b = description.materials[b].pressure.value_or(0);
  if (result.pressure_a > 0 || result.pressure_b > 0) result.eta = 1;
  const PairProperties of_materials = result;
  for_rules(body_a, body_b, [&](const PairRule& rule) {
    if (rule.e_in_series) {  // a material without e leaves it to the other one
      const bool both = a >= 0 && b >= 0 && description.materials[a].e && description.materials[b].e;
      result.e = both ? series_restitution(*description.materials[a].e, *description.materials[b].e) : of_materials.e;
      result.e_of = both ? nullptr : of_materials.e_of;
    } else if (rule.e) {
      result.e = *rule.e;
      result.e_of = rule.e_of;
    }
    if (rule.E0 || rule.preload) {
      result.E0 = rule.E0;
      result.preload = rule.preload;
    }
    if (rule.mu) {
      result.mu = *rule.mu;
      result.mu_2 = rule.mu_2;
    }
    if (rule.e_t) {
      result.e_t = *rule.e_t;
      result.e_t_2 = rule.e_t_2;
    }
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
  return known.k || pressure_stiffness_of(parts) ||
         (known.modulus &&
          geometry::has_hertz_contact(part(parts.body_a, parts.part_a).shape, part(parts.body_b, parts.part_b).shape));
}

std::optional<double> ContactRules::pressure_stiffness_of(const PartPair& parts) const {
  if (parts.is_stop()) return std::nullopt;
  const PairProperties known = properties(parts);
  const auto radius = [&](int body, int number) { return geometry::ball_radius(part(body, number).shape).value_or(0); };
  const double R_a = radius(parts.body_a, parts.part_a), R_b = radius(parts.body_b, parts.part_b);
  if ((known.pressure_a > 0 && R_a == 0) || (known.pressure_b > 0 && R_b == 0)) return std::nullopt;
  if (known.pressure_a == 0 && known.pressure_b == 0) return std::nullopt;
  return pressure_stiffness(known.pressure_a * R_a, known.pressure_b * R_b);
}

std::vector<PartPair> ContactRules::kinds() const {
  const std::vector<Body>& bodies = model_->bodies();
  std::set<int> singular;  // bodies that rules name
  for (const PairRule& rule : model_->description().pairs)
    if (rule.between == PairRule::Between::bodies) singular.insert({rule.a, rule.b});
  // Two bodies of every kind stand for all of it.
  std::map<std::tuple<int, bool, std::size_t, double, bool>, int> seen;
  std::vector<int> chosen;
  for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
    const Body& body = bodies[i];
    if (body.parts.empty()) continue;
    if (singular.contains(i) ||
        seen[{body.material, body.is_free(), body.parts.front().shape.index(), body.flexibility, body.has_grain()}]++ <
            2)
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
  if ((contact.mu_2 || contact.e_t_2) && !has_grain_along(pair)) forget_direction(contact);
  if (known.k || !knows_stiffness(parts)) return contact;
  if (const std::optional<double> k = pressure_stiffness_of(parts)) {
    contact.k = *k;
    return contact;
  }
  const geometry::Part& a = part(parts.body_a, parts.part_a);
  const geometry::Part& b = part(parts.body_b, parts.part_b);
  const geometry::RelativeCurvature curvature = geometry::relative_curvature(
      a.shape, model_->pose(parts.body_a, state) * a.pose, point.point_a, b.shape,
      model_->pose(parts.body_b, state) * b.pose, point.point_b, point.normal, model_->dimension());
  contact.k = geometry::hertz_stiffness(curvature, *known.modulus);
  return contact;
}

}  // namespace carom
