#include "carom/scene/contact_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "carom/scene/direction_reader.h"
#include "carom/scene/error.h"
#include "carom/scene/keys.h"
#include "carom/scene/restitution_reader.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

/// A number for every direction, or a list of two: along the first and along the second tangent.
template <double Contact::*first, OptionalNumber Contact::*second>
void read_by_direction(const Field& field, Contact& contact) {
  const Node::Array* list = field.node->array();
  if (list == nullptr) {
    contact.*first = value_of<double>(field);
    return;
  }
  if (contact.tangents != 2) fail_expected(field, "a number, or with two tangents a list of two");
  if (list->size() != 2) fail_expected(field, "a number, or a list of two: along the first and the second tangent");
  const Vector two = value_of<Vector>(field);
  contact.*first = two[0];
  contact.*second = two[1];
}

constexpr std::array<Key<Contact>, 11> kParameters = {{
    {"e", "coefficient of restitution, or how it depends on the impact", into_restitution<read_restitution>},
    {"mu", "coefficient of friction", read_by_direction<&Contact::mu, &Contact::mu_2>},
    {"k", "stiffness [N/m^eta]", into<&Contact::k, value_of<double>>},
    {"eta", "exponent of the force", into<&Contact::eta, value_of<double>>},
    {"E0", "energy in the contact before the impact [J]", into<&Contact::E0, value_of<double>>},
    {"e_t", "coefficient of tangential restitution", read_by_direction<&Contact::e_t, &Contact::e_t_2>},
    {"gap_rate", "how fast it may go on closing over a time step [m/s]", into<&Contact::gap_rate, value_of<double>>},
    {"c", "damping, instead of e", into<&Contact::c, value_of<double>>},
    {"mu_s", "friction of what sticks", into<&Contact::mu_s, value_of<double>>},
    {"k_t", "tangential stiffness [N/m]", into<&Contact::k_t, value_of<double>>},
    {"flexibility", "how far the bodies give way [m/N]", into<&Contact::flexibility, value_of<double>>},
}};
constexpr std::size_t kMostTangents = 2;

std::vector<std::string_view> contact_keys() {
  std::vector<std::string_view> keys = {"name", "normal", "tangents", "drift", "bias"};
  for (const Key<Contact>& parameter : kParameters) keys.push_back(parameter.name);
  return keys;
}

std::string name_of_contact(const Field& contact, std::size_t i) {
  const std::optional<Field> name = member(contact, "name");
  if (!name) return fmt::format("{}", i + 1);
  std::string text = line_of_text(*name);
  if (text.empty()) fail(*name, "is empty; leave it out or give the contact a name");
  return text;
}

int read_tangents(const Field& contact, DirectionReader& directions) {
  const std::optional<Field> tangents = member(contact, "tangents");
  if (!tangents) return 0;
  const std::size_t count = entries_of(*tangents, "a list of 0, 1 or 2 directions").size();
  if (count > kMostTangents) fail(*tangents, fmt::format("has {} entries; a contact has 0, 1 or 2 tangents", count));
  for (std::size_t t = 0; t < count; ++t) directions.add(entry(*tangents, t));
  return static_cast<int>(count);
}

/// Numbers of the normal alone, or of the normal and every tangent; 0 where the contact has none. (1 + tangents)
Vector read_rows(const Field& contact, std::string_view key, int tangents) {
  Vector rows = Vector::Zero(1 + tangents);
  const std::optional<Field> given = member(contact, key);
  if (!given) return rows;
  if (const double* normal = given->node->number()) {
    rows[0] = *normal;
    return rows;
  }
  if (!given->node->array()) fail_expected(*given, "a number, or a list with one number a direction");
  Vector values = value_of<Vector>(*given);
  if (values.size() != rows.size())
    fail(*given,
         fmt::format("has {} entries; the normal and {} tangents make {}", values.size(), tangents, rows.size()));
  return values;
}

/// The rows of all contacts one after another; empty if all are zero.
class RowsOfContacts {
 public:
  void add(const Vector& rows) {
    values_.insert(values_.end(), rows.begin(), rows.end());
    any_ = any_ || !rows.isZero(0);
  }
  Vector values() const {
    if (!any_) return {};
    return Eigen::Map<const Vector>(values_.data(), static_cast<Index>(values_.size()));
  }

 private:
  std::vector<double> values_;
  bool any_ = false;
};

/// Two contacts of one name could not be told apart in results and options.
void require_distinct_names(const Field& list, const std::vector<Contact>& contacts) {
  const auto name_at = [&](std::size_t i) {
    const Node& contact = (*list.node->array())[i];
    const Member* name = contact.find("name");
    return name ? name->value.at : contact.at;
  };
  std::unordered_map<std::string_view, std::size_t> seen;
  seen.reserve(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto [other, is_new] = seen.emplace(contacts[i].name, i);
    if (is_new) continue;
    fail(*list.document, name_at(i),
         fmt::format("{0}[{1}].name = {2} is also the name of {0}[{3}] at {4}; names are distinct", list.path, i,
                     in_quotes(contacts[i].name), other->second, place_of(*list.document, name_at(other->second))));
  }
}

}  // namespace

ContactList read_contacts(const Field& list, Index n) {
  const std::vector<std::string_view> keys = contact_keys();
  const std::size_t count = entries_of(list, "a list of contacts").size();
  ContactList read_list;
  DirectionReader directions(n);
  RowsOfContacts drift, bias;
  for (std::size_t i = 0; i < count; ++i) {
    const Field field = entry(list, i);
    require_known_keys(field, keys);
    Contact contact;
    contact.name = name_of_contact(field, i);
    directions.add(required_member(field, "normal", "the direction in which the contact opens"));
    contact.tangents = read_tangents(field, directions);
    read_keys(field, kParameters, contact);
    if (contact.mu > 0 && contact.tangents == 0)
      fail(member(field, "mu").value_or(field),
           fmt::format("= {} without tangents; friction acts along tangents: give one (planar) or two (spatial)",
                       contact.mu));
    drift.add(read_rows(field, "drift", contact.tangents));
    bias.add(read_rows(field, "bias", contact.tangents));
    read_list.contacts.push_back(std::move(contact));
  }
  require_distinct_names(list, read_list.contacts);
  read_list.W = directions.matrix();
  read_list.drift = drift.values();
  read_list.bias = bias.values();
  return read_list;
}

bool is_contact_parameter(std::string_view key) {
  return key == "drift" || std::any_of(kParameters.begin(), kParameters.end(), [&](auto& p) { return p.name == key; });
}

}  // namespace carom::scene
