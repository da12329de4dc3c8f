#include "numerics/friction_modes.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "numerics/polyhedron.h"
#include "numerics/qp.h"

namespace carom::numerics {
namespace {

constexpr double kSameModes = 1e-7;         // of two velocities or impulses, relative: they are one
constexpr double kRoundingOfTerms = 1e-13;  // of q, relative to the terms it was summed from: zero
constexpr double kSameEnergy = 1e-10;       // relative
constexpr int kPolishing = 4;
constexpr double kMostUnknown = 1e8;  // relative to the velocities: beyond it a tableau has lost its digits
constexpr double kNothing = 1e-10, kExact = 1e-15, kMissedWell = 1e-11;  // of unknowns and equations, relative
constexpr double kRoundingOfProducts = 4e-15;
constexpr std::size_t kMostVertices = 256;

/// Unknowns of which one group or the other vanishes.
struct Alternative {
  std::vector<Index> one, other;
};

/// The unknowns of a contact in one phase; -1: it has none such.
struct Columns {
  Index up = -1, down = -1;           // along the edges of its cone; `up` alone where it has no friction or slides
  Index opening = -1;                 // w_N
  Index forward = -1, backward = -1;  // w_T = forward - backward
  Index extra = -1;                   // x_N above its lower bound, in the second phase
};

double largest(const Vector& values) {
  return values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0;
}

bool same(const Vector& a, const Vector& b) {
  return largest(a - b) <= kSameModes * (1 + std::max(largest(a), largest(b)));
}

/// The problem in unknowns of unit diagonal, x = size * scale * unit, with terms of q of order one.
struct UnitProblem {
  Matrix G;
  Vector q, slope, scale;
  double size = 1;

  explicit UnitProblem(const ModeProblem& problem) : scale(unit_scale(problem.A.diagonal())) {
    // A direction that nothing moves has a w all the same.
    const Vector rows = scale.unaryExpr([](double value) { return value > 0 ? value : 1.0; });
    if (const double terms = largest(rows.cwiseProduct(problem.terms)); terms > 0) size = terms;
    G = scale.asDiagonal() * Matrix(problem.A) * scale.asDiagonal();
    slope = scale.cwiseProduct(problem.slope) / size;
    q = rows.cwiseProduct(problem.q) / size;
    for (Index i = 0; i < q.size(); ++i)
      if (std::abs(problem.q[i]) <= kRoundingOfTerms * problem.terms[i]) q[i] = 0;
  }

  bool rubs(const FrictionCone& cone) const {
    return cone.mu > 0 && cone.tangents > 0 && scale.segment(cone.row + 1, cone.tangents).maxCoeff() > 0;
  }

  /// The impulse (1, mu sense) of a contact, or against its slip, of unit length.
  Vector ray(const FrictionCone& cone, double sense) const {
    Vector result = Vector::Zero(q.size());
    result[cone.row] = 1;
    if (rubs(cone))
      for (int t = 0; t < cone.tangents; ++t) {
        const double along = scale[cone.row + 1 + t];
        const double share = cone.slides() ? -cone.slide[static_cast<std::size_t>(t)] : sense;
        if (along > 0) result[cone.row + 1 + t] = cone.mu * share * scale[cone.row] / along;
      }
    return result.normalized();
  }
};

class Search {
 public:
  Search(const ModeProblem& problem, double most_work, bool with_vertices)
      : problem_(problem),
        unit_(problem),
        most_work_(most_work),
        with_vertices_(with_vertices),
        phases_(problem.e.size() > 0 ? 2 : 1) {
    number();
    assemble();
  }

  FrictionModes run() {
    Polyhedron all(A_, b_);
    if (!all.empty()) descend(all);
    conclude();
    return std::move(result_);
  }

 private:
  // ---- The system A v = b, v >= 0

  const Columns& columns(int phase, std::size_t contact) const {
    return columns_[static_cast<std::size_t>(phase) * problem_.cones.size() + contact];
  }

  void number() {
    Index next = 0;
    for (int phase = 0; phase < phases_; ++phase)
      for (const FrictionCone& cone : problem_.cones) {
        Columns own;
        const bool free = unit_.rubs(cone) && !cone.slides();
        if (unit_.scale[cone.row] > 0) own.up = next++;
        if (own.up >= 0 && free) own.down = next++;
        own.opening = next++;
        if (free) {
          own.forward = next++;
          own.backward = next++;
        }
        if (phase > 0) own.extra = next++;
        columns_.push_back(own);
        add_alternatives(own, phase);
      }
    count_ = next;
  }

  void add_alternatives(const Columns& own, int phase) {
    if (own.up >= 0) {
      std::vector<Index> carried = {own.up};
      if (own.down >= 0) carried.push_back(own.down);
      if (phase > 0) carried = {own.extra};
      alternatives_.push_back({{own.opening}, carried});
    }
    if (own.forward < 0) return;
    alternatives_.push_back({{own.forward}, {own.backward}});
    if (own.up < 0) return;
    alternatives_.push_back({{own.forward}, {own.up}});
    alternatives_.push_back({{own.backward}, {own.down}});
  }

  /// Impulses by the unknowns: of the first phase, and in all.
  void spread() {
    const Index rows = unit_.q.size();
    first_ = all_ = Matrix::Zero(rows, count_);
    for (int phase = 0; phase < phases_; ++phase)
      for (std::size_t i = 0; i < problem_.cones.size(); ++i) {
        const Columns& own = columns(phase, i);
        for (const auto& [column, sense] : {std::pair{own.up, 1.0}, std::pair{own.down, -1.0}}) {
          if (column < 0) continue;
          all_.col(column) = unit_.ray(problem_.cones[i], sense);
          if (phase == 0) first_.col(column) = all_.col(column);
        }
      }
  }

  void assemble() {
    spread();
    std::vector<Vector> rows;
    std::vector<double> right;
    for (int phase = 0; phase < phases_; ++phase) {
      const Matrix response = unit_.G * (phase + 1 < phases_ ? first_ : all_);
      for (std::size_t i = 0; i < problem_.cones.size(); ++i) {
        const Index N = problem_.cones[i].row;
        const Columns& own = columns(phase, i);
        rows.emplace_back(response.row(N).transpose() - Vector::Unit(count_, own.opening));
        right.push_back(-unit_.q[N]);
        if (own.forward >= 0) {
          rows.emplace_back(response.row(N + 1).transpose() - Vector::Unit(count_, own.forward) +
                            Vector::Unit(count_, own.backward));
          right.push_back(-unit_.q[N + 1]);
        }
        if (own.extra >= 0) {
          const Vector before = first_.row(N).transpose(), now = all_.row(N).transpose() - before;
          rows.emplace_back(now - problem_.e[static_cast<Index>(i)] * before - Vector::Unit(count_, own.extra));
          right.push_back(0);
        }
      }
    }
    A_.resize(static_cast<Index>(rows.size()), count_);
    for (std::size_t r = 0; r < rows.size(); ++r) A_.row(static_cast<Index>(r)) = rows[r].transpose();
    b_ = Eigen::Map<const Vector>(right.data(), static_cast<Index>(right.size()));
  }

  // ---- The search

  Vector sum_of(const std::vector<Index>& group) const {
    Vector cost = Vector::Zero(count_);
    for (const Index column : group) cost[column] = 1;
    return cost;
  }

  static bool vanishes(Polyhedron& set, const std::vector<Index>& group) {
    return std::all_of(group.begin(), group.end(), [&](Index column) { return set.forbid(column); });
  }

  static bool is_forbidden(const Polyhedron& set, const std::vector<Index>& group) {
    return std::none_of(group.begin(), group.end(), [&](Index column) { return set.allows(column); });
  }

  /// The alternative that the present vertex misses most; none if all are decided.
  const Alternative* most_missed(const Polyhedron& set) const {
    const Vector v = set.point();
    const auto sum = [&](const std::vector<Index>& group) {
      double total = 0;
      for (const Index column : group) total += v[column];
      return total;
    };
    const Alternative* found = nullptr;
    double most = 0;
    for (const Alternative& alternative : alternatives_) {
      if (is_forbidden(set, alternative.one) || is_forbidden(set, alternative.other)) continue;
      const double missed = std::min(sum(alternative.one), sum(alternative.other));
      if (found && missed <= most) continue;
      found = &alternative;
      most = missed;
    }
    return found;
  }

  void descend(Polyhedron& set) {
    if ((work_ += static_cast<double>(A_.size())) > most_work_) {
      result_.complete = false;
      return;
    }
    while (const Alternative* next = most_missed(set)) {
      const auto& [one, other] = *next;
      const Vector of_one = sum_of(one), of_other = sum_of(other);
      if (const bool first = set.is_zero(of_one); first || set.is_zero(of_other)) {
        if (!vanishes(set, first ? one : other)) return;
        continue;
      }
      Polyhedron without = set;
      if (vanishes(without, one)) descend(without);
      // What has both groups zero has been found already.
      if (vanishes(set, other) && !set.is_zero(of_one)) descend(set);
      return;
    }
    take(set);
  }

  // ---- What is left where every alternative is decided

  /// Whether a sum of the rows of `spread`, with weights that nothing singles out, is the same everywhere in the set.
  bool is_one(Polyhedron& set, const Matrix& spread) const {
    Vector weights(spread.rows());
    for (Index i = 0; i < weights.size(); ++i) weights[i] = std::cos(static_cast<double>(i + 1));
    const Vector cost = spread.transpose() * weights;
    const std::optional<double> least = set.least(cost), most = set.least(-cost);
    return least && most && -*most - *least <= kSameModes * (1 + largest(spread * set.point()));
  }

  Matrix rows_of(const Matrix& spread, bool normal) const {
    std::vector<Index> rows;
    for (const FrictionCone& cone : problem_.cones) {
      if (normal) rows.push_back(cone.row);
      for (int t = 0; t < cone.tangents && !normal; ++t) rows.push_back(cone.row + 1 + t);
    }
    return spread(rows, Eigen::all);
  }

  double energy(const Vector& x) const { return 0.5 * x.dot(unit_.G * x) + unit_.slope.dot(x); }

  /// Of a set the unknowns of least energy, and of these those of least norm.
  Vector best(Polyhedron& set, bool one_velocity, bool one_impulse) const {
    Vector v = set.point();
    if (one_impulse) return v;
    std::vector<Index> allowed;
    for (Index j = 0; j < count_; ++j)
      if (set.allows(j)) allowed.push_back(j);
    const Matrix A = A_(Eigen::all, allowed), X = all_(Eigen::all, allowed);
    Vector own = v(allowed);
    if (!one_velocity) own = improve_qp(X.transpose() * unit_.G * X, X.transpose() * unit_.slope, A, own);
    const Matrix response = unit_.G * X;
    Matrix rows(A.rows() + response.rows(), A.cols());
    rows << A, response;
    v(allowed) = improve_qp(X.transpose() * X, Vector::Zero(A.cols()), rows, own);
    return v;
  }

  std::vector<FrictionMode> modes_of(const Polyhedron& set, const Vector& v) const {
    std::vector<FrictionMode> modes;
    for (std::size_t i = 0; i < problem_.cones.size(); ++i) {
      const Columns& own = columns(phases_ - 1, i);
      const auto carries = [&](Index column) { return column >= 0 && set.allows(column) && v[column] > 0; };
      const auto moves = [&](Index column) { return column >= 0 && set.allows(column) && v[column] > kSameModes; };
      if (!carries(own.up) && !carries(own.down) && moves(own.opening))
        modes.push_back(FrictionMode::open);
      else if (!unit_.rubs(problem_.cones[i]))
        modes.push_back(FrictionMode::closed);
      else
        modes.push_back(problem_.cones[i].slides() || moves(own.forward) || moves(own.backward) ? FrictionMode::slip
                                                                                                : FrictionMode::stick);
    }
    return modes;
  }

  /// Removes what the tableau's rounding left of A v = b, within the unknowns that are not zero. False if they cannot:
  /// then v is no solution.
  bool polish(Vector& v) const {
    const double size = 1 + largest(b_);
    if (!(largest(v) <= kMostUnknown * size)) return false;
    // Large impulses between which a light body moves round velocities more.
    const double rounding = kRoundingOfProducts * largest(A_.cwiseAbs() * v.cwiseAbs());
    const double nothing = std::max(kNothing * size, rounding), missed_well = std::max(kMissedWell * size, rounding);
    for (int pass = 0; pass < kPolishing; ++pass) {
      std::vector<Index> carried;
      for (Index j = 0; j < count_; ++j)
        if (v[j] > nothing) carried.push_back(j);
      for (double& value : v) value = value > nothing ? value : 0;
      const Vector missed = b_ - A_ * v;
      if (largest(missed) <= kExact * size || carried.empty()) return largest(missed) <= missed_well;
      const Matrix rows = A_(Eigen::all, carried);
      v(carried) += rows.completeOrthogonalDecomposition().solve(missed);
    }
    return v.minCoeff() >= -missed_well && largest(b_ - A_ * v) <= missed_well;
  }

  void take(Polyhedron& set) {
    ModeSet found;
    found.one_velocity = is_one(set, unit_.G * all_);
    found.one_normal = is_one(set, rows_of(all_, true));
    found.one_tangential = is_one(set, rows_of(all_, false));
    Vector v = best(set, found.one_velocity, found.one_normal && found.one_tangential);
    if (!polish(v)) {  // rounding has grown too large to tell
      result_.complete = false;
      return;
    }
    v = v.cwiseMax(0);
    const Vector x = all_ * v;
    found.energy = energy(x);
    found.modes = modes_of(set, v);
    found.x = outside(x);
    found.first = outside(first_ * v);
    if (with_vertices_ && !(found.one_velocity && found.one_normal && found.one_tangential)) {
      found.bounded = set.bounded();
      for (const Vector& corner : set.vertices(kMostVertices).value_or(std::vector<Vector>{}))
        found.vertices.push_back(outside(all_ * corner));
    }
    keep(std::move(found));
  }

  Vector outside(const Vector& x) const { return unit_.size * unit_.scale.cwiseProduct(x); }
  Vector inside(const Vector& x) const {
    return x.binaryExpr(unit_.scale, [this](double value, double s) { return s > 0 ? value / (s * unit_.size) : 0; });
  }

  /// Sets of the same modes and velocities are one: that of least impulses, which may be shared in more ways.
  void keep(ModeSet found) {
    const Vector x = inside(found.x), w = unit_.G * x;
    for (ModeSet& other : result_.sets) {
      if (!found.one_velocity || !other.one_velocity) continue;
      const Vector other_x = inside(other.x);
      if (!same(w, unit_.G * other_x)) continue;
      const bool same_impulses = same(x, other_x);
      if (!same_impulses && found.modes != other.modes) continue;
      std::vector<Vector> vertices = std::move(other.vertices);
      for (Vector& corner : found.vertices)
        if (vertices.size() < kMostVertices && std::none_of(vertices.begin(), vertices.end(), [&](const Vector& v) {
              return same(inside(v), inside(corner));
            }))
          vertices.push_back(std::move(corner));
      ModeSet both = x.norm() < other_x.norm() ? found : other;
      both.vertices = std::move(vertices);
      both.bounded = other.bounded && found.bounded;
      both.one_normal = other.one_normal && found.one_normal && same(rows_of(x, true), rows_of(other_x, true));
      both.one_tangential =
          other.one_tangential && found.one_tangential && same(rows_of(x, false), rows_of(other_x, false));
      other = std::move(both);
      return;
    }
    result_.sets.push_back(std::move(found));
  }

  /// A single solution that is a corner of a continuum, or its best, is part of that.
  void drop_parts() {
    const auto is_point = [](const ModeSet& set) { return set.one_velocity && set.one_normal && set.one_tangential; };
    const auto has = [&](const ModeSet& set, const Vector& x) {
      return same(inside(set.x), x) || std::any_of(set.vertices.begin(), set.vertices.end(),
                                                   [&](const Vector& corner) { return same(inside(corner), x); });
    };
    const std::vector<ModeSet> all = result_.sets;
    std::erase_if(result_.sets, [&](const ModeSet& set) {
      return is_point(set) && std::any_of(all.begin(), all.end(), [&](const ModeSet& other) {
               return !is_point(other) && has(other, inside(set.x));
             });
    });
  }

  void conclude() {
    drop_parts();
    std::stable_sort(result_.sets.begin(), result_.sets.end(), [](const ModeSet& a, const ModeSet& b) {
      return a.energy < b.energy - kSameEnergy * (1 + std::abs(b.energy));
    });
    if (result_.sets.empty()) return;
    const Vector x = inside(result_.sets.front().x);
    const auto pick = [&](const Vector& of, bool normal) { return Vector(rows_of(of, normal)); };
    for (const ModeSet& set : result_.sets) {
      const Vector other = inside(set.x);
      result_.one_velocity = result_.one_velocity && set.one_velocity && same(unit_.G * x, unit_.G * other);
      result_.one_normal = result_.one_normal && set.one_normal && same(pick(x, true), pick(other, true));
      result_.one_tangential = result_.one_tangential && set.one_tangential && same(pick(x, false), pick(other, false));
    }
  }

  const ModeProblem& problem_;
  const UnitProblem unit_;
  const double most_work_;
  const bool with_vertices_;
  const int phases_;
  std::vector<Columns> columns_;  // (phases x cones)
  std::vector<Alternative> alternatives_;
  Index count_ = 0;     // of unknowns
  Matrix first_, all_;  // (rows x unknowns)
  Matrix A_;
  Vector b_;
  double work_ = 0;  // entries of tableaux
  FrictionModes result_;
};

}  // namespace

bool has_few_modes(const std::vector<FrictionCone>& cones, std::size_t most) {
  return cones.size() <= most && std::all_of(cones.begin(), cones.end(), [](const FrictionCone& cone) {
           return cone.tangents < 2 || cone.mu == 0 || cone.slides();
         });
}

FrictionModes friction_modes(const ModeProblem& problem, double most_work, bool with_vertices) {
  return Search(problem, most_work, with_vertices).run();
}

}  // namespace carom::numerics
