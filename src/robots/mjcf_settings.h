#pragma once

#include <map>
#include <string>

#include "carom/robots/robot.h"
#include "carom/robots/xml.h"

namespace carom::robots {

/// What `compiler`, `default` and `asset` of an MJCF file say.
class MjcfSettings {
 public:
  MjcfSettings(const Element& root, const ReadOptions& options);

  /// An element with what its class, or that of the bodies around it, says besides.
  Element with_defaults(const Element& element, const std::string& childclass) const;

  double radians(double angle) const { return degrees_ ? angle * kDegree : angle; }
  /// quat, axisangle, euler, xyaxes or zaxis of an element, and its pos.
  Pose pose_of(const Element& element) const;
  bool has_limits(const Element& joint) const;

  struct Mesh {
    Element at;
    std::string file;
    Vector3 scale = Vector3::Ones();
  };
  const Mesh* mesh(const std::string& name) const;
  enum class InertiaFrom { told, shapes, either };
  InertiaFrom inertia() const { return inertia_; }

 private:
  static constexpr double kDegree = 3.14159265358979323846 / 180;
  using Attributes = std::map<std::string, std::string>;  // by name
  using Class = std::map<std::string, Attributes>;        // by element

  void read_class(const Element& element, const std::string& name, Class inherited);
  Quaternion turn_of(const Element& element) const;

  bool degrees_ = true, autolimits_ = true;
  std::string euler_ = "xyz", mesh_folder_;
  InertiaFrom inertia_ = InertiaFrom::either;
  std::map<std::string, Class> classes_;
  std::map<std::string, Mesh> meshes_;
};

}  // namespace carom::robots
