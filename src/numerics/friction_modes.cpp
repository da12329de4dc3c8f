#include "carom/numerics/friction_modes.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "carom/numerics/decompositions.h"
#include "carom/numerics/mode_system.h"
#include "carom/numerics/polyhedron.h"
#include "carom/numerics/qp.h"

namespace carom::numerics {
namespace {

constexpr double kSameModes = 1e-7;    // of two velocities or impulses, relative: they are one
constexpr double kSameEnergy = 1e-10;  // relative
constexpr int kPolishing = 4;
constexpr double kMostUnknown = 1e8;  // relative to the velocities: beyond it a tableau has lost its digits
constexpr double kNothing = 1e-10, kExact = 1e-15, kSmallResidual = 1e-11;  // of unknowns and equations, relative
constexpr double kRoundingOfProducts = 4e-15;
constexpr std::size_t kMostVertices = 256;
constexpr double kPivotsPerRow = 2;  // about, until a first solution of the inequalities is found
constexpr std::size_t kMostSets = 100000;
constexpr std::size_t kMostCandidates = 8;  // near which solutions in space may be

double largest(const Vector& values) {
  return values.size() > 0 ? values.cwiseAbs().maxCoeff() : 0;
}

bool same(const Vector& a, const Vector& b) {
  return largest(a - b) <= kSameModes * (1 + std::max(largest(a), largest(b)));
}

class Search {
 public:
  Search(const ModeProblem& problem, double most_work, bool with_vertices, int sectors)
      : problem_(problem),
        system_(problem, sectors),
        most_work_(most_work),
        with_vertices_(with_vertices),
        most_sets_(system_.relaxed ? kMostCandidates : kMostSets),
        last_(problem.e.size() > 0 ? 1 : 0) {}

  FrictionModes run() {
    const double rows = static_cast<double>(system_.A.rows());
    if (system_.relaxed && kPivotsPerRow * rows * static_cast<double>(system_.A.size()) > most_work_) {
      result_.complete = false;
      return std::move(result_);
    }
    Polyhedron all(system_.A, system_.b);
    result_.complete = all.sure();
    if (!all.empty()) descend(all);
    conclude();
    return std::move(result_);
  }

 private:
  // ---- The search

  Vector sum_of(const std::vector<Index>& group) const {
    Vector cost = Vector::Zero(system_.count);
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
    for (const Alternative& alternative : system_.alternatives) {
      if (is_forbidden(set, alternative.one) || is_forbidden(set, alternative.other)) continue;
      const double residual = std::min(sum(alternative.one), sum(alternative.other));
      if (found && residual <= most) continue;
      found = &alternative;
      most = residual;
    }
    return found;
  }

  /// Whether to go on with a set that has been worked on since it was worth `before`.
  bool goes_on(const Polyhedron& set, double before) {
    work_ += set.work() - before;
    if (work_ > most_work_ || !set.sure()) result_.complete = false;
    return work_ <= most_work_ && result_.sets.size() < most_sets_;
  }

  void descend(Polyhedron& set) {
    double before = set.work();
    while (const Alternative* next = most_missed(set)) {
      const auto& [one, other] = *next;
      const Vector of_one = sum_of(one), of_other = sum_of(other);
      if (const bool first = set.is_zero(of_one); first || set.is_zero(of_other)) {
        const bool some = vanishes(set, first ? one : other);
        if (!goes_on(set, before) || !some) return;
        before = set.work();
        continue;
      }
      Polyhedron without = set;
      const bool some = vanishes(without, one);
      if (!goes_on(without, before)) return;
      if (some) descend(without);
      before = set.work();
      // What has both groups zero has been found already.
      const bool more = vanishes(set, other) && !set.is_zero(of_one);
      if (goes_on(set, before) && more) descend(set);
      return;
    }
    if (goes_on(set, before)) take(set);
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

  double energy(const Vector& x) const { return 0.5 * x.dot(system_.unit.G * x) + system_.unit.slope.dot(x); }

  /// Of a set the unknowns of least energy, and of these those of least norm.
  Vector best(Polyhedron& set, bool one_velocity, bool one_impulse) const {
    Vector v = set.point();
    if (one_impulse) return v;
    std::vector<Index> allowed;
    for (Index j = 0; j < system_.count; ++j)
      if (set.allows(j)) allowed.push_back(j);
    const Matrix A = system_.A(Eigen::all, allowed), X = system_.all(Eigen::all, allowed);
    Vector own = v(allowed);
    if (!one_velocity) own = improve_qp(X.transpose() * system_.unit.G * X, X.transpose() * system_.unit.slope, A, own);
    const Matrix response = system_.unit.G * X;
    Matrix rows(A.rows() + response.rows(), A.cols());
    rows << A, response;
    v(allowed) = improve_qp(X.transpose() * X, Vector::Zero(A.cols()), rows, own);
    return v;
  }

  std::vector<ContactMode> modes_of(const Polyhedron& set, const Vector& v) const {
    std::vector<ContactMode> modes;
    for (std::size_t i = 0; i < problem_.cones.size(); ++i) {
      const ModeColumns& own = system_.columns(last_, i);
      const auto carries = [&](Index column) { return set.allows(column) && v[column] > 0; };
      const auto moves = [&](Index column) { return set.allows(column) && v[column] > kSameModes; };
      if (std::none_of(own.carried.begin(), own.carried.end(), carries) && moves(own.opening))
        modes.push_back(ContactMode::open);
      else if (!system_.unit.has_friction(problem_.cones[i]))
        modes.push_back(ContactMode::closed);
      else
        modes.push_back(problem_.cones[i].slides() || std::any_of(own.slips.begin(), own.slips.end(), moves)
                            ? ContactMode::slip
                            : ContactMode::stick);
    }
    return modes;
  }

  /// Removes what the tableau's rounding left of A v = b, within the unknowns that are not zero. False if they cannot:
  /// then v is no solution.
  bool polish(Vector& v) const {
    const double size = 1 + largest(system_.b);
    if (!(largest(v) <= kMostUnknown * size)) return false;
    // Large impulses between which a light body moves round velocities more.
    const double rounding = kRoundingOfProducts * largest(system_.A.cwiseAbs() * v.cwiseAbs());
    const double nothing = std::max(kNothing * size, rounding),
                 small_residual = std::max(kSmallResidual * size, rounding);
    for (int pass = 0; pass < kPolishing; ++pass) {
      std::vector<Index> carried;
      for (Index j = 0; j < system_.count; ++j)
        if (v[j] > nothing) carried.push_back(j);
      for (double& value : v) value = value > nothing ? value : 0;
      const Vector residual = system_.b - system_.A * v;
      if (largest(residual) <= kExact * size || carried.empty()) return largest(residual) <= small_residual;
      v(carried) += CompleteOrthogonal(system_.A(Eigen::all, carried)).solve(residual);
    }
    return v.minCoeff() >= -small_residual && largest(system_.b - system_.A * v) <= small_residual;
  }

  void take(Polyhedron& set) {
    ModeSet found;
    if (system_.relaxed) {  // not yet a solution
      const Vector v = set.point();
      found.modes = modes_of(set, v);
      found.x = system_.unit.outside(system_.all * v);
      found.first = system_.unit.outside(system_.first * v);
      result_.sets.push_back(std::move(found));
      return;
    }
    found.one_velocity = is_one(set, system_.unit.G * system_.all);
    found.one_normal = is_one(set, rows_of(system_.all, true));
    found.one_tangential = is_one(set, rows_of(system_.all, false));
    Vector v = best(set, found.one_velocity, found.one_normal && found.one_tangential);
    if (!polish(v)) {  // rounding has grown too large to tell
      result_.complete = false;
      return;
    }
    v = v.cwiseMax(0);
    const Vector x = system_.all * v;
    found.energy = energy(x);
    found.modes = modes_of(set, v);
    found.x = system_.unit.outside(x);
    found.first = system_.unit.outside(system_.first * v);
    if (with_vertices_ && !(found.one_velocity && found.one_normal && found.one_tangential)) {
      found.bounded = set.bounded();
      for (const Vector& corner : set.vertices(kMostVertices).value_or(std::vector<Vector>{}))
        found.vertices.push_back(system_.unit.outside(system_.all * corner));
    }
    keep(std::move(found));
  }

  /// Sets of the same modes and velocities are one: that of least impulses, which may be shared in more ways.
  void keep(ModeSet found) {
    const Vector x = system_.unit.inside(found.x), w = system_.unit.G * x;
    for (ModeSet& other : result_.sets) {
      if (!found.one_velocity || !other.one_velocity) continue;
      const Vector other_x = system_.unit.inside(other.x);
      if (!same(w, system_.unit.G * other_x)) continue;
      const bool same_impulses = same(x, other_x);
      if (!same_impulses && found.modes != other.modes) continue;
      std::vector<Vector> vertices = std::move(other.vertices);
      for (Vector& corner : found.vertices)
        if (vertices.size() < kMostVertices && std::none_of(vertices.begin(), vertices.end(), [&](const Vector& v) {
              return same(system_.unit.inside(v), system_.unit.inside(corner));
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
      return same(system_.unit.inside(set.x), x) ||
             std::any_of(set.vertices.begin(), set.vertices.end(),
                         [&](const Vector& corner) { return same(system_.unit.inside(corner), x); });
    };
    const std::vector<ModeSet> all = result_.sets;
    std::erase_if(result_.sets, [&](const ModeSet& set) {
      return is_point(set) && std::any_of(all.begin(), all.end(), [&](const ModeSet& other) {
               return !is_point(other) && has(other, system_.unit.inside(set.x));
             });
    });
  }

  void conclude() {
    if (system_.relaxed) return;
    drop_parts();
    std::stable_sort(result_.sets.begin(), result_.sets.end(), [](const ModeSet& a, const ModeSet& b) {
      return a.energy < b.energy - kSameEnergy * (1 + std::abs(b.energy));
    });
    if (result_.sets.empty()) return;
    const Vector x = system_.unit.inside(result_.sets.front().x);
    const auto pick = [&](const Vector& of, bool normal) { return Vector(rows_of(of, normal)); };
    for (const ModeSet& set : result_.sets) {
      const Vector other = system_.unit.inside(set.x);
      result_.one_velocity =
          result_.one_velocity && set.one_velocity && same(system_.unit.G * x, system_.unit.G * other);
      result_.one_normal = result_.one_normal && set.one_normal && same(pick(x, true), pick(other, true));
      result_.one_tangential = result_.one_tangential && set.one_tangential && same(pick(x, false), pick(other, false));
    }
  }

  const ModeProblem& problem_;
  const ModeSystem system_;
  const double most_work_;
  const bool with_vertices_;
  const std::size_t most_sets_;
  const int last_;   // phase
  double work_ = 0;  // entries of tableaux
  FrictionModes result_;
};

}  // namespace

bool has_few_modes(const std::vector<FrictionCone>& cones, std::size_t most) {
  return cones.size() <= most && std::all_of(cones.begin(), cones.end(), [](const FrictionCone& cone) {
           return cone.tangents < 2 || cone.mu == 0 || cone.slides();
         });
}

FrictionModes friction_modes(const ModeProblem& problem, double most_work, bool with_vertices, int sectors) {
  return Search(problem, most_work, with_vertices, sectors).run();
}

}  // namespace carom::numerics
