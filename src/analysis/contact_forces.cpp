#include "carom/analysis/contact_forces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/base/random.h"
#include "carom/numerics/cone_problem.h"

namespace carom::analysis {
namespace {

constexpr double kAtRest = 1e-9;      // of a contact's velocity, relative to the terms it is summed from: zero
constexpr double kSameMotion = 1e-6;  // relative difference of accelerations that an iteration may leave
constexpr double kMoves = 1e-8;       // of a contact's acceleration, relative to the largest: not zero
constexpr int kStarts = 12;           // of the iteration
constexpr Index kFewRows = 300;       // more are solved from one start

void require_vector(const Vector& values, Index size, const char* place, const char* rule) {
  if (values.size() != size)
    throw InputError(place, fmt::format("has {} entries; {}, {} numbers", values.size(), rule, size));
  for (Index i = 0; i < size; ++i)
    if (!std::isfinite(values[i])) throw InputError(fmt::format("{}[{}]", place, i), "is not finite");
}

double largest_of(const Vector& values) {
  return values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0;
}

/// The contacts that take part, and their problem.
class Setting {
 public:
  Setting(const ImpactProblem& given, const Vector& h, const Vector& bias)
      : given_(given),
        reduced_(reduce(given)),
        bias_(bias.size() > 0 ? bias : Vector::Zero(given.W.cols())),
        scale_(unit_scale(reduced_.G.diagonal())),
        free_(reduced_.joints.project(given.M.solve(h))) {
    for (std::size_t i = 0; i < given.contacts.size(); ++i)
      if (is_closed(i)) add(i);
    select();
  }

  const ForceProblem& problem() const { return problem_; }

  ForceSolution solution(const LastingForces& forces) const {
    ForceSolution result;
    result.lambda = Vector::Zero(given_.W.cols());
    result.lambda(rows_) = forces.lambda;
    result.acceleration = free_ + reduced_.joints.project(given_.M.solve(Vector(given_.W * result.lambda)));
    result.contact_acceleration = given_.W.transpose() * result.acceleration + bias_;
    result.modes.assign(given_.contacts.size(), ContactMode::open);
    const Vector a = scale_.cwiseProduct(result.contact_acceleration);
    const double rounding = kMoves * std::max(largest_of(a), largest_terms());
    for (std::size_t k = 0; k < closed_.size(); ++k) result.modes[closed_[k]] = mode(k, a, rounding);
    result.unique_forces = forces.unique;
    return result;
  }

  /// What the contact forces change of the motion, a square.
  double effort(const ForceSolution& solution) const { return given_.M.kinetic_energy(solution.acceleration - free_); }

  bool same_motion(const ForceSolution& a, const ForceSolution& b) const {
    const double size = std::max({given_.M.kinetic_energy(free_), effort(a), effort(b)});
    return given_.M.kinetic_energy(a.acceleration - b.acceleration) <= kSameMotion * kSameMotion * size;
  }

 private:
  /// Velocities of a contact in kinetic units, comparable in all its directions, and the size of their terms.
  double speed(Index row) const { return scale_[row] * reduced_.gamma_minus[row]; }
  double terms(std::size_t i) const {
    const Index row = reduced_.row[i], count = 1 + given_.contacts[i].tangents;
    return scale_.segment(row, count).cwiseProduct(reduced_.gamma_terms.segment(row, count)).maxCoeff();
  }

  bool is_closed(std::size_t i) const {
    const Index row = reduced_.row[i];
    const double normal = speed(row), rounding = kAtRest * terms(i);
    if (normal < -rounding)
      throw InputError(fmt::format("contacts[{}]", i),
                       fmt::format("is {}, which closes with {:.6g} m/s; contacts that last do not approach: solve the "
                                   "impact first",
                                   given_.contacts[i].name, reduced_.gamma_minus[row]));
    return normal <= rounding;
  }

  void add(std::size_t i) {
    const Contact& contact = given_.contacts[i];
    const Index row = reduced_.row[i];
    if (scale_[row] == 0 && bias_[row] != 0)
      throw InputError(
          fmt::format("contacts[{}].bias", i),
          fmt::format("{} is given at a contact that the joints hold fast; it cannot accelerate", bias_[row]));
    if (contact.has_ellipse())
      throw InputError(fmt::format("contacts[{}].mu", i),
                       fmt::format("[{}, {}] depends on the direction; forces of lasting contact have one coefficient",
                                   contact.mu, *contact.mu_2));
    numerics::FrictionCone cone{static_cast<Index>(rows_.size()), contact.tangents, contact.mu};
    for (int k = 0; k <= contact.tangents; ++k) rows_.push_back(row + k);
    const Vector slip = reduced_.gamma_minus.segment(row + 1, contact.tangents);
    const Vector kinetic = scale_.segment(row + 1, contact.tangents).cwiseProduct(slip);
    if (contact.mu > 0 && kinetic.norm() > kAtRest * terms(i))
      for (int k = 0; k < contact.tangents; ++k) cone.slide[k] = slip[k] / slip.norm();
    problem_.cones.push_back(cone);
    closed_.push_back(i);
  }

  /// The rows of the closed contacts: G, b and its terms.
  void select() {
    const Index count = static_cast<Index>(rows_.size());
    SparseMatrix pick(given_.W.cols(), count);
    for (Index k = 0; k < count; ++k) pick.insert(rows_[k], k) = 1;
    problem_.G = SparseMatrix(pick.transpose()) * reduced_.G * pick;
    const Vector size = SparseMatrix(given_.W.cwiseAbs()).transpose() * free_.cwiseAbs();
    problem_.b = Vector(given_.W.transpose() * free_ + bias_)(rows_);
    problem_.terms = Vector(size + bias_.cwiseAbs())(rows_);
  }

  /// What a closed contact does, read from the accelerations alone (in kinetic units).
  ContactMode mode(std::size_t k, const Vector& a, double rounding) const {
    const numerics::FrictionCone& cone = problem_.cones[k];
    const Index row = reduced_.row[closed_[k]];
    if (a[row] > rounding) return ContactMode::open;
    if (cone.tangents == 0 || cone.mu == 0) return ContactMode::closed;
    const bool slips = cone.slides() || a.segment(row + 1, cone.tangents).norm() > rounding;
    return slips ? ContactMode::slip : ContactMode::stick;
  }

  double largest_terms() const { return largest_of(Vector(scale_(rows_)).cwiseProduct(problem_.terms)); }

  const ImpactProblem& given_;
  const ContactProblem reduced_;
  const Vector bias_;   // (rows)
  const Vector scale_;  // (rows) 1/sqrt(G_ii)
  const Vector free_;   // (n) acceleration without contacts
  std::vector<std::size_t> closed_;
  std::vector<Index> rows_;
  ForceProblem problem_;
};

/// Where the iteration starts: nothing, then forces spread over the cones.
Vector start(const ForceProblem& problem, int trial, Random& random) {
  if (trial == 0) return {};
  Vector guess = Vector::Zero(problem.b.size());
  const Vector scale = unit_scale(problem.G.diagonal());
  const double size = largest_of(scale.cwiseProduct(problem.terms));
  for (const numerics::FrictionCone& cone : problem.cones) {
    const double normal = guess[cone.row] = 4 * random.uniform() * size * scale[cone.row];
    for (int t = 0; t < cone.tangents; ++t)
      guess[cone.row + 1 + t] = (2 * random.uniform() - 1) * cone.mu * normal / cone.tangents;
  }
  return guess;
}

void search(const Setting& setting, ContactForces& result) {
  const ForceProblem& problem = setting.problem();
  Random random(1);
  const int starts = problem.b.size() <= kFewRows ? kStarts : 1;
  for (int trial = 0; trial < starts; ++trial) {
    const numerics::ConeSolution cone = numerics::solve_cone_problem(
        problem.G, problem.b, problem.cones, {.terms = problem.terms, .guess = start(problem, trial, random)});
    if (!cone.solved) continue;
    ForceSolution found = setting.solution({cone.x, cone.unique, true});
    const bool known = std::any_of(result.solutions.begin(), result.solutions.end(),
                                   [&](const ForceSolution& other) { return setting.same_motion(found, other); });
    if (!known) result.solutions.push_back(std::move(found));
  }
}

bool slides_with_friction(const ForceProblem& problem) {
  return std::any_of(problem.cones.begin(), problem.cones.end(),
                     [](const numerics::FrictionCone& cone) { return cone.slides(); });
}

std::string without_solution(const Setting& setting, bool enumerated) {
  if (!enumerated)
    return fmt::format("no forces were found from {} starts; with this many or spatial contacts that proves nothing",
                       setting.problem().b.size() <= kFewRows ? kStarts : 1);
  if (!slides_with_friction(setting.problem()))
    return "the closed contacts contradict each other: no forces keep them from penetrating";
  return "Painleve's paradox: no finite contact forces keep the sliding contacts from penetrating; the velocity must "
         "jump, an impact without collision";
}

std::string with_solutions(const ContactForces& result) {
  if (!result.isolated)
    return "not unique: a whole family of forces and accelerations is possible (contacts wedged against each other, or "
           "Painleve's paradox at its limit)";
  if (!result.unique())
    return fmt::format("Painleve's paradox: {} solutions{}, and rigid bodies alone do not decide between them",
                       result.solutions.size(), result.enumerated ? "" : " were found");
  if (!result.solutions.front().unique_forces)
    return "the contacts are redundant: the acceleration is unique, the forces are not; those of least norm are shown";
  return "";
}

}  // namespace

ContactForces contact_forces(const ImpactProblem& problem, const Vector& h, const Vector& bias) {
  require_vector(h, problem.M.size(), "h", "generalized forces are as long as u");
  if (bias.size() > 0) require_vector(bias, problem.W.cols(), "bias", "one a direction of the contacts");
  const Setting setting(problem, h, bias);
  ContactForces result;
  result.enumerated = enumerable(setting.problem());
  if (result.enumerated) {
    for (const LastingForces& forces : solve_by_modes(setting.problem())) {
      result.solutions.push_back(setting.solution(forces));
      result.isolated = result.isolated && forces.isolated;
    }
  } else {
    search(setting, result);
  }
  std::stable_sort(
      result.solutions.begin(), result.solutions.end(),
      [&](const ForceSolution& a, const ForceSolution& b) { return setting.effort(a) < setting.effort(b); });
  if (result.solutions.empty()) {
    result.status = result.enumerated ? Status::no_solution : Status::iteration_limit;
    result.message = without_solution(setting, result.enumerated);
  } else {
    result.status = Status::solved;
    result.message = with_solutions(result);
  }
  return result;
}

}  // namespace carom::analysis
