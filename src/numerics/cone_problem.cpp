#include "carom/numerics/cone_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "carom/numerics/cone_equations.h"
#include "carom/numerics/cone_path.h"

namespace carom::numerics {
namespace {

/// Impulses and what they lead to.
struct Point {
  Vector x, w, F;
  double residual = 0;
  bool singular = false;  // derivative
  ConeMethod method = ConeMethod::start;
};

constexpr double kRough = 1e-4;      // accuracy from which digits are had only where they come at once
constexpr Index kCheapDigits = 300;  // up to so many rows Newton's method finds all digits, whatever is asked for

/// How far to go: residuals, relative to the terms of w. An answer to `asked` is one; from `accepted` on no other
/// method is tried; `wanted` is where the methods stop by themselves.
struct Goal {
  static constexpr double kAccuracy = 1e-13;  // wanted
  static constexpr double kSparse = 1e-11;    // where the equations are sparse
  static constexpr double kAccepted = 1e-10;  // what may be left of them
  static constexpr double kOfFew = 1e-6;      // where digits are cheap, however little is asked for

  double asked = kAccepted, accepted = kAccepted, wanted = kAccuracy;

  Goal(const ConeEquations& equations, double accuracy)
      : asked(std::max(accuracy, kAccepted)), wanted(equations.is_dense() ? kAccuracy : kSparse) {
    accepted = equations.size() <= kCheapDigits ? std::min(asked, kOfFew) : asked;
    if (equations.size() > kCheapDigits) wanted = std::max(wanted, accuracy);
  }
};

class Solver {
 public:
  Solver(ConeEquations& equations, const Goal& goal, const ConeEffort& effort, Watch* watch)
      : equations_(equations), goal_(goal), effort_(effort), watch_(watch) {}

  static constexpr double kPoor = 0.25;  // of the squares of F: a step of Newton's method that leaves more
  static constexpr int kChunk = 16;      // gradient steps between two looks at how fast they are

  int linear_solves = 0, gradient_steps = 0;

  Point at(Vector x) const {
    Point point{std::move(x), Vector(equations_.size()), Vector(equations_.size())};
    look(point);
    return point;
  }

  bool is_accurate(const Point& point) const { return point.residual <= goal_.wanted; }
  bool is_cancelled() const { return watch_ != nullptr && watch_->is_cancelled(); }

  /// Newton's method from `best`, which becomes the best point on the way.
  void newton(Point& best) {
    Point now = best, next = best;
    next.method = ConeMethod::newton;
    double merit = now.F.squaredNorm();
    int poor = 0;
    for (int step = 0; step < kNewtonSteps && !is_accurate(best) && linear_solves < effort_.linear_solves; ++step) {
      if (!goes_on()) return;
      ++linear_solves;
      const std::optional<Vector> change = equations_.newton_step(now.x, now.w, now.F, best.singular);
      if (!change) return;
      double length = 1, after = 0;
      for (int halving = 0;; ++halving, length *= 0.5) {
        next.x = now.x + length * *change;
        look(next);
        after = next.F.squaredNorm();
        if (after <= (1 - 2 * kSufficient * length) * merit || halving == kHalvings) break;
      }
      next.singular = best.singular;
      if (next.residual < best.residual) best = next;
      if (!(after < kPoor * merit) && (best.residual <= goal_.accepted || ++poor > kPoorSteps)) return;
      std::swap(now, next);
      next.method = ConeMethod::newton;
      merit = after;
    }
  }

  /// Accelerated projected gradients [Nesterov] on the convex program that has w_N + mu |w_T| in place of w_N [de
  /// Saxce, Feng 1998], with |w_T| looked at again from time to time: the more seldom, the surer, the slower. At least
  /// so many steps; then until Newton's method would be sooner there.
  void descend(Point& point, int least) {
    if (curvature_ == 0) estimate_curvature();
    const Vector& q = equations_.q();
    Point next = point;
    Vector x = point.x, Ax = point.w - q, ahead = x, A_ahead = Ax, A_next(q.size());
    std::vector<double> slip(equations_.cones().size()), lowest{point.residual};  // the latter after each chunk
    double momentum = 1, low = point.residual;
    int pace = 1, since = 0;
    for (int step = 1; step <= effort_.gradient_steps && goes_on(); ++step) {
      ++gradient_steps;
      next.w = A_ahead + q;
      if (since++ % pace == 0) note_slip(next.w, slip);
      for (std::size_t c = 0; c < slip.size(); ++c) next.w[equations_.cones()[c].row] += slip[c];
      next.x = ahead - next.w / curvature_;
      equations_.project(next.x);
      equations_.multiply(next.x, A_next);
      const double moved = (next.x - ahead).squaredNorm(), bent = (next.x - ahead).dot(A_next - A_ahead);
      if (bent > curvature_ * moved) {
        curvature_ = kBentMargin * bent / moved;
        momentum = 1;
        ahead = x;
        A_ahead = Ax;
        continue;
      }
      next.w = A_next + q;
      equations_.residual(next.x, next.w, next.F);
      next.residual = next.F.cwiseAbs().maxCoeff() / equations_.weight();
      if (!std::isfinite(next.residual)) return;
      if ((ahead - next.x).dot(next.x - x) > 0) momentum = 1;
      const double more = 0.5 * (1 + std::sqrt(1 + 4 * momentum * momentum)), push = (momentum - 1) / more;
      ahead = next.x + push * (next.x - x);
      A_ahead = A_next + push * (A_next - Ax);
      momentum = more;
      x = next.x;
      Ax = A_next;
      if (is_accurate(next)) break;
      low = std::min(low, next.residual);
      if (step % kChunk != 0) continue;
      if (!(low < lowest.back())) {
        pace = std::min(2 * pace, kSlowestPace);
        since = 0;
        momentum = 1;
        ahead = x;
        A_ahead = Ax;
      }
      lowest.push_back(low);
      if (step >= least && is_expensive(step, lowest, x)) break;
    }
    next.singular = point.singular;
    next.method = ConeMethod::gradients;
    look(next);
    point = next;
  }

 private:
  // Newton's method
  static constexpr int kNewtonSteps = 40;      // in a row
  static constexpr int kPoorSteps = 4;         // of them, after which gradients lead on
  static constexpr int kHalvings = 6;          // of a step
  static constexpr double kSufficient = 1e-4;  // part of the promised decrease that a step must bring
  // gradients
  static constexpr int kSlowestPace = 16;       // steps between two looks at how the contacts slip
  static constexpr double kNewtonSooner = 2;    // steps of Newton's method that they may cost
  static constexpr int kPowerSteps = 3;         // that estimate the largest eigenvalue of A
  static constexpr double kPowerMargin = 1.05;  // times the estimate
  static constexpr double kBentMargin = 1.1;    // times what a step shows where that was too small

  bool goes_on() const {
    return carom::goes_on(watch_,
                          std::max(static_cast<double>(linear_solves) / effort_.linear_solves,
                                   static_cast<double>(gradient_steps) / effort_.rounds / effort_.gradient_steps));
  }

  void look(Point& point) const {
    equations_.multiply(point.x, point.w);
    point.w += equations_.q();
    equations_.residual(point.x, point.w, point.F);
    point.residual = equations_.residual(point.F, point.x);
  }

  /// A lower bound of the largest eigenvalue, raised when a step shows that it is larger.
  void estimate_curvature() {
    Vector v = equations_.q(), Av(v.size());
    curvature_ = 1;
    for (int step = 0; step < kPowerSteps && v.squaredNorm() > 0; ++step) {
      v.normalize();
      equations_.multiply(v, Av);
      curvature_ = std::max(curvature_, kPowerMargin * Av.norm());
      std::swap(v, Av);
    }
  }

  void note_slip(const Vector& w, std::vector<double>& slip) const {
    for (std::size_t c = 0; c < slip.size(); ++c) {
      const FrictionCone& cone = equations_.cones()[c];
      slip[c] = cone.slides() ? 0 : cone.mu * w.segment(cone.row + 1, cone.tangents).norm();
    }
  }

  /// Whether Newton's method is cheaper than the gradients to come, at the pace of the latter half of them; never
  /// before they have cost as much as one step of it.
  bool is_expensive(int steps, const std::vector<double>& lowest, const Vector& x) {
    const double spent = steps * equations_.gradient_cost();
    const std::size_t half = (lowest.size() - 1) / 2;
    const double gained = std::log(lowest[half] / lowest.back()), missing = std::log(lowest.back() / goal_.wanted);
    const double share = static_cast<double>(lowest.size() - 1 - half) / static_cast<double>(lowest.size() - 1);
    const double to_come = gained > 0 ? spent * share * missing / gained : std::numeric_limits<double>::infinity();
    return equations_.newton_costs_less_than(std::min(spent, to_come / kNewtonSooner), x);
  }

  ConeEquations& equations_;
  const Goal& goal_;
  const ConeEffort& effort_;
  Watch* watch_;
  double curvature_ = 0;
};

/// The surest way; `best` becomes the answer if that succeeds.
void trace_path(const ConeEquations& equations, Solver& solver, double accepted, Point& best) {
  constexpr double kNear = 1e-6;       // a residual from which gradients may help at the end of the path
  constexpr int kStepsNearEnd = 2048;  // of them
  const double weight = equations.weight();
  std::vector<FrictionCone> cones = equations.cones();
  for (FrictionCone& cone : cones) cone.least /= weight;
  trace_cone_path(equations.matrix(), equations.q() / weight, cones, [&](const Vector& x) {
    Point end = solver.at(weight * x);
    solver.newton(end);
    for (int steps = Solver::kChunk; end.residual > accepted && end.residual <= kNear && steps <= kStepsNearEnd;
         steps *= 2) {
      solver.descend(end, steps);
      solver.newton(end);
    }
    end.method = ConeMethod::path;
    if (end.residual < best.residual) best = end;
    return best.residual <= accepted;
  });
}

/// How one contact could carry instead: slipping either way, or not at all. False if it has no such way.
bool carry_otherwise(const FrictionCone& cone, int way, Vector& x) {
  auto tangential = x.segment(cone.row + 1, cone.tangents);
  const double most = cone.mu * x[cone.row], length = tangential.norm();
  if (way == 2) {
    x[cone.row] = cone.least;
    tangential.setZero();
    return true;
  }
  if (!(length > 0 && most > 0)) return false;
  tangential *= (way == 0 ? most : -most) / length;
  return true;
}

/// Where all methods end near a solution, contacts that hardly slip are often taken to stick, or the other way round:
/// Newton's method starts again with one of those that miss most, and its mirror images, carrying otherwise.
void try_otherwise(const ConeEquations& equations, Solver& solver, double accepted, Point& best) {
  constexpr double kNearEnough = 1e-2;       // residual from which that is tried
  constexpr int kOtherwise = 20;             // times that contacts are made to carry otherwise
  constexpr std::size_t kOtherContacts = 8;  // of those that miss most
  constexpr double kAlike = 0.999999;        // of a miss: mirror images change together
  constexpr double kBetter = 0.9;            // of the residual that must be left
  const std::vector<FrictionCone>& cones = equations.cones();
  const auto improve = [&] {
    std::vector<std::pair<double, std::size_t>> unrounded_residual;
    for (std::size_t c = 0; c < cones.size(); ++c)
      unrounded_residual.emplace_back(best.F.segment(cones[c].row, 1 + cones[c].tangents).cwiseAbs().maxCoeff(), c);
    std::sort(unrounded_residual.rbegin(), unrounded_residual.rend());
    for (std::size_t group = 0, tried = 0; group < unrounded_residual.size() && tried < kOtherContacts; ++tried) {
      std::size_t end = group;
      while (end < unrounded_residual.size() &&
             unrounded_residual[end].first > kAlike * unrounded_residual[group].first)
        ++end;
      for (int way = 0; way < 3; ++way) {
        Vector x = best.x;
        bool changed = false;
        for (std::size_t i = group; i < end; ++i)
          changed = carry_otherwise(cones[unrounded_residual[i].second], way, x) || changed;
        if (!changed) continue;
        Point other = solver.at(std::move(x));
        solver.newton(other);
        if (!(other.residual < kBetter * best.residual)) continue;
        best = std::move(other);
        best.method = ConeMethod::otherwise;
        return true;
      }
      group = end;
    }
    return false;
  };
  for (int round = 0; round < kOtherwise && best.residual > accepted && best.residual < kNearEnough; ++round)
    if (!improve()) return;
}

constexpr Index kFewRows = 150;         // up to so many are always factored, which shows whether x is unique
constexpr Index kIndependentRows = 12;  // of more, contacts are mostly redundant and solutions not isolated

Point solve(ConeEquations& equations, Solver& solver, const Goal& goal, const ConeEffort& effort, const Vector& guess) {
  const bool is_short = effort.linear_solves < ConeEffort().linear_solves;
  if (!(equations.weight() > 0)) return solver.at(equations.start());  // nothing moves
  Point best = solver.at(guess.size() > 0 ? equations.ordered(guess) : equations.start());
  if (solver.is_accurate(best)) return best;
  if (guess.size() > 0 && best.residual <= goal.accepted) {  // near enough; digits where they are cheap
    if (equations.size() <= kFewRows) solver.newton(best);
    return best;
  }
  if (guess.size() > 0 && equations.size() <= kIndependentRows) {  // of several solutions the one near the guess
    Point near = best;
    solver.newton(near);
    if (near.residual <= goal.accepted && !near.singular) return near;
  }
  Point point = best;
  int steps = Solver::kChunk;
  for (int round = 0; round < effort.rounds; ++round, steps *= 2) {
    solver.descend(point, steps);
    const double descended = point.residual;
    if (descended < best.residual) best = point;
    if (descended <= goal.accepted && is_short) return best;
    solver.newton(point);
    if (point.residual < best.residual) best = point;
    if (best.residual <= goal.accepted || solver.is_cancelled()) return best;
    if (is_short && !(point.residual < Solver::kPoor * descended)) {  // then gradients alone, as long as they may
      solver.descend(point, effort.gradient_steps);
      if (point.residual < best.residual) best = point;
      return best;
    }
  }
  const auto has_friction = [](const FrictionCone& cone) { return cone.tangents > 0 && cone.mu > 0; };
  if (equations.size() <= effort.rows_of_path &&
      std::any_of(equations.cones().begin(), equations.cones().end(), has_friction))
    trace_path(equations, solver, goal.accepted, best);  // without friction an LCP solver is a surer way
  try_otherwise(equations, solver, goal.accepted, best);
  return best;
}

}  // namespace

ConeEffort ConeEffort::of_a_step(Index rows, double accuracy) {
  ConeEffort effort{.rounds = 6, .gradient_steps = 3000, .rows_of_path = 100};
  if (rows > kCheapDigits) effort.linear_solves = 12;
  if (rows <= kCheapDigits && accuracy >= kRough)
    effort = {.rounds = 2, .gradient_steps = 300, .linear_solves = 40, .rows_of_path = 0};
  return effort;
}

ConeSolution solve_cone_problem(const SparseMatrix& A, const Vector& q, const std::vector<FrictionCone>& cones,
                                const ConeOptions& options) {
  ConeEquations equations(A, q, cones, options.terms);
  const bool is_step = options.accuracy > 0 && !options.effort;
  const Goal goal(equations, options.accuracy);
  ConeEffort effort =
      is_step ? ConeEffort::of_a_step(equations.size(), options.accuracy) : options.effort.value_or(ConeEffort());
  Solver solver(equations, goal, effort, options.watch);
  Point best = solve(equations, solver, goal, effort, options.guess);
  if (best.residual > goal.asked && is_step && equations.size() <= kCheapDigits) {  // there are few such steps
    effort = {};
    Point longer = solve(equations, solver, goal, effort, {});
    if (longer.residual < best.residual) best = std::move(longer);
  }
  if (solver.linear_solves == 0 && options.accuracy == 0 && equations.size() <= kFewRows)
    equations.newton_step(best.x, best.w, best.F, best.singular);
  ConeSolution solution;
  solution.residual = best.residual;
  solution.unrounded_residual = equations.weight() > 0 ? best.F.cwiseAbs().maxCoeff() / equations.weight() : 0;
  solution.solved = best.residual <= goal.asked;
  solution.unique = !best.singular;
  solution.method = best.method;
  solution.iterations = solver.linear_solves;
  solution.gradient_steps = solver.gradient_steps;
  solution.x = equations.original(best.x);
  for (const FrictionCone& cone : cones) {  // what is left of the equations must not pull or leave a cone
    solution.x[cone.row] = std::max(solution.x[cone.row], cone.least);
    auto tangential = solution.x.segment(cone.row + 1, cone.tangents);
    const double most = cone.mu * solution.x[cone.row], length = tangential.norm();
    if (length > most) tangential *= most / length;
  }
  solution.w = A * solution.x + q;
  return solution;
}

}  // namespace carom::numerics
