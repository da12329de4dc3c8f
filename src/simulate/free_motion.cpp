#include "carom/simulate/free_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "carom/impact/joints.h"
#include "carom/model/forces.h"
#include "carom/model/joint_rows.h"
#include "carom/numerics/decompositions.h"

namespace carom::simulate {
namespace {

constexpr int kFixedPoints = 40;      // iterations of v = projection of u- + theta h M^-1 f(v)
constexpr double kContraction = 0.5;  // of the change from one to the next: beyond it Newton's method takes over
constexpr int kNewtonIterations = 30;
constexpr double kConverged = 4e-16;  // change of v, relative, in the kinetic metric
constexpr double kStalled = 1e-13;    // so small, changes that do not shrink any more are rounding
constexpr double kNarrow = 1e-6;      // of the velocities: width of differences of forces that have a largest value
constexpr Index kMostUnknowns = 600;  // of one system of Newton's method, which is dense

bool depends_on_velocity(const Model& model) {
  const auto damps = [](const auto& spring) { return spring.c != 0; };
  const Description& description = model.description();
  if (std::any_of(description.joints.begin(), description.joints.end(),
                  [](const Joint& joint) { return joint.is_driven(); }))
    return true;
  return has_gyroscopic_torques(model) || !description.state_loads.empty() ||
         std::any_of(description.springs.begin(), description.springs.end(), damps) ||
         std::any_of(description.torsion_springs.begin(), description.torsion_springs.end(), damps);
}

/// Motors that reach their limit, and forces that are any function of the state.
bool has_bent_forces(const Model& model) {
  const std::vector<Joint>& joints = model.description().joints;
  return !model.description().state_loads.empty() || std::any_of(joints.begin(), joints.end(), [](const Joint& joint) {
    return joint.motor && std::isfinite(joint.motor->most);
  });
}

/// Free bodies whose forces or joints depend on each other's velocities, and their places in u.
struct Coupled {
  std::vector<int> bodies;
  std::vector<Index> rows;

  bool is_small() const { return static_cast<Index>(rows.size()) <= kMostUnknowns; }
};
std::vector<Coupled> coupled_bodies(const Model& model) {
  const int bodies = static_cast<int>(model.bodies().size());
  std::vector<int> parent(static_cast<std::size_t>(bodies));
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i];
    return i;
  };
  const auto join = [&](int a, int b) {
    if (a < 0 || b < 0 || model.first_velocity(a) < 0 || model.first_velocity(b) < 0) return;
    const int first = root(a), second = root(b);
    parent[std::max(first, second)] = std::min(first, second);
  };
  for (const Joint& joint : model.description().joints) join(joint.a.body, joint.b.body);
  for (const Spring& spring : model.description().springs) join(spring.a.body, spring.b.body);
  for (const TorsionSpring& spring : model.description().torsion_springs) join(spring.a, spring.b);
  for (const StateLoad& load : model.description().state_loads)
    for (const auto& components : {load.force, load.torque})
      for (const std::optional<StateFormula>& one : components)
        if (one)
          for (const int read : one->bodies()) join(load.at.body, read);
  const Index each = model.dimension() == Dimension::line ? 1 : model.dimension() == Dimension::plane ? 3 : 6;
  std::vector<Coupled> sets(static_cast<std::size_t>(bodies));
  for (int body = 0; body < bodies; ++body) {
    if (model.first_velocity(body) < 0) continue;
    Coupled& set = sets[root(body)];
    set.bodies.push_back(body);
    for (Index i = 0; i < each; ++i) set.rows.push_back(model.first_velocity(body) + i);
  }
  std::erase_if(sets, [](const Coupled& set) { return set.rows.empty(); });
  return sets;
}

class Middle {
 public:
  Middle(const Model& model, const State& middle, double theta, double h)
      : model_(model), middle_(middle), theta_(theta), h_(h), rows_(joint_rows(model, middle)) {
    if (rows_.J.cols() == 0) return;
    joints_ = Joints(model.M(), rows_.J);
    moved_ = Vector::Zero(model.velocities());
    if (rows_.drift.cwiseAbs().maxCoeff() == 0) return;
    moved_ = numerics::CompleteOrthogonal(Matrix(rows_.J).transpose()).solve(-rows_.drift);
    moved_ -= joints_.project(moved_);
  }

  FreeMotion solve() {
    Vector v = middle_.u;
    if (!fixed_points(v)) newton(v);
    FreeMotion result;
    result.u = middle_.u + (v - middle_.u) / theta_;
    if (rows_.J.cols() > 0) {
      result.joints_move = rows_.drift.cwiseAbs().maxCoeff() > 0;
      result.across = result.u - joints_.project(result.u);
      result.joint_impulse = model_.M() * Vector(result.u - middle_.u) - h_ * force(v);
    }
    result.evaluations = evaluations_;
    return result;
  }

 private:
  Vector force(const Vector& v) {
    ++evaluations_;
    return acting_forces(model_, {middle_.t, middle_.q, v}).h;
  }

  /// The nearest velocity, in the kinetic metric, that the joints allow.
  Vector allowed(const Vector& v) const { return joints_.empty() ? v : Vector(joints_.project(v) + moved_); }

  double size(const Vector& v) const { return std::sqrt(2 * model_.M().kinetic_energy(v)); }

  bool fixed_points(Vector& v) {
    const bool at_once = !depends_on_velocity(model_);
    double before = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kFixedPoints; ++i) {
      Vector next = allowed(middle_.u + theta_ * h_ * model_.M().solve(force(v)));
      const double change = size(next - v), all = size(next);
      v = std::move(next);
      if (at_once || change <= kConverged * all) return true;
      if (i > 0 && change > kContraction * before) return change <= kStalled * all;
      before = change;
    }
    return true;
  }

  /// M (v - u-) - theta h f(v) = J lambda, J'v + drift = 0, for each set of bodies that depend on each other. Forces
  /// are at most quadratic in v, so that central differences are exact, whatever their width, but for those of motors
  /// that reach their limit; those of all sets are taken together. Sets that are too large keep the forces of u-.
  void newton(Vector& v) {
    const std::vector<Coupled> sets = coupled_bodies(model_);
    v = allowed(middle_.u + theta_ * h_ * model_.M().solve(force(middle_.u)));
    for (const Coupled& set : sets)
      if (set.is_small()) v(set.rows) = middle_.u(set.rows);
    for (int i = 0; i < kNewtonIterations; ++i) {
      const Vector missing = model_.M() * Vector(v - middle_.u) - theta_ * h_ * force(v);
      const std::vector<Matrix> slopes = derivatives(v, sets);
      double change = 0;
      for (std::size_t k = 0; k < sets.size(); ++k) {
        if (!sets[k].is_small()) continue;
        const Vector step = newton_step(v, sets[k], slopes[k], missing);
        v(sets[k].rows) += step;
        change = std::max(change, step.cwiseAbs().maxCoeff());
      }
      if (!(change > kStalled * v.cwiseAbs().maxCoeff())) return;
    }
  }

  std::vector<Matrix> derivatives(const Vector& v, const std::vector<Coupled>& sets) {
    std::vector<Matrix> slopes;
    Index most = 0;
    for (const Coupled& set : sets) {
      const Index count = set.is_small() ? static_cast<Index>(set.rows.size()) : 0;
      slopes.emplace_back(count, count);
      most = std::max(most, count);
    }
    const double share = has_bent_forces(model_) ? kNarrow : 1;
    const double width = std::max(share * v.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min());
    for (Index j = 0; j < most; ++j) {
      Vector ahead = v, behind = v;
      for (std::size_t k = 0; k < sets.size(); ++k) {
        if (j >= slopes[k].cols()) continue;
        ahead[sets[k].rows[j]] += width;
        behind[sets[k].rows[j]] -= width;
      }
      const Vector slope = (force(ahead) - force(behind)) / (2 * width);
      for (std::size_t k = 0; k < sets.size(); ++k)
        if (j < slopes[k].cols()) slopes[k].col(j) = slope(sets[k].rows);
    }
    return slopes;
  }

  Vector newton_step(const Vector& v, const Coupled& set, const Matrix& slope, const Vector& missing) const {
    std::vector<Index> place(static_cast<std::size_t>(v.size()), -1), columns;
    for (std::size_t i = 0; i < set.rows.size(); ++i) place[set.rows[i]] = static_cast<Index>(i);
    for (Index j = 0; j < rows_.J.outerSize(); ++j)
      if (SparseMatrix::InnerIterator entry(rows_.J, j); entry && place[entry.row()] >= 0) columns.push_back(j);
    const Index n = slope.rows(), k = static_cast<Index>(columns.size());
    Matrix J = Matrix::Zero(n, k);
    for (Index j = 0; j < k; ++j)
      for (SparseMatrix::InnerIterator entry(rows_.J, columns[j]); entry; ++entry)
        J(place[entry.row()], j) = entry.value();
    Matrix system = Matrix::Zero(n + k, n + k);
    system.topLeftCorner(n, n) = model_.mass_matrix(set.bodies).to_dense() - theta_ * h_ * slope;
    system.topRightCorner(n, k) = -J;
    system.bottomLeftCorner(k, n) = J.transpose();
    Vector right(n + k);
    right << -missing(set.rows), -(J.transpose() * v(set.rows) + rows_.drift(columns));
    return numerics::CompleteOrthogonal(system).solve(right).head(n);
  }

  const Model& model_;
  const State& middle_;
  double theta_, h_;
  JointRows rows_;
  Joints joints_;
  Vector moved_;  // (velocities) how joints on bodies with prescribed motion move
  long evaluations_ = 0;
};

}  // namespace

bool has_gyroscopic_torques(const Model& model) {
  if (model.dimension() != Dimension::space) return false;
  return std::any_of(model.bodies().begin(), model.bodies().end(), [](const Body& body) {
    const Matrix3& inertia = body.inertia;
    return body.is_free() && inertia != Matrix3(inertia(0, 0) * Matrix3::Identity());
  });
}

FreeMotion free_motion(const Model& model, const State& middle, double theta, double h) {
  return Middle(model, middle, theta, h).solve();
}

}  // namespace carom::simulate
