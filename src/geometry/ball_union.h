#pragma once

#include <vector>

#include "carom/geometry/mass_properties.h"

namespace carom::geometry {

struct Ball {
  Vector3 centre = Vector3::Zero();
  double radius = 1;
};

/// Mass properties of density 1 of what balls cover together: where they overlap, matter counts once. Exact where no
/// three of them overlap each other, two by two; else accurate to some 1e-5.
MassProperties union_of_balls(std::vector<Ball> balls);

}  // namespace carom::geometry
