#pragma once

#include <string_view>
#include <vector>

#include "carom/impact/problem.h"
#include "carom/scene/field.h"

namespace carom::scene {

/// The contacts of a problem, their directions, the velocities of moving walls, and accelerations where u' = 0.
struct ContactList {
  std::vector<Contact> contacts;
  SparseMatrix W;
  Vector drift, bias;  // (rows) empty if no contact has any
};

/// Reads "contacts" of a system with n degrees of freedom. A contact without a name gets its number, counted from 1.
ContactList read_contacts(const Field& list, Index n);

/// Whether a key is a number that every contact has: e, mu, k, ..., drift.
bool is_contact_parameter(std::string_view key);

}  // namespace carom::scene
