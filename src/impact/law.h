#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "carom/base/word.h"
#include "carom/impact/outcome.h"
#include "carom/impact/path.h"
#include "carom/impact/problem.h"

namespace carom {

/// What a law answers. `solve` adds velocities, energies and the certificate, the same way for every law.
struct Impulses {
  Status status = Status::solved;
  std::string message;
  Vector Lambda;       // (rows)
  Vector generalized;  // (n) impulse outside the contacts' directions; empty = 0
  Uniqueness unique;
  std::vector<SolutionSet> solutions;  // without u_plus
  double residual = 0;  // what an iteration left of the law's equations, relative to the velocities; 0 = rounding

  /// The complementarity the law claims, 0 <= gamma+ - gamma_bound _|_ Lambda - Lambda_bound >= 0 in the normal rows;
  /// an empty gamma_bound = it claims none, an empty Lambda_bound = 0.
  Vector gamma_bound, Lambda_bound;  // (m)

  /// Energy lost in each contact; empty = the mean of the velocities before and after times the impulse.
  Vector dissipated_normal, dissipated_friction;  // (m)

  double dissipated_generalized = 0;  // by `generalized`, of a law that tells what its contacts lose

  double accuracy = 0;  // requested relative accuracy of a law that integrates; 0 = exact but for rounding
  std::optional<double> duration;
  std::optional<Vector> peak_force;
  std::optional<long> events;
  std::optional<ContactHistory> history;
  std::string mode;                 // what the law calls this kind of impact; empty = it has no names
  std::optional<TwoPhases> phases;  // of laws that split an impact of one contact
  std::optional<PhaseWorks> works;  // of laws that split one at all
  Vector e_used;                    // (m) by a law that does not take the e of the problem; else empty
  std::optional<AskedRestitution> restitution;
  std::optional<Losses> losses;
  std::vector<std::string> remarks;
  Cost cost;
};

/// A law is a plain value with
/// - `name`, its name everywhere; `summary`, `source`, `limits`: one line each on what it says, where it is from, where
/// it fails
/// - `reads`, the fields of Contact that it looks at
/// - `fields(self, visit)`, which calls visit(key, member, meaning) once for each parameter
/// - `impulses(problem)`, the law itself; a law that follows the impact in time has `impulses(problem, path)` too,
/// which records it
template <class L>
concept Law = requires(const L law, const ContactProblem& problem) {
  { L::name } -> std::convertible_to<std::string_view>;
  { L::summary } -> std::convertible_to<std::string_view>;
  { L::source } -> std::convertible_to<std::string_view>;
  { L::limits } -> std::convertible_to<std::string_view>;
  {std::span<const std::string_view>(L::reads)};
  L::fields(law, [](std::string_view, const auto&, std::string_view) {});
  { law.impulses(problem) } -> std::same_as<Impulses>;
};

/// A law that can tell what happens inside the impact.
template <class L>
concept LawWithPath = Law<L> && requires(const L law, const ContactProblem& problem, Path* path) {
  { law.impulses(problem, path) } -> std::same_as<Impulses>;
};

template <Law L>
constexpr bool reads(std::string_view contact_field) {
  for (const std::string_view field : L::reads)
    if (field == contact_field) return true;
  return false;
}

/// The same of a law with its parameters: `ignores(field)` of a law says what it then leaves alone.
template <Law L>
bool reads_with(const L& law, std::string_view contact_field) {
  if constexpr (requires { law.ignores(contact_field); })
    if (law.ignores(contact_field)) return false;
  return reads<L>(contact_field);
}

/// Where each contact of a problem, and each tangent, stands in the lists that a law's matrices were written for. A law
/// with such matrices has `renumbered(order)`, the same law in the numbering of the problem.
struct ContactOrder {
  std::vector<Index> contacts;  // (m)
  std::vector<Index> tangents;  // (tangents of all contacts)
};

/// Whether some contact has tangents and mu > 0.
bool has_friction(const ContactProblem& problem);

/// Checks that laws share; each throws InputError naming the contact.
void require_restitution_in_unit_interval(const ContactProblem& problem, std::string_view law);
void require_no_friction(const ContactProblem& problem, std::string_view law);
void require_tolerance(double tolerance, std::string_view law);
void require_square(const Matrix& matrix, Index size, std::string_view place);

/// The contacts with more than `least` of the largest share, for a message: the first few of them, and how many.
struct NamedContacts {
  std::string names;
  std::size_t count = 0;
};
NamedContacts named(const ContactProblem& problem, const Vector& share, double least = 0);

/// Whether who waits for the answer has asked for an end, and what a law says that is not at its own.
bool is_cancelled(const ContactProblem& problem);
std::string not_at_its_end(const ContactProblem& problem, std::string_view law, long steps);

/// The answer of a law whose complementarity problem has no solution: names the contacts that contradict each other,
/// those where `ray` is not zero.
Impulses contradiction(const ContactProblem& problem, const Vector& ray, std::string_view law);

/// The rows of the normals alone: what frictionless laws work on. Without tangents they are the problem's own, which
/// must outlive this.
class NormalProblem {
  struct Rows {
    SparseMatrix G;
    Vector gamma_minus, gamma_free, gamma_terms;
  };
  static std::optional<Rows> without_tangents(const ContactProblem& problem);  // nothing where there are none

  const ContactProblem& problem_;
  const std::optional<Rows> own_;

 public:
  explicit NormalProblem(const ContactProblem& problem);
  NormalProblem(const NormalProblem&) = delete;  // its members may refer to its own rows
  NormalProblem& operator=(const NormalProblem&) = delete;

  const SparseMatrix& G() const { return own_ ? own_->G : problem_.G; }
  const Vector &gamma_minus, &gamma_free, &gamma_terms;  // (m)
  Vector to_rows(Vector normal) const;                   // zeros in the tangents' rows
};

}  // namespace carom
