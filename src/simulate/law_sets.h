#pragma once

#include <optional>
#include <vector>

#include "carom/laws/all.h"
#include "carom/model/contact_rules.h"
#include "carom/simulate/scheme.h"

namespace carom::simulate {

/// A contact of a model, by what touches: two bodies, in any order; of each a certain part, or the place that touches.
struct SetContact {
  struct Side {
    int body = -1;
    int part = -1;                   // its shape; -1: any
    std::optional<Vector3> at = {};  // [m] the point that touches, in the body's frame; none: any
  };
  Side a, b;
};

/// Contacts that have a law of their own where they, and no others, take part in an impact. Matrices of the law number
/// them as they stand here, whatever their numbers in a run.
struct LawSet {
  std::vector<SetContact> contacts;
  ImpactLaw law;
};
using LawSets = std::vector<LawSet>;

/// Throws InputError at law.set[i] if a set's contacts cannot be told apart or may never touch, if two sets may have
/// the same contacts, if the law cannot treat them (a matrix of another size), or if the scheme has no impacts of its
/// own.
void require_sets(const Model& model, const Scheme& scheme, const LawSets& sets);

/// The law of the set whose contacts these are, in their numbering; nothing if there is none. `contacts` are those of
/// the impact problem, one per pair.
std::optional<ImpactLaw> law_of(const Model& model, const LawSets& sets, const std::vector<ContactPair>& pairs,
                                const std::vector<Contact>& contacts);

}  // namespace carom::simulate

namespace carom {
using simulate::LawSet;
using simulate::LawSets;
using simulate::require_sets;
using simulate::SetContact;
}  // namespace carom
