#pragma once

#include <map>

#include "carom/robots/robot.h"
#include "carom/robots/xml.h"

namespace carom::robots {

/// Puts links and joints into an order in which parents come first, one joint a link; roots get a joint of kind
/// floating with the world. Throws where a link has two parents or the links make a ring.
void in_order(const Element& at, Robot& robot, std::vector<LinkJoint> joints);

/// Merges links that fixed joints connect; the parent keeps its name, and its frame. Shapes without a name get that of
/// the link they were of. Links without mass that something moves get a little, which is noted.
Robot merged(Robot robot);

/// Where the links are in the world, with the joints at their starts and the roots at the given pose.
std::vector<Pose> placed(const Robot& robot, const Pose& root);

/// Sets the starts of joints: name -> [rad] or [m]. Throws InputError with place --pose for a name that is none, or a
/// value beyond the limits.
void take_pose(Robot& robot, const std::map<std::string, double>& pose);

}  // namespace carom::robots
