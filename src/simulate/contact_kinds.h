#pragma once

#include <vector>

#include "carom/model/contact_rules.h"

namespace carom::simulate {

/// What ContactRules say of two bodies, by kinds of bodies that no rule tells apart, so that it is looked up. Of very
/// many kinds the rules are asked each time. For models without joints.
class ContactKinds {
 public:
  ContactKinds(const Model& model, const ContactRules& rules);

  bool all_touch() const { return all_touch_; }  // whether every two bodies may that are not both fixed
  bool may_touch(int body_a, int body_b) const;

  /// The parameters of a contact of two bodies: without a name, and with k of its own only where it is given.
  Contact contact(int body_a, int body_b) const;
  const Contact* find(int body_a, int body_b) const {  // null: the rules have to be asked
    const Pair* pair = known(body_a, body_b);
    return pair ? &pair->contact : nullptr;
  }
  bool is_hertz(int body_a, int body_b) const;  // k follows from the surfaces instead
  /// The same contact where it is looked up and its k is given; else null.
  const Contact* known_contact(int body_a, int body_b) const {
    const Pair* pair = known(body_a, body_b);
    return pair != nullptr && !pair->hertz ? &pair->contact : nullptr;
  }

 private:
  struct Pair {
    bool touches = true, hertz = false;
    Contact contact;
  };
  Pair asked(int body_a, int body_b) const;
  const Pair* known(int body_a, int body_b) const {
    return pairs_.empty() ? nullptr : &pairs_[static_cast<std::size_t>(kind_[body_a] * kinds_ + kind_[body_b])];
  }

  const ContactRules& rules_;
  std::vector<int> kind_;  // (bodies)
  int kinds_ = 0;
  std::vector<Pair> pairs_;  // (kinds x kinds) empty: too many
  bool all_touch_ = true;
};

}  // namespace carom::simulate
