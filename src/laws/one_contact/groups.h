#pragma once

#include <vector>

#include "carom/impact/law.h"

namespace carom::one_contact {

/// The contacts of a problem in groups that do not move each other: an impulse at a contact changes velocities in its
/// own group alone. In the order of their first contacts.
std::vector<std::vector<Index>> groups_of(const ContactProblem& problem);

/// Some contacts of a problem as a problem of their own, with what moments have made of it. No energy is stored in
/// them.
class ContactGroup {
 public:
  /// `seen` may have another G and another gamma_free than reduce(*seen.impact) would make.
  ContactGroup(const ContactProblem& seen, std::vector<Index> contacts);
  ContactGroup(const ContactGroup&) = delete;  // the reduced problem points to the other
  ContactGroup& operator=(const ContactGroup&) = delete;

  const ContactProblem& problem() const { return reduced_; }
  const std::vector<Index>& contacts() const { return contacts_; }

  /// Lets contacts close by speeds (of the whole) that they do not have.
  void disturb(const Vector& speeds);

  /// Adds impulses (rows) and numbers (contacts) of the group to those of the whole.
  void add_rows(const Vector& own, Vector& all) const;
  void add_contacts(const Vector& own, Vector& all) const;

 private:
  std::vector<Index> contacts_, rows_;
  ImpactProblem impact_;
  ContactProblem reduced_;
};

}  // namespace carom::one_contact
