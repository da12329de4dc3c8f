#pragma once

#include <optional>

#include "carom/numerics/linear_algebra.h"

namespace carom::numerics {

/// The least value of x'Qx / x'Px over a cone, and a vector of it, x'Px = 1.
struct ConeMinimum {
  double value = 0;
  Vector x;
};

/// Over the polyhedral cone B x >= 0 without x = 0; Q symmetric, P symmetric positive definite. Q is copositive on the
/// cone iff the value is not negative, and x is the proof where it is.
/// The minimum is stationary in the face where it lies, so it is found among the eigenvectors of Q on the linear hulls
/// of the faces; a hull on which no eigenvalue is below the best value so far has no face that is worth a look. Each
/// step is an eigenvalue problem; there may be as many as there are faces.
/// Nothing if the cone has no other point than 0.
std::optional<ConeMinimum> least_on_cone(const Matrix& Q, const Matrix& P, const Matrix& B);

/// The most faces that a cone of k half-spaces in n dimensions may have.
double most_faces_of_cone(Index n, Index k);

}  // namespace carom::numerics
