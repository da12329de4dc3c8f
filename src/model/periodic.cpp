#include "carom/model/periodic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/base/error.h"

namespace carom {
namespace {

constexpr int kAngles = 32;      // of half a turn, in which a body of the plane is looked at
constexpr double kAlong = 1e-9;  // of a normal: what a flat wall may have of it along a period

/// [m] from a body's centre to the points of a part, however the body is turned; depth does not count in the plane.
double reach_of_part(const geometry::Part& part, Dimension dimension) {
  const double reach = part.pose.position.norm() + geometry::reach(part.shape);
  if (dimension == Dimension::space || geometry::ball_radius(part.shape)) return reach;
  const auto along_x = [&](const Quaternion& turn) {
    const geometry::Bounds box = geometry::bounds(part.shape, Pose{Vector3::Zero(), turn} * part.pose);
    return std::max(-box.low.x(), box.high.x());
  };
  if (dimension == Dimension::line) return along_x(Quaternion::Identity());
  double most = 0;
  for (int i = 0; i < kAngles; ++i)
    most = std::max(most, along_x(Quaternion(Eigen::AngleAxisd(i * std::numbers::pi / kAngles, Vector3::UnitZ()))));
  return std::min(reach, most / std::cos(0.5 * std::numbers::pi / kAngles));
}

/// The same of all its points but those of flat walls.
double reach_of_solids(const Body& body, Dimension dimension) {
  double reach = 0;
  for (const geometry::Part& part : body.parts)
    if (!geometry::flat_normal(part.shape)) reach = std::max(reach, reach_of_part(part, dimension));
  return reach;
}

void require_flat_walls_along(const Body& body, std::size_t i, Index axis) {
  for (const geometry::Part& part : body.parts) {
    const std::optional<Vector3> flat = geometry::flat_normal(part.shape);
    if (!flat) continue;
    Vector3 normal = part.pose.orientation * *flat;
    bool turns = false;
    if (const auto& known = body.prescribed) {
      normal = known->start * normal;
      turns = !known->angle.is_constant() && std::abs(known->axis[axis]) < 1 - kAlong;
      if (!turns) normal = Eigen::AngleAxisd(known->angle.at(0).value, known->axis) * normal;
    }
    if (turns || std::abs(normal[axis]) > kAlong)
      throw InputError(fmt::format("bodies[{}]", i),
                       fmt::format("{} has a flat wall across {}, along which space is periodic; such walls are "
                                   "parallel to it",
                                   body.name, "xyz"[axis]));
  }
}

}  // namespace

Vector3 inside_box(const Vector3& periods, Vector3 x) {
  for (Index k = 0; k < 3; ++k) {
    if (!(periods[k] > 0)) continue;
    x[k] -= periods[k] * std::floor(x[k] / periods[k]);
    if (!(x[k] < periods[k])) x[k] = 0;  // by rounding
  }
  return x;
}

void require_periodic(const Description& description) {
  for (Index k = 0; k < 3; ++k) {
    const double period = description.periodic[k];
    if (!(period >= 0) || !std::isfinite(period))
      throw InputError(fmt::format("periodic[{}]", k), fmt::format("{} is no length; periods are > 0 [m], or 0 for an "
                                                                   "axis along which space does not repeat itself",
                                                                   period));
    if (period == 0) continue;
    if (k >= static_cast<Index>(description.dimension))
      throw InputError(fmt::format("periodic[{}]", k), "is of an axis that the scene does not have");
    for (std::size_t i = 0; i < description.bodies.size(); ++i) {
      const Body& body = description.bodies[i];
      if (const double size = 2 * reach_of_solids(body, description.dimension); !(size < 0.5 * period))
        throw InputError(
            fmt::format("bodies[{}]", i),
            fmt::format("{} is {:.6g} m wide; bodies in a box that repeats itself are smaller than half of "
                        "it, {:.6g} m along {}",
                        body.name, size, 0.5 * period, "xyz"[k]));
      require_flat_walls_along(body, i, k);
    }
  }
}

}  // namespace carom
