#include "carom/simulate/contact_kinds.h"

#include <map>
#include <set>
#include <tuple>

namespace carom::simulate {
namespace {

constexpr int kMostKinds = 64;

}  // namespace

ContactKinds::ContactKinds(const Model& model, const ContactRules& rules) : rules_(rules) {
  const Description& all = model.description();
  std::set<int> named;  // by rules
  for (const PairRule& rule : all.pairs)
    if (rule.between == PairRule::Between::bodies) named.insert({rule.a, rule.b});
  std::map<std::tuple<int, bool, double, bool, int>, int> seen;
  std::vector<std::vector<int>> first;  // (kinds) its first two bodies
  for (int i = 0; i < static_cast<int>(all.bodies.size()); ++i) {
    const Body& body = all.bodies[i];
    const std::tuple key(body.material, body.is_free(), body.flexibility, body.has_grain(), named.contains(i) ? i : -1);
    const int kind = seen.try_emplace(key, static_cast<int>(first.size())).first->second;
    if (kind == static_cast<int>(first.size())) first.emplace_back();
    if (first[kind].size() < 2) first[kind].push_back(i);
    kind_.push_back(kind);
  }
  kinds_ = static_cast<int>(first.size());
  all_touch_ = kinds_ <= kMostKinds;
  if (!all_touch_) return;
  for (int a = 0; a < kinds_; ++a)
    for (int b = 0; b < kinds_; ++b) {
      const int one = first[a].front(), other = first[b].back();
      pairs_.push_back(one == other ? Pair{} : asked(std::min(one, other), std::max(one, other)));
      const bool moves = all.bodies[one].is_free() || all.bodies[other].is_free();
      all_touch_ = all_touch_ && (pairs_.back().touches || !moves);
    }
}

ContactKinds::Pair ContactKinds::asked(int body_a, int body_b) const {
  Pair pair;
  pair.touches = rules_.may_touch(body_a, body_b);
  const PairProperties known = rules_.properties(body_a, body_b);
  pair.contact = contact_of(known, Contact{}.k);
  pair.hertz = !known.k && known.modulus;
  return pair;
}

bool ContactKinds::may_touch(int body_a, int body_b) const {
  const Pair* pair = known(body_a, body_b);
  return pair ? pair->touches : rules_.may_touch(body_a, body_b);
}

Contact ContactKinds::contact(int body_a, int body_b) const {
  const Pair* pair = known(body_a, body_b);
  return pair ? pair->contact : asked(body_a, body_b).contact;
}

bool ContactKinds::is_hertz(int body_a, int body_b) const {
  const Pair* pair = known(body_a, body_b);
  return pair ? pair->hertz : asked(body_a, body_b).hertz;
}

}  // namespace carom::simulate
