#pragma once

#include "carom/geometry/mass_properties.h"
#include "carom/geometry/shape.h"
#include "carom/robots/robot.h"

namespace carom::robots {

/// The shape as geometry has it, at its place in the link; cylinders and capsules are along x there.
geometry::Part part_of(const LinkShape& shape);

/// Volume [m^3], centre and inertia about it for density 1, in the link's frame.
geometry::MassProperties solid_of(const LinkShape& shape);

/// [m] how low the shapes of a robot reach; infinite where there are none. Links that stand do not count.
double lowest_point(const Robot& robot, const std::vector<Pose>& poses);

/// [m] the height of the file's own level ground, if it has one: the highest plane that stands and looks up.
std::optional<double> floor_of(const Robot& robot, const std::vector<Pose>& poses);

}  // namespace carom::robots
