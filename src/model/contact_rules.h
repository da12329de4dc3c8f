#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "carom/impact/problem.h"
#include "carom/model/contact_pair.h"

namespace carom {

/// What a pair of bodies has in common where it touches: from the pair rules, else from the materials (the smaller e
/// and the smaller mu of those that give it, the effective modulus of both), else the defaults of Contact.
struct PairProperties {
  double e = 0, mu = 0, e_t = 0;
  SharedRestitution e_of;                 // where e depends on the impact; `e` then is the largest value
  std::optional<double> k;                // given; else from `modulus` and the curvatures of the surfaces
  std::optional<double> modulus;          // [Pa] effective, for Hertz
  double pressure_a = 0, pressure_b = 0;  // [Pa] inside the bodies; 0: rigid there
  double eta = 1.5;
  std::optional<double> c, mu_s, k_t;  // as in Contact
  std::optional<double> mu_2, e_t_2;   // across the grain, with mu and e_t along it; none: the same
  double mu_r = 0, mu_t = 0;           // [-] resistance to rolling and to spin
  double flexibility = 0;              // [m/N] of both bodies together
  std::optional<double> E0, preload;   // [J] or [N] in contacts that are pressed at the start
};

/// A contact of such a pair without a name, `k` [N/m^eta] where no stiffness is given.
Contact contact_of(const PairProperties& known, double k);

/// Where the grain stands upright on the surface no direction is another: friction has the geometric mean of mu and
/// mu_2, e_t the mean of both.
void forget_direction(Contact& contact);

/// The energy [J] in a contact that is pressed at the start: E0, or that of the preload F in lambda = k s^eta,
///   E0 = F s / (eta + 1),   s = (F / k)^(1/eta).
double energy_at_start(const PairProperties& known, const Contact& contact);

/// Which bodies of a model may touch, and with what properties.
class ContactRules {
 public:
  explicit ContactRules(const Model& model);

  /// Not two bodies that both move as prescribed, not those a joint connects (unless a rule says `touches = true`), not
  /// those a rule keeps apart.
  bool may_touch(int body_a, int body_b) const;

  PairProperties properties(int body_a, int body_b) const;
  PairProperties properties(const PartPair& parts) const;  // also of stops

  /// The parameters of one contact of an impact.
  Contact contact(const State& state, const ContactPair& pair) const;

  /// Whether the stiffness of these parts' contact is given or follows from Hertz.
  bool knows_stiffness(const PartPair& parts) const;

  /// That of balls with a pressure inside, if these parts are; what has none is rigid then.
  std::optional<double> pressure_stiffness_of(const PartPair& parts) const;

  /// Pairs of parts, one of each kind that may occur: the same materials, rules and shapes count once.
  std::vector<PartPair> kinds() const;

 private:
  const geometry::Part& part(int body, int part) const;

  SharedRestitution restitution_of_materials(int a, int b) const;
  template <class Use>
  void for_rules(int a, int b, Use&& use) const;

  struct OfBodies {
    std::pair<int, int> bodies;  // the smaller number first
    const PairRule* rule;
  };

  const Model* model_;
  std::map<std::pair<int, int>, SharedRestitution> restitutions_;  // of materials of which one has a function
  std::vector<std::vector<int>> joined_;  // (bodies) bodies that a joint connects with it, ascending
  std::vector<const PairRule*> of_many_;  // all pairs, then those of materials
  std::vector<OfBodies> of_bodies_;       // ascending; of a repeated body there may be one for each pair
  bool some_touch_ = false;               // a rule says who touches whom
};

}  // namespace carom
