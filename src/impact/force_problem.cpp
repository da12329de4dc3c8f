#include "carom/impact/force_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "carom/numerics/cone_problem.h"
#include "carom/numerics/decompositions.h"
#include "carom/numerics/friction_modes.h"
#include "carom/numerics/least_norm.h"
#include "carom/numerics/linear_program.h"
#include "carom/numerics/qp.h"

namespace carom {
namespace {

constexpr double kRoundingOfForces = 1e-10;  // of forces and accelerations, relative to the largest: these are zero
constexpr double kSingular =
    1e-11;                        // of a pivot, relative to the largest response to a force: the modes leave a choice
constexpr double kNoise = 1e-13;  // of responses and accelerations, relative to the terms they are summed from: zero
constexpr double kSame = 1e-7;    // relative difference of accelerations that are one solution
constexpr double kGoodEnough = 1e-7;  // residual of an iteration from which it is read who opens, sticks and slips

constexpr double kMostWork = 4e6;  // of the search for forces that no iteration finds: some 0.1 s

double largest(const Vector& values) {
  return values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0;
}

template <class Values>
Values without_noise(const Values& values, double size) {
  return (values.array().abs() > kNoise * size).select(values, 0.0);
}

/// A row that must not be negative in this mode: sign * a[row] >= 0.
struct Bound {
  Index row = 0;
  double sign = 1;
};

/// One contact in one mode: its forces are nonnegative sums of rays.
struct Mode {
  std::vector<Vector> rays;   // (1 + tangents) of unit length, in scaled unknowns
  std::vector<Index> closed;  // rows whose acceleration is zero, as many as rays
  std::vector<Bound> bounds;
};

/// The problem in unknowns x of unit diagonal, lambda = scale * size * x, with terms of b of size 1.
struct Scaled {
  Matrix G;
  Vector b;
  Vector scale;
  double size = 1;

  explicit Scaled(const ForceProblem& problem) : scale(unit_scale(problem.G.diagonal())) {
    if (const double terms = largest(scale.cwiseProduct(problem.terms)); terms > 0) size = terms;
    G = scale.asDiagonal() * Matrix(problem.G) * scale.asDiagonal();
    b = without_noise(Vector(scale.cwiseProduct(problem.b) / size), 1);
  }
};

/// The force lambda = (1, tangential) in scaled unknowns, of unit length.
Vector ray(const Scaled& scaled, Index row, const Vector& tangential) {
  Vector result(1 + tangential.size());
  result[0] = 1;
  for (Index t = 0; t < tangential.size(); ++t) {
    const double along = scaled.scale[row + 1 + t];
    result[1 + t] = along > 0 ? tangential[t] * scaled.scale[row] / along : 0;
  }
  return result.normalized();
}

bool has_friction(const Scaled& scaled, const numerics::FrictionCone& cone) {
  return cone.mu > 0 && cone.tangents > 0 && scaled.scale.segment(cone.row + 1, cone.tangents).maxCoeff() > 0;
}

/// The modes of a contact, in the order of how much they hold: the first that fits an acceleration has all its forces.
std::vector<Mode> modes_of(const Scaled& scaled, const numerics::FrictionCone& cone) {
  const Index N = cone.row;
  const Mode open{{}, {}, {{N, 1}}};
  const auto force = [&](const Vector& tangential) { return ray(scaled, N, tangential); };
  if (!has_friction(scaled, cone)) return {Mode{{force(Vector::Zero(cone.tangents))}, {N}, {}}, open};
  if (cone.slides()) {
    const Vector against = -cone.mu * Eigen::Map<const Vector>(cone.slide.data(), cone.tangents);
    return {Mode{{force(against)}, {N}, {}}, open};
  }
  const Vector up = force(Vector::Constant(1, cone.mu)), down = force(Vector::Constant(1, -cone.mu));
  return {Mode{{up, down}, {N, N + 1}, {}}, Mode{{down}, {N}, {{N + 1, 1}}}, Mode{{up}, {N}, {{N + 1, -1}}}, open};
}

/// All contacts in a mode each.
struct Combination {
  Matrix rays;                // (rows x k)
  std::vector<Index> closed;  // (k)
  std::vector<Bound> bounds;

  Combination(const ForceProblem& problem, const std::vector<const Mode*>& modes) {
    Index count = 0;
    for (const Mode* mode : modes) count += static_cast<Index>(mode->rays.size());
    rays = Matrix::Zero(problem.b.size(), count);
    Index column = 0;
    for (std::size_t i = 0; i < modes.size(); ++i) {
      for (const Vector& one : modes[i]->rays) rays.col(column++).segment(problem.cones[i].row, one.size()) = one;
      closed.insert(closed.end(), modes[i]->closed.begin(), modes[i]->closed.end());
      bounds.insert(bounds.end(), modes[i]->bounds.begin(), modes[i]->bounds.end());
    }
  }
};

/// A solution in scaled unknowns.
struct Found {
  Vector x, a;
  bool unique = true, isolated = true;
};

bool respects(const std::vector<Bound>& bounds, const Vector& a, double tolerance) {
  return std::all_of(bounds.begin(), bounds.end(),
                     [&](const Bound& bound) { return bound.sign * a[bound.row] >= -tolerance; });
}

class Enumeration {
 public:
  explicit Enumeration(const ForceProblem& problem) : problem_(problem), scaled_(problem) {
    for (const numerics::FrictionCone& cone : problem.cones) modes_.push_back(modes_of(scaled_, cone));
  }

  std::vector<LastingForces> solve() {
    std::vector<std::size_t> choice(modes_.size(), 0);
    do {
      std::vector<const Mode*> chosen;
      for (std::size_t i = 0; i < modes_.size(); ++i) chosen.push_back(&modes_[i][choice[i]]);
      try_combination(Combination(problem_, chosen));
    } while (next(choice));
    std::vector<LastingForces> result;
    for (const Found& found : found_)
      result.push_back({scaled_.size * scaled_.scale.cwiseProduct(found.x), found.unique, found.isolated});
    return result;
  }

 private:
  bool next(std::vector<std::size_t>& choice) const {
    for (std::size_t i = choice.size(); i-- > 0;) {
      if (++choice[i] < modes_[i].size()) return true;
      choice[i] = 0;
    }
    return false;
  }

  /// The solution found before that has these accelerations, if any.
  Found* known(const Vector& a, double size) {
    const auto same = std::find_if(found_.begin(), found_.end(),
                                   [&](const Found& other) { return largest(a - other.a) <= kSame * size; });
    return same == found_.end() ? nullptr : &*same;
  }

  void try_combination(const Combination& combination) {
    const Matrix response = without_noise(Matrix(scaled_.G * combination.rays), 1);  // of the accelerations to v
    const Matrix K = response(combination.closed, Eigen::all);
    const Vector c = -scaled_.b(combination.closed);
    if (K.size() == 0) {
      accept(combination, Vector(0), response);
      return;
    }
    numerics::FullLu lu(K);
    lu.set_threshold(kSingular * largest(response.reshaped()) /
                     std::max(lu.largest_pivot(), std::numeric_limits<double>::min()));
    const Vector v = lu.solve(c);
    if (largest(K * v - c) > kRoundingOfForces * (1 + largest(v))) return;  // these modes contradict each other
    if (lu.is_invertible())
      accept(combination, v, response);
    else
      choose(combination, v, response, lu.kernel());
  }

  /// The modes determine the forces.
  void accept(const Combination& combination, const Vector& v, const Matrix& response) {
    const Vector a = response * v + scaled_.b;
    const double size = 1 + largest(v);
    if (v.size() > 0 && v.minCoeff() < -kRoundingOfForces * size) return;
    if (!respects(combination.bounds, a, kRoundingOfForces * size) || known(a, size)) return;
    found_.push_back({combination.rays * v.cwiseMax(0), a});
  }

  /// The modes leave a choice: v + kernel z, of which some may be >= 0.
  void choose(const Combination& combination, const Vector& v, const Matrix& response, const Matrix& kernel) {
    const double size = 1 + largest(v);
    const bool moves = largest((response * kernel).reshaped()) > kRoundingOfForces * largest(kernel.reshaped());
    if (!moves) {
      const Vector a = response * v + scaled_.b;
      if (!respects(combination.bounds, a, kRoundingOfForces * size) || known(a, size)) return;
    }
    const Polyhedron set = forces_of(combination, response);
    const std::optional<Vector> least = least_forces(set, combination);
    if (!least) return;
    const Vector a = response * *least + scaled_.b;
    const bool isolated = !moves || has_one_acceleration(set, response);
    if (Found* other = known(a, 1 + largest(*least)))
      other->isolated = other->isolated && isolated;
    else
      found_.push_back({combination.rays * *least, a, least_is_unique(set, *least, a, combination), isolated});
  }

  /// All forces of a combination: A z = rhs, z >= 0, z the weights v of the rays and the accelerations that are
  /// bounded.
  struct Polyhedron {
    Matrix A;
    Vector rhs;
    Index rays = 0;
  };

  Polyhedron forces_of(const Combination& combination, const Matrix& response) const {
    const Index k = response.cols(), slacks = static_cast<Index>(combination.bounds.size());
    const Index equations = static_cast<Index>(combination.closed.size());
    Polyhedron set{Matrix::Zero(equations + slacks, k + slacks), Vector(equations + slacks), k};
    set.A.topLeftCorner(equations, k) = response(combination.closed, Eigen::all);
    set.rhs.head(equations) = -scaled_.b(combination.closed);
    for (Index s = 0; s < slacks; ++s) {
      const Bound& bound = combination.bounds[s];
      set.A.row(equations + s).head(k) = bound.sign * response.row(bound.row);
      set.A(equations + s, k + s) = -1;
      set.rhs[equations + s] = -bound.sign * scaled_.b[bound.row];
    }
    return set;
  }

  /// v of least |rays v|, or nothing if there are no such forces.
  std::optional<Vector> least_forces(const Polyhedron& set, const Combination& combination) const {
    const Index size = set.A.cols(), k = set.rays;
    const Vector zero = Vector::Zero(size);
    const numerics::LinearProgramSolution some = numerics::solve_linear_program(zero, set.A, set.rhs);
    if (some.status != numerics::LinearProgramStatus::solved) return std::nullopt;
    Matrix H = Matrix::Zero(size, size);
    H.topLeftCorner(k, k) = combination.rays.transpose() * combination.rays;
    const numerics::QpSolution least = numerics::solve_qp(H, zero, set.A, set.rhs);
    const bool solved = least.status == numerics::LcpStatus::solved &&
                        largest(set.A * least.v - set.rhs) <= kRoundingOfForces * (1 + largest(least.v));
    return Vector((solved ? least.v : some.x).head(k).cwiseMax(0));
  }

  /// Whether no other forces of the set are as good: the bounded accelerations complete v.
  static bool least_is_unique(const Polyhedron& set, const Vector& v, const Vector& a, const Combination& combination) {
    Vector z(set.A.cols());
    z.head(set.rays) = v;
    for (std::size_t s = 0; s < combination.bounds.size(); ++s)
      z[set.rays + static_cast<Index>(s)] = std::max(0.0, combination.bounds[s].sign * a[combination.bounds[s].row]);
    return numerics::is_unique(set.A.transpose() * set.A, z);
  }

  /// Whether a sum of the accelerations with weights that nothing singles out is the same for all forces of the set.
  static bool has_one_acceleration(const Polyhedron& set, const Matrix& response) {
    Vector weights(response.rows());
    for (Index i = 0; i < weights.size(); ++i) weights[i] = std::cos(static_cast<double>(i + 1));
    Vector cost = Vector::Zero(set.A.cols());
    cost.head(set.rays) = response.transpose() * weights;
    const numerics::LinearProgramSolution least = numerics::solve_linear_program(cost, set.A, set.rhs);
    const numerics::LinearProgramSolution most = numerics::solve_linear_program(-cost, set.A, set.rhs);
    const bool bounded =
        least.status == numerics::LinearProgramStatus::solved && most.status == numerics::LinearProgramStatus::solved;
    return bounded && -most.value - least.value <= kSame * (1 + largest(least.x) + largest(most.x));
  }

  const ForceProblem& problem_;
  const Scaled scaled_;
  std::vector<std::vector<Mode>> modes_;
  std::vector<Found> found_;
};

}  // namespace

bool enumerable(const ForceProblem& problem) {
  double combinations = 1;
  for (const numerics::FrictionCone& cone : problem.cones) {
    const bool at_rest = cone.mu > 0 && !cone.slides();
    if (at_rest && cone.tangents == 2) return false;  // it may start to slip in any direction of a circle
    combinations *= at_rest && cone.tangents == 1 ? 4 : 2;
  }
  return combinations <= kMostCombinations;
}

std::vector<LastingForces> solve_by_modes(const ForceProblem& problem) {
  return Enumeration(problem).solve();
}

FoundForces find_forces(const ForceProblem& problem, const Vector& guess) {
  FoundForces result;
  const auto take = [&](FoundForces::Kind kind, const Vector& lambda, double residual) {
    result = {kind, lambda, problem.G * lambda + problem.b, residual};
    return result;
  };
  numerics::ConeSolution cone =
      numerics::solve_cone_problem(problem.G, problem.b, problem.cones, {.terms = problem.terms, .guess = guess});
  if (!(cone.residual <= kGoodEnough) && guess.size() > 0) {
    numerics::ConeSolution other =
        numerics::solve_cone_problem(problem.G, problem.b, problem.cones, {.terms = problem.terms});
    if (other.residual < cone.residual || !std::isfinite(cone.residual)) cone = std::move(other);
  }
  if (cone.residual <= kGoodEnough) return take(FoundForces::Kind::found, cone.x, cone.residual);
  if (!numerics::has_few_modes(problem.cones)) return take(FoundForces::Kind::unknown, cone.x, cone.residual);
  const numerics::FrictionModes all =
      numerics::friction_modes({problem.G, problem.b, problem.terms, problem.cones, problem.b, {}}, kMostWork);
  if (all.sets.empty())
    return take(all.complete ? FoundForces::Kind::none : FoundForces::Kind::unknown, cone.x, cone.residual);
  const auto least =
      std::min_element(all.sets.begin(), all.sets.end(),
                       [](const numerics::ModeSet& a, const numerics::ModeSet& b) { return a.x.norm() < b.x.norm(); });
  return take(FoundForces::Kind::found, least->x, 0);
}

}  // namespace carom
