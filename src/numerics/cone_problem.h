#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "carom/base/watch.h"
#include "carom/base/word.h"
#include "carom/numerics/friction_cone.h"
#include "carom/numerics/linear_algebra.h"

namespace carom::numerics {

/// What may be spent on a problem.
struct ConeEffort {
  int rounds = 10;             // of gradients, each followed by Newton's method
  int gradient_steps = 20000;  // in a round
  int linear_solves = 1000;    // in all
  Index rows_of_path = 1500;   // up to so many rows the path is followed; its systems are dense

  /// For one problem of many, as the steps of a run are: what cannot be had soon is not worth it.
  static ConeEffort of_a_step(Index rows, double accuracy);
};

/// How a problem is to be solved; no part of what it is.
struct ConeOptions {
  Vector terms = {};                      // (rows) size of the numbers that q was summed from; empty = |q|
  double accuracy = 0;                    // [-] relative; > 0 asks for less than all digits, for very many contacts
  Vector guess = {};                      // (rows) an x to start from; empty = none
  std::optional<ConeEffort> effort = {};  // nothing: all there is, or where an accuracy is given that of a step
  Watch* watch = nullptr;                 // who waits
};

/// What found an answer, in the order in which they are tried.
enum class ConeMethod { start, gradients, newton, path, otherwise };
constexpr std::array<std::string_view, 5> words_of(ConeMethod) {
  return {"start", "gradients", "newton", "path", "otherwise"};
}

struct ConeSolution {
  bool solved = false;
  Vector x, w;                    // w = A x + q
  double residual = 0;            // of the equations below in unknowns of unit diagonal, relative to the terms of w
  double unrounded_residual = 0;  // the same without allowance for the rounding of large x
  bool unique = true;             // x is the only solution near it
  ConeMethod method = ConeMethod::start;
  int iterations = 0;      // linear solves
  int gradient_steps = 0;  // products with A, between them
};

/// Coulomb's law for many contacts, A symmetric positive semidefinite:
///   w = A x + q,   0 <= w_N _|_ x_N - least >= 0,   |x_T| <= mu x_N,   w_T = 0 or x_T = -mu x_N w_T / |w_T|.
/// It has a solution wherever the frictionless problem has one for every x_T within the cones; it may have several.
///
/// Method: projected gradients onto the cones find out which contacts carry and slip, Newton's method on the projection
/// equations finds the digits; they take turns, and each goes on as long as the other would not be sooner there. If
/// both fail, a path through other problems is followed (cone_path.h). Without it all contacts change at once, so the
/// answer follows every permutation and mirror image.
ConeSolution solve_cone_problem(const SparseMatrix& A, const Vector& q, const std::vector<FrictionCone>& cones,
                                const ConeOptions& options = {});

}  // namespace carom::numerics
