#include "carom/geometry/pose.h"

#include <cmath>

namespace carom {

Quaternion rotation_between(const Vector3& from, const Vector3& to) {
  const double cosine = from.dot(to);
  if (cosine < -1 + 1e-12) {
    const Vector3 axis = from.unitOrthogonal();
    return {0, axis.x(), axis.y(), axis.z()};
  }
  const double s = std::sqrt((1 + cosine) * 2), inverse = 1 / s;
  const Vector3 axis = from.cross(to);
  return {s / 2, axis.x() * inverse, axis.y() * inverse, axis.z() * inverse};
}

}  // namespace carom
