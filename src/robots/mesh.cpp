#include "carom/robots/mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numbers>
#include <tuple>

#include "carom/base/error.h"
#include "carom/geometry/shapes/polytope.h"

namespace carom::robots {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostCorners = 120;  // of a hull that is written
constexpr std::uintmax_t kMostBytes = 200'000'000;
constexpr std::size_t kStlHeader = 84, kStlFacet = 50;
constexpr std::string_view kPackage = "package://";

bool stays_inside(const fs::path& path, const fs::path& folder) {
  const fs::path relative =
      fs::absolute(path).lexically_normal().lexically_relative(fs::absolute(folder).lexically_normal());
  return !relative.empty() && *relative.begin() != "..";
}

std::string read_bytes(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Nothing, and why, where the name leads nowhere that may be read.
std::optional<fs::path> path_of(const std::string& name, const ReadOptions& options, std::string& why) {
  std::string rest = name;
  fs::path folder = options.folder;
  const bool in_package = name.starts_with(kPackage);
  if (in_package) {
    rest = name.substr(kPackage.size());
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const auto known = options.packages.find(rest.substr(0, slash));
    if (known == options.packages.end()) {
      why = fmt::format("say where its package is: --package {}=FOLDER", rest.substr(0, slash));
      return std::nullopt;
    }
    folder = known->second;
    rest.erase(0, std::min(slash + 1, rest.size()));
  } else if (name.find("://") != std::string::npos) {
    why = "only names relative to the file and package:// are read";
    return std::nullopt;
  }
  std::error_code ignored;
  const fs::path path = folder / rest;
  if (!stays_inside(path, in_package ? folder : fs::path(options.root))) {
    why = in_package ? "it leads out of its package"
                     : "it leads out of the folder of the robot; --meshes FOLDER allows another one";
    return std::nullopt;
  }
  if (!fs::is_regular_file(path, ignored)) {
    why = "there is no such file";
    return std::nullopt;
  }
  if (fs::file_size(path, ignored) > kMostBytes) {
    why = "it is larger than 200 MB";
    return std::nullopt;
  }
  return path;
}

/// `v x y z` of an OBJ text, `vertex x y z` of an STL text.
std::vector<Vector3> points_of_text(const Element& at, const std::string& name, const std::string& text,
                                    std::string_view word) {
  std::vector<Vector3> points;
  std::size_t line = 0;
  for (std::size_t start = 0; start < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::size_t first = text.find_first_not_of(" \t", start);
    if (first < end && text.compare(first, word.size(), word) == 0 && first + word.size() < end &&
        (text[first + word.size()] == ' ' || text[first + word.size()] == '\t')) {
      const std::string numbers = text.substr(first + word.size(), end - first - word.size());
      const char* next = numbers.c_str();
      Vector3 point;
      for (Index i = 0; i < 3; ++i) {
        char* after = nullptr;
        point[i] = std::strtod(next, &after);
        if (after == next || !std::isfinite(point[i]))
          fail(at, fmt::format("mesh {}, line {}: a point has three finite numbers", name, line + 1));
        next = after;
      }
      points.push_back(point);
    }
    start = end + 1;
  }
  return points;
}

std::vector<Vector3> points_of_binary_stl(const Element& at, const std::string& name, const std::string& bytes) {
  std::uint32_t count = 0;
  if (bytes.size() >= kStlHeader) std::memcpy(&count, bytes.data() + kStlHeader - 4, 4);
  if (bytes.size() < kStlHeader || bytes.size() < kStlHeader + kStlFacet * count)
    fail(at, fmt::format("mesh {} is no STL: {} bytes are too few for {} facets", name, bytes.size(), count));
  std::vector<Vector3> points;
  points.reserve(3 * static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t corner = 0; corner < 3; ++corner) {
      float xyz[3];
      std::memcpy(xyz, bytes.data() + kStlHeader + kStlFacet * i + 12 * (corner + 1), sizeof xyz);
      points.emplace_back(xyz[0], xyz[1], xyz[2]);
      if (!points.back().allFinite()) fail(at, fmt::format("mesh {}: facet {} has no finite numbers", name, i + 1));
    }
  return points;
}

bool is_text_stl(const std::string& bytes) {
  if (!bytes.starts_with("solid")) return false;
  std::uint32_t count = 0;
  if (bytes.size() >= kStlHeader) std::memcpy(&count, bytes.data() + kStlHeader - 4, 4);
  return bytes.size() != kStlHeader + kStlFacet * static_cast<std::size_t>(count);
}

/// The points farthest in directions spread evenly over the sphere, each once. The directions are their own mirror
/// images, so that a left and a right foot lose the same corners.
std::vector<Vector3> outermost(const std::vector<Vector3>& points, std::size_t directions) {
  std::vector<std::size_t> chosen;
  const std::size_t octant = directions / 8;
  for (std::size_t k = 0; k < directions; ++k) {
    const double share = (static_cast<double>(k / 8) + 0.5) / static_cast<double>(octant);
    const double golden = 0.5 * (std::sqrt(5.0) - 1) * static_cast<double>(k / 8 + 1);
    const double turn = 0.5 * std::numbers::pi * (golden - std::floor(golden)), r = std::sqrt(1 - share * share);
    const Vector3 signs(k & 1 ? -1 : 1, k & 2 ? -1 : 1, k & 4 ? -1 : 1);
    const Vector3 direction = signs.cwiseProduct(Vector3(r * std::cos(turn), r * std::sin(turn), share));
    std::size_t best = 0;
    for (std::size_t i = 1; i < points.size(); ++i)
      if (points[i].dot(direction) > points[best].dot(direction)) best = i;
    chosen.push_back(best);
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  std::vector<Vector3> result;
  for (const std::size_t i : chosen) result.push_back(points[i]);
  return result;
}

/// Each point once: facets share their corners.
std::vector<Vector3> distinct(std::vector<Vector3> points) {
  const auto before = [](const Vector3& a, const Vector3& b) {
    return std::tie(a.x(), a.y(), a.z()) < std::tie(b.x(), b.y(), b.z());
  };
  std::sort(points.begin(), points.end(), before);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

std::string ending_of(const fs::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return ending;
}

}  // namespace

Hull read_hull(const Element& at, const std::string& name, const Vector3& scale, const ReadOptions& options) {
  Hull hull;
  std::string why;
  const std::optional<fs::path> path = path_of(name, options, why);
  if (!path) {
    hull.note = fmt::format("mesh {}: {}", name, why);
    return hull;
  }
  const std::string ending = ending_of(*path);
  if (ending != ".obj" && ending != ".stl") {
    hull.note = fmt::format("mesh {}: only OBJ and STL are read", name);
    return hull;
  }
  std::vector<Vector3> points;
  const std::string bytes = read_bytes(*path);
  if (ending == ".obj")
    points = points_of_text(at, name, bytes, "v");
  else
    points = is_text_stl(bytes) ? points_of_text(at, name, bytes, "vertex") : points_of_binary_stl(at, name, bytes);
  if (points.size() < 4) fail(at, fmt::format("mesh {} has {} points; a solid has at least 4", name, points.size()));
  for (Vector3& point : points) point = point.cwiseProduct(scale);
  points = distinct(std::move(points));
  constexpr std::size_t few = 400;
  const std::size_t all = points.size();
  bool reduced = points.size() > few;
  if (reduced) points = outermost(points, few);
  try {
    hull.corners = geometry::convex_polytope(points).corners;
    if (hull.corners.size() > kMostCorners) {
      reduced = true;
      points = outermost(hull.corners, kMostCorners);
      hull.corners = geometry::convex_polytope(points).corners;
    }
  } catch (const InputError& error) {
    return {{}, fmt::format("mesh {}: {}", name, error.rule)};
  }
  if (reduced)
    hull.note = fmt::format("mesh {}: a convex hull of {} corners for {} points", name, hull.corners.size(), all);
  return hull;
}

}  // namespace carom::robots
