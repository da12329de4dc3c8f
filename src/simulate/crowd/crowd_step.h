#pragma once

#include <string>
#include <vector>

#include "carom/simulate/crowd/crowd_contacts.h"
#include "carom/simulate/crowd/crowd_sums.h"
#include "carom/simulate/scheme.h"

namespace carom::simulate {

/// What the contacts of a step carried, to be kept and told.
struct StepNotes {
  std::vector<CarriedImpulse> acting;
  std::vector<ContactForce> contacts;  // where forces are wanted
  Mode closed;                         // the same
};

/// The force of a contact that carried the impulses `normal` and `along` [N s] on body b over a step of length h,
/// slipping with `slip`. `on_cone` is what the cone's mu bounds: the length of `along` where friction has no direction.
/// Its point is the caller's.
ContactForce force_of(const ContactPair& pair, double normal, const Vector3& along, double on_cone, const Vector3& slip,
                      double mu, double h);

/// Islands of many contacts in a step of the Moreau-Jean scheme (moreau_step.h has its equations), by sweeps over the
/// contacts. Neither W nor G is formed, and the room of one step serves the next. Velocities, ledger and certificate
/// are those of every other step, but that the certificate's speeds leave out what other contacts' impulses do.
class CrowdStep {
 public:
  CrowdStep(const Model& model, const ContactRules& rules, const ImpactLaw& law, std::optional<double> e,
            const TimeStepping& scheme, Journal& journal, Crew& crew);

  /// Answers crowds, which changes their velocities in u, and returns the pairs that are in none; those, too, whose
  /// equations are others, or which sweeps do not solve.
  std::vector<ContactPair> act(const CrowdMoment& moment, Vector& u, StepNotes& notes);

 private:
  bool answer(const CrowdMoment& moment, const CrowdIsland& island, Vector& u, StepNotes& notes);
  std::string name_of_crowd(const CrowdMoment& moment, const CrowdIsland& island) const;
  bool is_idle(const CrowdMoment& moment) const;
  bool choose();
  Swept impact(const CrowdIsland& island, double share, double accuracy);
  Swept restrained(const CrowdMoment& moment, const CrowdIsland& island, double accuracy);
  bool creates_energy(const CrowdMoment& moment, const CrowdIsland& island) const;
  bool closes_again(double accuracy) const;
  Swept second(double accuracy);
  double weight(double accuracy) const;
  void put_back(const CrowdIsland& island);
  void write(const CrowdMoment& moment, const CrowdIsland& island, Vector& u) const;
  void note(const CrowdMoment& moment, const CrowdIsland& island, const Vector& u, const StepSums& sums,
            StepNotes& notes);
  void tell(const CrowdMoment& moment, const CrowdIsland& island, const Vector& u, const StepSums& sums);

  const Model& model_;
  const ContactRules& rules_;
  const TimeStepping& scheme_;
  Journal& journal_;
  CrowdContacts crowd_;
  CrowdIslands islands_;
  std::vector<SweptBody> free_;     // (bodies of the island) without contacts
  std::vector<Vector3> Lambda_;     // (contacts) of the whole step
  std::vector<Vector3> plus_;       // (contacts) velocities after it
  std::vector<double> e_;           // (contacts) before it is lessened
  std::vector<std::size_t> began_;  // places in the island of contacts that carry for the first time
};

}  // namespace carom::simulate
