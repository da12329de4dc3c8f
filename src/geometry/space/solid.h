#pragma once

#include <vector>

#include "carom/geometry/pose.h"

namespace carom::geometry::space {

/// A solid with flat faces or round ends in the world: all points within `radius` of the convex hull of its corners.
/// One corner is a ball, two are a capsule; with more it has faces.
struct Solid {
  struct Edge {
    int from = 0, to = 0;       // corners
    int left = -1, right = -1;  // faces; a capsule's edge has none
  };
  std::vector<Vector3> corners;
  const std::vector<std::vector<int>>* faces = nullptr;  // of the shape, or of all boxes
  std::vector<Vector3> normals;                          // outward, one per face
  std::vector<Edge> edges;
  double radius = 0;

  Solid() = default;
  Solid(const std::vector<Vector3>& local, double radius, const Pose& pose);  // round, with corners of a shape's frame

  const std::vector<int>& face(std::size_t i) const { return (*faces)[i]; }
  Vector3 along(const Edge& edge) const { return corners[edge.to] - corners[edge.from]; }
  int farthest(const Vector3& direction) const;
  int facing(const Vector3& n) const;                               // the face with normal closest to n, or -1
  bool over(int number, const Vector3& point, double slack) const;  // does its foot lie in the face?
  std::vector<Edge> facing_edges(const Vector3& n) const;           // of that face, or a capsule's own
  double extent() const;  // of the corners from the first, or the radius if that is more
};

/// The sine of the angle below which edges are parallel and do not cross. Of faces on each other other edges cross at
/// the ends of such edges, so that no more than this part of the overlap is lost.
inline constexpr double kParallel = 1e-6;

/// The edges between faces, and the outward normal of a face.
std::vector<Solid::Edge> edges_of(const std::vector<std::vector<int>>& faces);
Vector3 normal_of(const std::vector<Vector3>& corners, const std::vector<int>& face);

}  // namespace carom::geometry::space
