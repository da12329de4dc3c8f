#pragma once

#include "carom/geometry/contact_point.h"
#include "carom/geometry/shape.h"

namespace carom::geometry::space {

/// The nearest points of two bounded shapes, at least one of them curved, in the plane or in space. Deep overlaps give
/// a local minimum of the depth, found from the direction of least depth among the shapes' own axes and faces.
ContactPoint curved_contact(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            Dimension dimension);

}  // namespace carom::geometry::space
