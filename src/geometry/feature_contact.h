#pragma once

#include <optional>

#include "carom/geometry/contact_points.h"

namespace carom::geometry {

/// The one of contact_points that has a given feature, found without looking for the others: of corners on half-spaces,
/// and of corners on straight sides in the plane. Nothing where the feature is another, or where it may be about to
/// end, near the end of the side or of the face: then only contact_points knows.
std::optional<ContactPoint> feature_contact(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                                            const Feature& feature, Dimension dimension);

}  // namespace carom::geometry
