#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "carom/base/error.h"
#include "carom/geometry/shapes/polytope.h"

namespace carom::geometry {
namespace {

constexpr double kConvex = 1e-3;  // part of the extent by which a face may stand back from the hull

struct Face {
  std::vector<int> corners;
  int line = 0;
  std::string object, group;
};
struct Mesh {
  std::vector<Vector3> points;
  std::vector<Face> faces;
};

[[noreturn]] void fail(int line, const std::string& rule) {
  throw InputError("line " + std::to_string(line), rule);
}

std::vector<std::string> words(std::string_view line) {
  std::vector<std::string> result;
  const std::string_view blanks = " \t\r\v\f";
  line = line.substr(0, line.find('#'));
  while (true) {
    const std::size_t start = line.find_first_not_of(blanks);
    if (start == std::string_view::npos) return result;
    line.remove_prefix(start);
    const std::size_t length = std::min(line.find_first_of(blanks), line.size());
    result.emplace_back(line.substr(0, length));
    line.remove_prefix(length);
  }
}

double number(const std::string& word, int line) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (end == word.c_str() || *end != '\0' || !std::isfinite(value)) fail(line, "'" + word + "' is not a number");
  return value;
}

int corner(const std::string& word, int line, int points) {
  char* end = nullptr;
  const long value = std::strtol(word.c_str(), &end, 10);
  if (end == word.c_str() || (*end != '\0' && *end != '/')) fail(line, "'" + word + "' is not the number of a point");
  const long index = value > 0 ? value - 1 : points + value;
  if (value == 0 || index < 0 || index >= points)
    fail(line, "a face names point " + word + ", but " + std::to_string(points) + " points are known here");
  return static_cast<int>(index);
}

/// The name behind `o` or `g`.
std::string name_of_piece(const std::vector<std::string>& parts) {
  std::string name;
  for (std::size_t i = 1; i < parts.size(); ++i) name += (i == 1 ? "" : " ") + parts[i];
  return name;
}

Mesh parse(std::string_view text) {
  Mesh mesh;
  std::string object, group;
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t length = std::min(text.find('\n'), text.size());
    const std::vector<std::string> parts = words(text.substr(0, length));
    text.remove_prefix(std::min(length + 1, text.size()));
    if (parts.empty()) continue;
    if (parts[0] == "v") {
      if (parts.size() < 4) fail(line, "a point has three coordinates");
      mesh.points.emplace_back(number(parts[1], line), number(parts[2], line), number(parts[3], line));
    } else if (parts[0] == "f") {
      Face face{{}, line, object, group};
      for (std::size_t i = 1; i < parts.size(); ++i)
        face.corners.push_back(corner(parts[i], line, static_cast<int>(mesh.points.size())));
      if (face.corners.size() < 3) fail(line, "a face has at least three corners");
      mesh.faces.push_back(face);
    } else if (parts[0] == "o") {
      object = name_of_piece(parts);
    } else if (parts[0] == "g") {
      group = name_of_piece(parts);
    }
  }
  return mesh;
}

/// How far inside the hull a point lies.
double depth(const Polytope& hull, const std::vector<Vector3>& normals, const Vector3& point) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < normals.size(); ++i)
    least = std::min(least, normals[i].dot(hull.corners[hull.faces[i][0]] - point));
  return least;
}

/// A face that is not on the hull.
struct Inside {
  double part = 0;  // of the extent: how far inside
  int line = 0;     // where it stands; 0: there is none
};

/// The first face with a corner or its middle inside the hull.
Inside first_inside(const Mesh& mesh, const Polytope& hull) {
  std::vector<Vector3> normals;
  double extent = 0;
  for (const std::vector<int>& face : hull.faces) {
    const Vector3& o = hull.corners[face[0]];
    normals.push_back((hull.corners[face[1]] - o).cross(hull.corners[face[2]] - o).stableNormalized());
  }
  for (const Vector3& c : hull.corners) extent = std::max(extent, (c - hull.corners[0]).cwiseAbs().maxCoeff());
  for (const Face& face : mesh.faces) {
    Vector3 middle = Vector3::Zero();
    double inside = 0;
    for (const int i : face.corners) {
      middle += mesh.points[i] / static_cast<double>(face.corners.size());
      inside = std::max(inside, depth(hull, normals, mesh.points[i]));
    }
    inside = std::max(inside, depth(hull, normals, middle)) / extent;
    if (inside > kConvex) return {inside, face.line};
  }
  return {};
}

/// Points of no face do not count, where there are faces.
Polytope hull_of(const Mesh& mesh, const std::string& what) {
  std::vector<Vector3> points = mesh.points;
  if (!mesh.faces.empty()) points.clear();
  for (const Face& face : mesh.faces)
    for (const int i : face.corners) points.push_back(mesh.points[i]);
  if (points.size() < 4)
    throw InputError("", what + " has " + std::to_string(points.size()) + " points; a solid has 4");
  return convex_polytope(points);
}

/// The faces by objects, or by groups if there are no objects.
std::vector<Mesh> pieces_of(const Mesh& mesh) {
  const bool by_object =
      std::any_of(mesh.faces.begin(), mesh.faces.end(), [](const Face& face) { return !face.object.empty(); });
  std::vector<std::string> names;
  std::vector<Mesh> pieces;
  for (const Face& face : mesh.faces) {
    const std::string& name = by_object ? face.object : face.group;
    const auto known = std::find(names.begin(), names.end(), name);
    const std::size_t i = static_cast<std::size_t>(known - names.begin());
    if (known == names.end()) {
      names.push_back(name);
      pieces.push_back({mesh.points, {}});
    }
    pieces[i].faces.push_back(face);
  }
  return pieces;
}

[[noreturn]] void fail_not_convex(const Inside& inside, const std::string& what) {
  fail(inside.line, what + " is not convex: this face lies " + std::to_string(100 * inside.part) +
                        " % of the extent inside the convex hull; split it into convex pieces, each an object (\"o\") "
                        "of the file: CoACD and V-HACD do that, or a modeller such as Blender");
}

}  // namespace

ObjSolid read_obj(std::string_view text, std::size_t piece) {
  const Mesh mesh = parse(text);
  Polytope whole = hull_of(mesh, "the mesh");
  const Inside inside = first_inside(mesh, whole);
  if (inside.line == 0) return {std::move(whole), 1};
  const std::vector<Mesh> pieces = pieces_of(mesh);
  if (pieces.size() < 2) fail_not_convex(inside, "the mesh");
  const Mesh& chosen = pieces.at(piece);
  const std::string name =
      chosen.faces.front().object.empty() ? chosen.faces.front().group : chosen.faces.front().object;
  const std::string what = name.empty() ? "a piece without a name" : "\"" + name + "\"";
  Polytope hull = hull_of(chosen, what);
  if (const Inside of_piece = first_inside(chosen, hull); of_piece.line > 0) fail_not_convex(of_piece, what);
  return {std::move(hull), pieces.size()};
}

}  // namespace carom::geometry
