#include "carom/robots/mjcf_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace carom::robots {
namespace {

const std::string kMain = "main";

Vector3 three(const std::vector<double>& numbers, std::size_t first = 0) {
  return {numbers[first], numbers[first + 1], numbers[first + 2]};
}

Vector3 direction(const Element& at, const Vector3& v) {
  if (!(v.norm() > 0)) fail(at, fmt::format("<{}> has a direction of length 0", at.name));
  return v.normalized();
}

}  // namespace

MjcfSettings::MjcfSettings(const Element& root, const ReadOptions&) {
  std::string assets;
  for (const Element& part : root.children) {
    if (part.name == "compiler") {
      if (const std::string* angle = part.find("angle")) degrees_ = *angle != "radian";
      if (const std::string* limits = part.find("autolimits")) autolimits_ = *limits != "false";
      if (const std::string* order = part.find("eulerseq")) euler_ = *order;
      if (const std::string* folder = part.find("assetdir")) assets = *folder;
      if (const std::string* folder = part.find("meshdir")) mesh_folder_ = *folder;
      if (const std::string* from = part.find("inertiafromgeom"))
        inertia_ = *from == "true" ? InertiaFrom::shapes : *from == "false" ? InertiaFrom::told : InertiaFrom::either;
      if (const std::string* frame = part.find("coordinate"); frame != nullptr && *frame == "global")
        fail(part, "coordinate = \"global\" is not read; convert the model to local coordinates");
      const bool known = euler_.size() == 3 && std::all_of(euler_.begin(), euler_.end(), [](char c) {
                           return std::string_view("xyzXYZ").find(c) != std::string_view::npos;
                         });
      if (!known) fail(part, fmt::format("eulerseq = \"{}\" is not three of x, y, z, X, Y, Z", euler_));
    } else if (part.name == "default") {
      const std::string* name = part.find("class");
      read_class(part, name != nullptr ? *name : kMain, {});
    }
  }
  if (mesh_folder_.empty()) mesh_folder_ = assets;
  for (const Element& part : root.children) {
    if (part.name != "asset") continue;
    for (const Element& asset : part.children) {
      if (asset.name != "mesh") continue;
      const Element whole = with_defaults(asset, "");
      const std::string* file = whole.find("file");
      if (file == nullptr) continue;
      const std::string* name = whole.find("name");
      Mesh mesh{whole, (std::filesystem::path(mesh_folder_) / *file).generic_string(), Vector3::Ones()};
      if (whole.find("scale") != nullptr) mesh.scale = three(numbers_of(whole, "scale", 3, 3));
      meshes_[name != nullptr ? *name : std::filesystem::path(*file).stem().string()] = mesh;
    }
  }
}

void MjcfSettings::read_class(const Element& element, const std::string& name, Class inherited) {
  for (const Element& part : element.children)
    if (part.name != "default")
      for (const auto& [key, value] : part.attributes) inherited[part.name][key] = value;
  classes_[name] = inherited;
  if (!classes_.contains(kMain)) classes_[kMain] = inherited;
  for (const Element& part : element.children)
    if (part.name == "default") read_class(part, required(part, "class"), inherited);
}

Element MjcfSettings::with_defaults(const Element& element, const std::string& childclass) const {
  const std::string* own = element.find("class");
  const std::string& name = own != nullptr ? *own : childclass.empty() ? kMain : childclass;
  const auto found = classes_.find(name);
  if (found == classes_.end()) {
    if (name == kMain) return element;
    fail(element, fmt::format("class = \"{}\" is no <default>", name));
  }
  Element result = element;
  constexpr std::array<std::string_view, 5> turns = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};
  const bool turned =
      std::any_of(turns.begin(), turns.end(), [&](std::string_view key) { return element.find(key) != nullptr; });
  if (const auto given = found->second.find(element.name); given != found->second.end())
    for (const auto& [key, value] : given->second)
      if (result.find(key) == nullptr && !(turned && std::find(turns.begin(), turns.end(), key) != turns.end()))
        result.attributes.emplace_back(key, value);
  return result;
}

Quaternion MjcfSettings::turn_of(const Element& element) const {
  if (element.find("quat") != nullptr) {
    const std::vector<double> q = numbers_of(element, "quat", 4, 4);
    const Quaternion turn(q[0], q[1], q[2], q[3]);
    if (!(turn.norm() > 0)) fail(element, "quat has length 0");
    return turn.normalized();
  }
  if (element.find("axisangle") != nullptr) {
    const std::vector<double> numbers = numbers_of(element, "axisangle", 4, 4);
    return Quaternion(Eigen::AngleAxisd(radians(numbers[3]), direction(element, three(numbers))));
  }
  if (element.find("euler") != nullptr) {
    const Vector3 angles = three(numbers_of(element, "euler", 3, 3));
    Quaternion turn = Quaternion::Identity();
    for (Index i = 0; i < 3; ++i) {
      const char axis = euler_[static_cast<std::size_t>(i)];
      const bool moving = axis >= 'x';
      const Quaternion one(Eigen::AngleAxisd(radians(angles[i]), Vector3::Unit(axis - (moving ? 'x' : 'X'))));
      turn = moving ? turn * one : one * turn;
    }
    return turn;
  }
  if (element.find("xyaxes") != nullptr) {
    const std::vector<double> numbers = numbers_of(element, "xyaxes", 6, 6);
    const Vector3 x = direction(element, three(numbers));
    const Vector3 y = direction(element, three(numbers, 3) - x.dot(three(numbers, 3)) * x);
    Matrix3 R;
    R << x, y, x.cross(y);
    return Quaternion(R);
  }
  if (element.find("zaxis") != nullptr)
    return Quaternion::FromTwoVectors(Vector3::UnitZ(), direction(element, three(numbers_of(element, "zaxis", 3, 3))));
  return Quaternion::Identity();
}

Pose MjcfSettings::pose_of(const Element& element) const {
  const bool moved = element.find("pos") != nullptr;
  return {moved ? three(numbers_of(element, "pos", 3, 3)) : Vector3::Zero(), turn_of(element)};
}

bool MjcfSettings::has_limits(const Element& joint) const {
  const std::string* limited = joint.find("limited");
  if (limited != nullptr && *limited != "auto") return *limited == "true";
  return autolimits_ && joint.find("range") != nullptr;
}

const MjcfSettings::Mesh* MjcfSettings::mesh(const std::string& name) const {
  const auto found = meshes_.find(name);
  return found == meshes_.end() ? nullptr : &found->second;
}

}  // namespace carom::robots
