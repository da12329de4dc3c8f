#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/numerics/linear_algebra.h"

namespace carom {

/// What the mathematics decided.
enum class Status { solved, no_solution, iteration_limit };
std::string_view to_string(Status status);

/// Yes, no, or not known. True where it is known to be so.
class Claim {
 public:
  constexpr Claim(bool yes) : value_(yes ? Value::yes : Value::no) {}
  static constexpr Claim unknown() { return Claim(Value::unknown); }

  constexpr explicit operator bool() const { return value_ == Value::yes; }
  constexpr bool is_known() const { return value_ != Value::unknown; }
  constexpr bool denied() const { return value_ == Value::no; }
  friend constexpr bool operator==(Claim, Claim) = default;

 private:
  enum class Value : char { no, yes, unknown };
  constexpr explicit Claim(Value value) : value_(value) {}
  Value value_;
};

/// Which parts of the answer the law determines; what it leaves open was chosen as the law's header says.
struct Uniqueness {
  Claim u_plus = true, impulse = true, tangential_impulse = true;
};

/// Solutions of a law in one combination of contacts that are open, stick and slip: one, or a continuum.
struct SolutionSet {
  std::vector<std::string_view> modes;  // (m) open, closed, stick, slip
  Vector Lambda, u_plus;                // (rows), (n) of a continuum the one of least kinetic energy
  struct Corner {
    Vector Lambda, u_plus;
  };
  std::vector<Corner> vertices;  // of a continuum; empty: it is one solution, or has too many
  bool bounded = true;           // false: the continuum goes on beyond its vertices
};

/// before + stored_before + wall_work + smooth_work = after + sum(dissipated) + dissipated_joints +
/// dissipated_generalized
struct Energy {
  double before = 0, after = 0;       // [J] kinetic
  double stored_before = 0;           // [J] sum of E0
  double wall_work = 0;               // [J] work of moving walls, -drift . Lambda
  double smooth_work = 0;             // [J] work of the smooth impulse p
  Vector dissipated_normal;           // [J] (m) by the normal impulses
  Vector dissipated_friction;         // [J] (m) by the tangential impulses
  double dissipated_joints = 0;       // [J] by joints that u- violated, else 0
  double dissipated_generalized = 0;  // [J] by an impulse outside the contacts' directions, else 0

  double dissipated() const {
    return dissipated_normal.sum() + dissipated_friction.sum() + dissipated_joints + dissipated_generalized;
  }
};

/// By how much an outcome misses each law of mechanics; 0 is perfect. Absolute in SI units, and relative to what moves
/// at the contacts concerned, so that `consistent` depends neither on units nor on bystanders.
struct Certificate {
  struct Residuals {
    double dynamics =
        0;  // impact equation: max |M (u+ - u-) - p - W Lambda - J Lambda_J - generalized impulse| [kg m/s]
    double kinematic = 0;  // penetration: max (-gamma_N+)_+ [m/s]
    double kinetic = 0;  // pulling, or leaving Coulomb's cone: max (-Lambda_N)_+, (|Lambda_T| - mu Lambda_N)_+ [kg m/s]
    double complementarity = 0;  // the law's own: max |(gamma+ - bound) (Lambda - bound)| [J]
    double energetic = 0;        // energy from nowhere: (after - before - stored - work)_+ [J]
    double ledger = 0;           // |left - right| of the energy balance [J]
  };
  Residuals absolute, relative;
  double tolerance = 0;     // the relative residuals above this count as violations
  int penetrating = -1;     // contact of the worst penetration, -1 if none beyond the tolerance
  int pulling = -1;         // contact of the worst pull or cone violation, -1 if none
  bool consistent = false;  // neither penetrates nor pulls nor creates energy, and the ledger balances
};

/// What each contact went through, for laws that follow the impact in time.
struct ContactHistory {
  std::vector<long> compressions,
      reimpacts;           // (m) how often it was compressed; how often it closed again after opening
  Vector peak_time;        // [s] (m) when its force was largest
  bool collapsed = false;  // infinitely many ever weaker impacts were taken at once
};

/// Compression and restitution of an impact at one contact: the normal impulses [kg m/s] and their work [J].
struct TwoPhases {
  double compression_impulse = 0, restitution_impulse = 0;
  double compression_work = 0, restitution_work = 0;  // < 0 while bodies are pressed together, > 0 while they part
};

/// The work of the normal forces on the bodies [J] (m) while they are pressed together, <= 0, and while they part, of
/// all compressions of a contact together. Where a contact ends without a force:
/// restitution + dissipated_normal = -compression + E0.
struct PhaseWorks {
  Vector compression, restitution;
};

/// Restitution where contacts are asked for it: what a contact's force returns when it acts alone, at the speed and the
/// mass met, and what was asked for (nothing where damping was given instead).
struct AskedRestitution {
  std::vector<std::optional<double>> asked;  // (m) [-]
  Vector obtained;                           // (m) [-]
};

/// What took the energy of each contact, apart [J] (m).
struct Losses {
  Vector damping;   // by dampers
  Vector loops;     // between loading and unloading, dents that stay included
  Vector friction;  // by slip, tangential springs that a contact let go of included
};

struct Cost {
  long evaluations = 0, iterations = 0;
  double seconds = 0;
};

/// The answer of one law to one impact, in the row layout of W. Empty vectors where there is no answer
/// (status no_solution).
struct ImpactOutcome {
  std::string_view law;
  Status status = Status::no_solution;
  std::string message = "not solved yet";
  Vector u_plus;                           // (n)
  Vector gamma_minus, gamma_plus, Lambda;  // (rows)
  Vector generalized_impulse;              // (n) impulse outside the contacts' directions; empty = 0
  std::vector<Index> row;                  // (m) row of each contact's normal
  double residual = 0;                     // [-] what an iteration left of the law's equations, relative
  Uniqueness unique;
  std::vector<SolutionSet> solutions;  // all there are, if they were asked for and are known
  Energy energy;
  Certificate certificate;
  std::optional<double> duration;    // [s]
  std::optional<Vector> peak_force;  // [N] (m)
  std::optional<long> events;
  std::optional<ContactHistory> history;
  std::string mode;  // the law's word for what happened: sliding, sticking, ...; empty = it has none
  std::optional<TwoPhases> phases;
  std::optional<PhaseWorks> works;  // of laws that have phases
  Vector e_used;                    // (m) [-] where some e depends on the impact: that of the last compression
  std::optional<AskedRestitution> restitution;
  std::optional<double> effective_restitution;  // [-] of a chain or column as a whole, where that was asked for
  std::optional<Losses> losses;
  std::vector<std::string> remarks;  // on what is no violation but worth knowing
  Cost cost;

  bool solved() const { return status == Status::solved; }
  Vector normal(const Vector& rows) const;                           // (m) entries of the normals
  Vector tangential(const Vector& rows, std::size_t contact) const;  // (0, 1 or 2) entries of a contact's tangents
};

}  // namespace carom
