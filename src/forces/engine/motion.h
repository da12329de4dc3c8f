#pragma once

#include <vector>

#include "carom/forces/engine/contact_lists.h"
#include "carom/forces/engine/contact_state.h"
#include "carom/forces/engine/kinematics.h"
#include "carom/forces/engine/turning.h"

namespace carom::forces {

class Motion;

/// What contacts do at one state.
struct Moment {
  Vector d, gamma, force;  // (m), (rows), (rows)
};

/// What errors and noise are relative to: the impact's own speeds, times and depths.
struct Scales {
  double speed = 0;                 // [m/s] of approach
  double slowest = 0;               // [m/s] damping refers to no slower touch
  double rounding = 0;              // [m] of indentations: contacts touch so much deeper than they open
  double noise = 0;                 // [m/s] of speeds that are none
  Vector mass, depth, force, time;  // (m) of each contact at that speed

  /// Of contacts that move these masses (m) [kg].
  void set_contacts(const Motion& motion, const Vector& masses);
};

/// Contacts that move under their forces, in the phases and with the modes that they have. The state is
/// y = (x, T, S, work, rubbed, turned): the kinematics' own, the tangential spring of each contact (2m where friction
/// is elastic; a direction while it slips), the springs of what resists turning (2 each), the work done on each contact
/// by its normal motion and by all else (m, m), and that of turning alone.
class Motion {
 public:
  Motion(const Kinematics& own, NormalList normals, FrictionList frictions, std::vector<Turning> turnings = {});

  Index contacts() const { return static_cast<Index>(row_.size()); }
  Index row(Index contact) const { return row_[contact]; }
  int tangents(Index contact) const { return tangents_[contact]; }
  bool has_springs() const { return springs_; }  // tangential ones, in y
  Index turnings() const { return static_cast<Index>(turning.size()); }
  Index size() const { return turned(turnings()); }
  Index spring(Index i) const { return own_size_ + 2 * i; }
  Index turning_spring(Index j) const { return own_size_ + (springs_ ? 2 * contacts() : 0) + 2 * j; }
  Index work(Index i) const { return turning_spring(turnings()) + i; }
  Index rubbed(Index i) const { return work(contacts()) + i; }
  Index turned(Index j) const { return rubbed(contacts()) + j; }

  void observe(double t, const double* y, Moment& moment) const;  // without forces
  void evaluate(double t, const double* y, Moment& moment) const;
  /// The same of one contact, into its own entries; forces that depend on others (what is held) are not found.
  void evaluate_one(Index i, double t, const double* y, Moment& moment) const;
  void operator()(double t, const double* y, double* dy) const;

  /// The slip of a contact [m/s] and its tangential force [N], zeros where it has no such direction.
  Eigen::Vector2d tangential(Index i, const Vector& rows) const;
  bool rubs(Index i) const { return rubs_[i]; }
  double mu(Index i) const { return mu_[i]; }
  double mu_s(Index i) const { return mu_s_[i]; }
  FrictionKind kind() const { return kind_; }

  /// By how much faster the spring of a contact that slips would be stretched than it is cut, [N/s]: below 0 it sticks.
  double excess(Index i, double t, const double* y, const Moment& moment) const;
  double tangential_stiffness(Index i, const Moment& moment) const;

  /// k_n [N/m] of a contact.
  double normal_stiffness(Index i, const Moment& moment) const;
  /// The spring of a turning, and what turning has paid for it [J].
  Turning::Pair turning_spring_of(Index j, const double* y) const {
    return {y[turning_spring(j)], y[turning_spring(j) + 1]};
  }
  double paid(Index j, const double* y) const { return y[turned(j)] - turning[j].paid_from; }
  double turning_stored(Index j, const double* y, const Moment& moment) const;

  /// Contacts whose rows are held by whatever force it takes: to be called when that changes.
  void hold(double t, const double* y);
  const std::vector<Index>& held_rows() const { return held_rows_; }
  bool holds_redundantly() const { return redundant_; }
  Vector stopping_impulse(const Vector& gamma) const;  // (rows)

  /// One contact's normal force: visit(force).
  template <class Visitor>
  auto with_normal(Index i, Visitor&& visit) const {
    return std::visit([&](const auto& all) { return visit(all[i]); }, normal);
  }

  const Kinematics& kinematics;
  NormalList normal;
  FrictionList friction;
  std::vector<ContactState> state;  // (m)
  std::vector<Turning> turning;
  bool stops_at_turns = false;  // a step ends where an indentation turns, also where that changes nothing
  mutable long evaluations = 0;

 private:
  void add_normal(Index from, Index to, Moment& moment) const;
  void add_friction(Index from, Index to, const double* y, Moment& moment) const;
  void add_turning(Index j, const double* y, Moment& moment) const;
  void add_held(double t, const double* y, Moment& moment) const;
  Vector held_forces(double t, const double* y, const Moment& moment) const;
  void turn(const double* y, const Moment& moment, double* dy) const;
  template <class F>
  void springs(const std::vector<F>& all, const double* y, const Moment& moment, double* dy) const;

  Index own_size_ = 0;         // of the kinematics' state
  std::vector<Index> row_;     // (m)
  std::vector<int> tangents_;  // (m)
  std::vector<char> rubs_;
  Vector mu_, mu_s_;
  FrictionKind kind_ = FrictionKind::holding;
  bool springs_ = false;
  std::vector<Index> held_rows_, held_contacts_;
  Matrix held_, mobility_;
  bool redundant_ = false;
  mutable Moment scratch_;
};

}  // namespace carom::forces
