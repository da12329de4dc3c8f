#include "carom/simulate/law_sets.h"

#include <fmt/format.h>

#include <algorithm>

namespace carom::simulate {
namespace {

constexpr double kThere = 1e-3;  // of the smaller part's size: how far from its place a contact may touch

bool is_of(const SetContact::Side& side, int body, int part) {
  return side.body == body && (side.part < 0 || side.part == part);
}

bool is_near(const std::optional<Vector3>& asked, const Vector3& found, double distance) {
  return !asked || (found - *asked).norm() <= distance;
}

bool is_at(const SetContact::Side& a, const SetContact::Side& b, const ContactPair& pair, double distance) {
  return is_of(a, pair.parts.body_a, pair.parts.part_a) && is_of(b, pair.parts.body_b, pair.parts.part_b) &&
         is_near(a.at, pair.local_a, distance) && is_near(b.at, pair.local_b, distance);
}

bool is_contact(const Model& model, const SetContact& contact, const ContactPair& pair) {
  if (pair.parts.is_stop()) return false;
  const double distance = kThere * smaller_size(model, pair.parts);
  return is_at(contact.a, contact.b, pair, distance) || is_at(contact.b, contact.a, pair, distance);
}

/// Where each pair stands in the set; empty if they are not its contacts.
std::vector<Index> places_in(const Model& model, const LawSet& set, const std::vector<ContactPair>& pairs) {
  if (pairs.size() != set.contacts.size()) return {};
  std::vector<Index> places;
  std::vector<char> taken(pairs.size(), 0);
  for (const ContactPair& pair : pairs) {
    std::size_t k = 0;
    while (k < pairs.size() && (taken[k] || !is_contact(model, set.contacts[k], pair))) ++k;
    if (k == pairs.size()) return {};
    taken[k] = 1;
    places.push_back(static_cast<Index>(k));
  }
  return places;
}

/// Where the tangents stand, if each contact of the set has as many as that of the problem.
std::vector<Index> places_of_tangents(const std::vector<Index>& places, const std::vector<Contact>& contacts) {
  std::vector<Index> first(places.size() + 1, 0);  // in the set
  for (std::size_t i = 0; i < places.size(); ++i) first[places[i] + 1] = contacts[i].tangents;
  for (std::size_t k = 1; k < first.size(); ++k) first[k] += first[k - 1];
  std::vector<Index> tangents;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (int t = 0; t < contacts[i].tangents; ++t) tangents.push_back(first[places[i]] + t);
  return tangents;
}

bool may_be_one(const SetContact::Side& x, const SetContact::Side& y, double distance) {
  return x.body == y.body && (x.part < 0 || y.part < 0 || x.part == y.part) &&
         (!x.at || !y.at || (*x.at - *y.at).norm() <= 2 * distance);
}

bool may_be_one(const SetContact& x, const SetContact& y, double distance) {
  return (may_be_one(x.a, y.a, distance) && may_be_one(x.b, y.b, distance)) ||
         (may_be_one(x.a, y.b, distance) && may_be_one(x.b, y.a, distance));
}

/// [m] the size that distances between places of a contact are measured by: of the smaller body.
double size_of(const Model& model, const SetContact& contact) {
  const auto largest = [&](const SetContact::Side& side) {
    double size = 0;
    for (const geometry::Part& part : model.bodies()[side.body].parts)
      size = std::max(size, geometry::reach(part.shape));
    return size;
  };
  return std::min(largest(contact.a), largest(contact.b));
}

std::string place_of_contact(std::size_t set, std::size_t contact) {
  return fmt::format("law.set[{}].contacts[{}]", set, contact);
}

void require_distinct(const Model& model, const LawSets& sets, std::size_t i) {
  const std::vector<SetContact>& contacts = sets[i].contacts;
  for (std::size_t k = 0; k < contacts.size(); ++k)
    for (std::size_t other = 0; other < k; ++other)
      if (may_be_one(contacts[k], contacts[other], kThere * size_of(model, contacts[k])))
        throw InputError(place_of_contact(i, k),
                         fmt::format("cannot be told from contacts[{}] of the set; name shapes, as "
                                     "\"body.shape\", or give the places `at` which bodies touch",
                                     other));
}

void require_touch(const Model& model, const ContactRules& rules, const LawSets& sets, std::size_t i) {
  for (std::size_t k = 0; k < sets[i].contacts.size(); ++k) {
    const auto& [a, b] = sets[i].contacts[k];
    const std::string names = fmt::format("{} and {}", model.bodies()[a.body].name, model.bodies()[b.body].name);
    if (a.body == b.body || !rules.may_touch(a.body, b.body))
      throw InputError(place_of_contact(i, k),
                       fmt::format("{} never touch: one body, both not free, or kept apart by a joint "
                                   "or a [[pair]]",
                                   names));
  }
}

/// Whether each contact of one may be one of the other, and none is left.
bool may_be_one(const Model& model, const LawSet& x, const LawSet& y) {
  if (x.contacts.size() != y.contacts.size()) return false;
  std::vector<char> taken(y.contacts.size(), 0);
  for (const SetContact& contact : x.contacts) {
    std::size_t k = 0;
    while (k < taken.size() && (taken[k] || !may_be_one(contact, y.contacts[k], kThere * size_of(model, contact)))) ++k;
    if (k == taken.size()) return false;
    taken[k] = 1;
  }
  return true;
}

/// An impact of the set's contacts that do not move: what the law cannot treat it refuses here. E_tan depends on the
/// bodies' velocities and is looked at in the impacts.
void try_set(const Model& model, const ContactRules& rules, const LawSet& set, std::size_t i) {
  const int tangents = model.dimension() == Dimension::line ? 0 : model.dimension() == Dimension::plane ? 1 : 2;
  ImpactProblem problem;
  Index rows = 0;
  for (const SetContact& one : set.contacts) {
    const PairProperties known = rules.properties(one.a.body, one.b.body);
    Contact contact = contact_of(known, 1);
    contact.name = fmt::format("{}", rows);
    contact.tangents = known.mu > 0 || known.e_t != 0 || known.e_t_2 ? tangents : 0;
    if (tangents == 0) contact.mu = 0;
    rows += 1 + contact.tangents;
    problem.contacts.push_back(contact);
  }
  problem.M = MassMatrix::diagonal(Vector::Ones(rows));
  problem.W.resize(rows, rows);
  problem.W.setIdentity();
  problem.u_minus = Vector::Zero(rows);
  try {
    solve(problem, set.law);
  } catch (const InputError& error) {
    if (error.place == "law.E_tan") return;
    const bool of_law = error.place.starts_with("law.");
    throw InputError(fmt::format("law.set[{}]{}", i, of_law ? error.place.substr(3) : ""), error.rule);
  }
}

}  // namespace

void require_sets(const Model& model, const Scheme& scheme, const LawSets& sets) {
  if (sets.empty()) return;
  if (!std::holds_alternative<EventDriven>(scheme))
    throw InputError(
        "law.set[0]",
        fmt::format("is a law of impacts; by the scheme {} there are none of certain contacts alone, as {}; "
                    "use the scheme event-driven",
                    name_of(scheme),
                    std::holds_alternative<TimeStepping>(scheme)
                        ? "those that rest or are still open take part in its steps"
                        : "contact forces move the bodies"));
  const ContactRules rules(model);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    require_touch(model, rules, sets, i);
    require_distinct(model, sets, i);
    try_set(model, rules, sets[i], i);
    for (std::size_t other = 0; other < i; ++other)
      if (may_be_one(model, sets[i], sets[other]))
        throw InputError(fmt::format("law.set[{}].contacts", i),
                         fmt::format("may be those of law.set[{}]; each set of contacts has one law", other));
  }
}

std::optional<ImpactLaw> law_of(const Model& model, const LawSets& sets, const std::vector<ContactPair>& pairs,
                                const std::vector<Contact>& contacts) {
  for (const LawSet& set : sets) {
    const std::vector<Index> places = places_in(model, set, pairs);
    if (!places.empty()) return renumbered(set.law, {places, places_of_tangents(places, contacts)});
  }
  return std::nullopt;
}

}  // namespace carom::simulate
