#pragma once

#include "geometry/contact_points.h"

namespace carom::geometry::space {

/// All points of a cylinder, a or b, on the other shape, given the nearest: rims over flat faces and ends, corners over
/// its ends, edges across its side, and both ends of a common line with a parallel cylinder or capsule. Where a rim
/// crosses the edge of a face, the face's part of the rim is held by the rim's other points alone.
void cylinder_contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                       const ContactPoint& nearest, double margin, std::vector<ContactPoint>& points);

}  // namespace carom::geometry::space
