#pragma once

#include <string>
#include <vector>

#include "carom/robots/robot.h"
#include "carom/robots/xml.h"

namespace carom::robots {

/// The corners of the convex hull of a mesh file (OBJ, or STL in text or binary), each coordinate times `scale`. Hulls
/// of more than 120 corners lose the least important ones, which `note` then says; files that are not found or of
/// another kind give no corners and a note. Names are relative to the robot's file, or package://NAME/... where the
/// options map the name; none may lead out of these folders. Throws scene::ReadError for files that cannot be read.
struct Hull {
  std::vector<Vector3> corners;
  std::string note;
};
Hull read_hull(const Element& at, const std::string& name, const Vector3& scale, const ReadOptions& options);

}  // namespace carom::robots
