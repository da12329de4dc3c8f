#pragma once

#include <vector>

#include "carom/numerics/mode_problem.h"

namespace carom::numerics {

/// A ModeProblem in unknowns of unit diagonal, x = size * scale * unit, with terms of q of order one.
struct UnitModes {
  Matrix G;
  Vector q, slope, scale;
  double size = 1;

  explicit UnitModes(const ModeProblem& problem);
  bool has_friction(const FrictionCone& cone) const;
  Vector outside(const Vector& x) const;
  Vector inside(const Vector& x) const;
};

/// Unknowns of which one group or the other vanishes.
struct Alternative {
  std::vector<Index> one, other;
};

/// The unknowns of a contact in one phase.
struct ModeColumns {
  std::vector<Index> carried;  // impulses along rays of its cone, or the one against a given slip
  Index opening = -1;          // w_N
  std::vector<Index> slips;    // w_T along directions of slip; none: without friction, or given
  Index extra = -1;            // x_N above its lower bound, in the second phase; -1: in the first
};

/// All solutions of a ModeProblem as {v >= 0, A v = b} in which every alternative holds. In the plane slip has two
/// directions and this is Coulomb's law; in space its circle is divided into sectors, in each of which friction may
/// have any impulse of the triangle around the arc against it: every solution is among them, with others near them.
struct ModeSystem {
  UnitModes unit;
  bool relaxed = false;  // contacts with friction in space
  std::vector<Alternative> alternatives;
  Index count = 0;    // of unknowns
  Matrix first, all;  // (rows x unknowns) impulses of the first phase, and of both
  Matrix A;
  Vector b;

  ModeSystem(const ModeProblem& problem, int sectors);
  const ModeColumns& columns(int phase, std::size_t contact) const {
    return columns_[static_cast<std::size_t>(phase) * cones_ + contact];
  }

 private:
  void number(const ModeProblem& problem, int phases, int sectors);
  void spread(const ModeProblem& problem, int phases, int sectors);
  void assemble(const ModeProblem& problem, int phases, int sectors);

  std::size_t cones_ = 0;
  std::vector<ModeColumns> columns_;  // (phases x cones)
};

}  // namespace carom::numerics
