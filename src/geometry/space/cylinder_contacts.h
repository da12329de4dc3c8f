#pragma once

#include "carom/geometry/contact_point.h"
#include "carom/geometry/shape.h"

namespace carom::geometry::space {

/// All points of a cylinder, a or b, on the other shape, given the nearest: rims over flat faces and ends, corners over
/// its ends, edges across its side and rims, rims across each other, and both ends of a common line with a parallel
/// edge, cylinder or capsule.
void cylinder_contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                       const ContactPoint& nearest, double margin, std::vector<ContactPoint>& points);

}  // namespace carom::geometry::space
