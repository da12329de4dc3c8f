#include "carom/simulate/mode_search.h"

#include <algorithm>
#include <cmath>

#include "carom/numerics/sparse_columns.h"
#include "carom/simulate/shared_forces.h"

namespace carom::simulate {
namespace {

constexpr double kMisses = 1e-10;  // of the terms of accelerations: what a mode may miss
constexpr double kParts = 1e-4;    // of the same: what equations of closed contacts leave that exclude each other
constexpr int kAllAtOnce = 8;      // steps in which all contacts that must change do; then the worst alone
constexpr int kMostChanges = 60;   // in all
constexpr double kSameWay = 1e-9;  // [rad] of slip in space

bool has_friction(const numerics::FrictionCone& cone) {
  return cone.mu > 0 && cone.tangents > 0;
}

/// By how much a contact misses its mode [m/s^2], and the one that it should have instead.
struct Miss {
  double size = 0;
  ForceMode better;
};

class ModeSearch {
 public:
  ModeSearch(const ForceProblem& problem, std::vector<ForceMode> start)
      : problem_(problem),
        diagonal_(problem.G.diagonal()),
        misses_(kMisses * problem.terms.maxCoeff()),
        contradiction_(kParts * problem.terms.maxCoeff()) {
    now_.modes = std::move(start);
  }

  std::optional<ForceModes> run(int together) {
    std::vector<std::vector<ForceMode>> tried;  // once single contacts change: what follows them is decided by them
    for (int step = 0; step < kMostChanges; ++step) {
      if (step >= together) {
        if (std::find(tried.begin(), tried.end(), now_.modes) != tried.end()) return std::nullopt;
        tried.push_back(now_.modes);
      }
      solve();
      if (!now_.lambda.allFinite()) return std::nullopt;
      if (!change(step >= together)) return std::move(now_);
    }
    return std::nullopt;
  }

 private:
  /// The direction of slip that a mode means.
  Eigen::Vector2d slip(std::size_t i) const {
    const numerics::FrictionCone& cone = problem_.cones[i];
    return cone.slides() ? Eigen::Vector2d(cone.slide[0], cone.slide[1]) : now_.modes[i].along;
  }
  bool slips(std::size_t i) const {
    return has_friction(problem_.cones[i]) &&
           (problem_.cones[i].slides() || now_.modes[i].kind == ForceMode::Kind::slips);
  }

  /// An unknown force and the rows that it acts in: that of a slipping contact brings its friction along.
  struct Unknown {
    Index row = 0;
    int along = 0;  // further rows
    Eigen::Vector2d friction = Eigen::Vector2d::Zero();

    double factor(int k) const { return k == 0 ? 1 : friction[k - 1]; }
  };

  /// Those of the present modes; `cones` are the contacts among them.
  std::vector<Unknown> unknowns(std::vector<ForceCone>& cones) const {
    std::vector<Unknown> result;
    for (std::size_t i = 0; i < problem_.cones.size(); ++i) {
      if (now_.modes[i].kind == ForceMode::Kind::open) continue;
      const numerics::FrictionCone& cone = problem_.cones[i];
      cones.push_back({static_cast<Index>(result.size()), 0, cone.mu});
      result.push_back({cone.row});
      if (!has_friction(cone)) continue;
      if (slips(i)) {
        result.back().along = cone.tangents;
        result.back().friction = -cone.mu * slip(i);
        continue;
      }
      cones.back().tangents = cone.tangents;
      for (int t = 0; t < cone.tangents; ++t) result.push_back({cone.row + 1 + t});
    }
    return result;
  }

  /// What unknowns do to the accelerations in the rows of all of them.
  SparseMatrix system_of(const std::vector<Unknown>& unknowns) const {
    const Index n = static_cast<Index>(unknowns.size());
    std::vector<Index> place(static_cast<std::size_t>(problem_.b.size()), -1);
    for (Index k = 0; k < n; ++k) place[unknowns[k].row] = k;
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(static_cast<std::size_t>(problem_.G.nonZeros()));
    for (Index j = 0; j < n; ++j)
      for (int k = 0; k <= unknowns[j].along; ++k)
        for (SparseMatrix::InnerIterator entry(problem_.G, unknowns[j].row + k); entry; ++entry)
          if (const Index i = place[entry.row()]; i >= 0)
            entries.emplace_back(static_cast<int>(i), static_cast<int>(j), unknowns[j].factor(k) * entry.value());
    return numerics::by_columns(n, n, entries);
  }

  /// The forces of the present modes.
  void solve() {
    std::vector<ForceCone> cones;
    const std::vector<Unknown> all = unknowns(cones);
    Vector r(static_cast<Index>(all.size()));
    for (Index k = 0; k < r.size(); ++k) r[k] = -problem_.b[all[k].row];
    const Vector x = share_forces(system_of(all), r, cones).x;
    now_.lambda = Vector::Zero(problem_.b.size());
    for (Index j = 0; j < r.size(); ++j)
      for (int k = 0; k <= all[j].along; ++k) now_.lambda[all[j].row + k] = all[j].factor(k) * x[j];
    now_.acceleration = problem_.G * now_.lambda + problem_.b;
  }

  Miss miss_of(std::size_t i) const {
    const numerics::FrictionCone& cone = problem_.cones[i];
    const Index N = cone.row;
    const auto& [lambda, a, modes] = now_;
    if (modes[i].kind == ForceMode::Kind::open) return {-a[N], {}};
    Miss result{-lambda[N] * diagonal_[N], {ForceMode::Kind::open}};
    if (a[N] > contradiction_) result.size = std::max(result.size, a[N]);  // it parts though it is to stay closed
    if (!has_friction(cone) || cone.slides()) return result;
    Eigen::Vector2d friction = Eigen::Vector2d::Zero(), gain = Eigen::Vector2d::Zero();
    for (int t = 0; t < cone.tangents; ++t) {
      friction[t] = lambda[N + 1 + t];
      gain[t] = a[N + 1 + t];
    }
    const auto take = [&](double size, const ForceMode& better) {
      if (size > result.size) result = {size, better};
    };
    if (modes[i].kind == ForceMode::Kind::holds) {
      const double beyond = friction.norm() - cone.mu * lambda[N];
      if (friction.norm() > 0)
        take(beyond * diagonal_.segment(N + 1, cone.tangents).maxCoeff(),
             {ForceMode::Kind::slips, -friction.normalized()});
      return result;
    }
    const double along = gain.dot(modes[i].along);
    take(-along, {ForceMode::Kind::holds});
    const double aside = (gain - along * modes[i].along).norm();
    if (cone.tangents > 1 && aside > kSameWay * gain.norm()) take(aside, {ForceMode::Kind::slips, gain.normalized()});
    return result;
  }

  /// False if all modes hold.
  bool change(bool worst_alone) {
    std::vector<Miss> misses;
    double worst = misses_;
    for (std::size_t i = 0; i < now_.modes.size(); ++i) {
      misses.push_back(miss_of(i));
      worst = std::max(worst, misses.back().size);
    }
    if (!(worst > misses_)) return false;
    for (std::size_t i = 0; i < misses.size(); ++i)
      if (misses[i].size > misses_ && (!worst_alone || misses[i].size >= worst)) now_.modes[i] = misses[i].better;
    return true;
  }

  const ForceProblem& problem_;
  const Vector diagonal_;
  const double misses_, contradiction_;  // [m/s^2]
  ForceModes now_;
};

}  // namespace

std::optional<ForceModes> find_force_modes(const ForceProblem& problem, std::vector<ForceMode> start) {
  if (problem.b.size() == 0) return std::nullopt;
  std::optional<ForceModes> found = ModeSearch(problem, std::move(start)).run(kAllAtOnce);
  if (!found) found = ModeSearch(problem, std::vector<ForceMode>(problem.cones.size())).run(0);
  return found;
}

}  // namespace carom::simulate
