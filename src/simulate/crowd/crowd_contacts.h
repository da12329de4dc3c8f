#pragma once

#include <optional>
#include <vector>

#include "carom/laws/all.h"
#include "carom/simulate/body_frames.h"
#include "carom/simulate/contact_kinds.h"
#include "carom/simulate/crowd/contact_sweeps.h"
#include "carom/simulate/crowd/crowd_islands.h"
#include "carom/simulate/crowd/crowd_order.h"

namespace carom::simulate {

/// The middle of a time step, as crowds see it.
struct CrowdMoment {
  const State& middle;       // with the velocities before the step
  const BodyFrames& frames;  // of it
  const BodyFrames& added;   // with what the smooth forces add to velocities within the step
  const Vector& u_free;      // (velocities) at its end without contacts
  const std::vector<ContactPair>& pairs;
  const std::vector<const Vector3*>& before;  // (pairs) what they carried in the step before; null: nothing
  const std::vector<double>& gap_rates;       // (pairs) [m/s] see MoreauStep
  double fastest = 0;                         // [m/s] bound of the bodies' speeds so far
  double h = 0;                               // [s]
};

/// What a step knows of a contact beside what sweeps do.
struct CrowdContact {
  std::size_t pair = 0;                                     // its place in the list of all
  double e = 0;                                             // [-] that it is thrown back with
  double gap_rate = 0;                                      // [m/s]
  double slow = 0;                                          // [m/s] what smooth forces add to its velocity
  double terms = 0;                                         // [m/s] of the points that touch
  bool has_tangents = false, carried = false;               // the latter in the step before, by more than rounding
  bool is_known = false;                                    // carried something at all
  Vector3 guess = Vector3::Zero();                          // [N s] along the axes: what it carried
  Vector3 drift = Vector3::Zero();                          // [m/s] of walls, along the axes
  Vector3 minus = Vector3::Zero(), free = Vector3::Zero();  // [m/s] gamma before the step, and after without contacts
};

/// Makes what sweeps need of a model's bodies and of an island's contacts, in room that is kept.
class CrowdContacts {
 public:
  /// `e`: of a law that has one for all contacts. The other references outlive this.
  CrowdContacts(const Model& model, const ContactRules& rules, const ImpactLaw& law, std::optional<double> e,
                Crew& crew);

  /// Whether the law's equations are those of sweeps at some contacts at least, and the model has no joints.
  bool is_possible() const { return possible_; }

  SweptBodies bodies;                  // (free bodies) in the order of u
  SweptContacts swept;                 // of the island, in the order of sweeps
  std::vector<CrowdContact> contacts;  // the same
  std::vector<std::size_t> of_pair;    // (pairs of the island) its place among the contacts

  /// All free bodies with the velocities they have without contacts.
  void read_bodies(const CrowdMoment& moment);

  /// The contacts of an island, at the bodies' velocities. False: the equations of one of them are others.
  bool read(const CrowdMoment& moment, const CrowdIsland& island);

  int place(int body) const { return place_[body]; }  // among the free ones; -1: it is not
  Crew& crew() const { return crew_; }

 private:
  bool is_plain(const Contact& contact) const;
  bool read(const CrowdMoment& moment, std::size_t pair, SweptContact& swept, CrowdContact& contact) const;

  const Model& model_;
  ContactKinds kinds_;
  std::optional<double> e_;
  bool possible_ = false, newtons_ = false;  // Newton's equations: where anything is thrown back, too
  bool is_round_ = true;                     // all bodies turn as easily about any axis
  Crew& crew_;
  std::vector<int> place_;                // (bodies)
  std::vector<Matrix3> inverse_inertia_;  // (free bodies) in their frames; empty: all are round
  CrowdOrdering ordering_;
  std::vector<OrderedContact> ordered_;
};

}  // namespace carom::simulate
