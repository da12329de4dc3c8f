#pragma once

#include <vector>

#include "carom/geometry/shape.h"

namespace carom::geometry {

/// A surface to look at: points, and polygons of them, counter-clockwise seen from outside. In the plane the polygon of
/// the section, z = 0.
struct SurfaceMesh {
  std::vector<Vector3> points;
  std::vector<std::vector<int>> faces;
};

/// A shape in its own frame. Round ones get about `fineness` points around; all points lie on the surface. A half-space
/// becomes a flat patch of `extent` [m] to each side of the point of its plane that is nearest to `near`.
SurfaceMesh surface_mesh(const Shape& shape, Dimension dimension, int fineness, double extent,
                         const Vector3& near = Vector3::Zero());

}  // namespace carom::geometry
