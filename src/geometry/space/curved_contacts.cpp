#include "carom/geometry/space/curved_contacts.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/space/common_normal.h"
#include "carom/geometry/space/facing_points.h"
#include "carom/geometry/space/gjk.h"
#include "carom/numerics/decompositions.h"
#include "carom/numerics/linear_algebra.h"

namespace carom::geometry::space {
namespace {

/// How a first normal is sought: the part of the smaller size to which bodies are moved apart, and the accuracy of the
/// square of their distance then. Corners take part only if it is fine.
struct Search {
  double apart = 0.02, accuracy = 1e-6;
};
constexpr Search kSearches[] = {{0.02, 1e-10}, {0.2, 1e-13}, {0.005, 1e-13}};
constexpr double kMet = 1e-11;            // part of the size: a residual that ends the search
constexpr double kFinalResidual = 1e-13;  // part of the size: a residual that cannot be improved
constexpr double kUnrefined = 1e-6;       // part of the size
constexpr int kMostMoves = 12;
constexpr double kEqual = 1e-13;  // part of the size below which separations are equal

double separation(const Body& a, const Body& b, const Vector3& n) {
  return n.dot(b.support(-n) - a.support(n));
}

/// A normal from a to b to start from, the nearest points found with it, and the corners these are made of.
struct Start {
  Vector3 normal, point_a, point_b;
  std::vector<int> corners_a, corners_b;
};

std::vector<int> distinct(std::vector<int> corners) {
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  return corners;
}

/// The distance with b moved by `shift`.
Simplex distance(const Body& a, const Body& b, const Vector3& shift, const Vector3& direction, double accuracy) {
  const auto support = [&](const Vector3& d) {
    Difference result;
    result.point_a = a.support(-d, &result.corner_a);
    result.point_b = b.support(d, &result.corner_b) + shift;
    return result;
  };
  return gjk(support, direction, accuracy);
}

Start start_of(const Simplex& simplex, const Vector3& shift) {
  std::vector<int> corners_a, corners_b;
  for (int i = 0; i < simplex.size; ++i) {
    corners_a.push_back(simplex.points[i].corner_a);
    corners_b.push_back(simplex.points[i].corner_b);
  }
  return {simplex.nearest().stableNormalized(), simplex.point_a(), simplex.point_b() - shift, distinct(corners_a),
          distinct(corners_b)};
}

/// Of the line of centres and the shapes' own directions, the one along which they overlap least.
Vector3 least_overlap(const Body& a, const Body& b) {
  Vector3 best = (b.pose.position - a.pose.position).stableNormalized();
  if (!(best.squaredNorm() > 0.5)) best = a.directions.front();
  double most = separation(a, b, best);
  const auto offer = [&](const Vector3& n) {
    const double s = separation(a, b, n);
    if (s > most + 1e-9 * a.size) {
      most = s;
      best = n;
    }
  };
  for (const Vector3& n : a.directions) offer(n);
  for (const Vector3& n : b.directions) offer(-n);
  return best;
}

/// All corners about as far along n as the farthest, at most three: those a face or an edge rests on.
std::vector<int> farthest_corners(const Body& body, const Vector3& n) {
  std::vector<int> result;
  const double most = n.dot(body.support(n));
  for (std::size_t i = 0; i < body.corners.size() && result.size() < 3; ++i)
    if (n.dot(body.corners[i]) > most - 1e-6 * body.size) result.push_back(static_cast<int>(i));
  return result;
}

Start find_start(const Body& a, const Body& b, const Search& search) {
  const double small = std::min(a.size > 0 ? a.size : b.size, b.size > 0 ? b.size : a.size);
  const Simplex apart = distance(a, b, Vector3::Zero(), a.pose.position - b.pose.position, search.accuracy);
  if (apart.size < 4 && apart.nearest().norm() > search.apart * small) {
    Start start = start_of(apart, Vector3::Zero());
    if (separation(a, b, start.normal) > 0) return start;
  }
  // They overlap or nearly touch: move b out along the normal and look again, until the normal stays.
  Vector3 n = least_overlap(a, b);
  Start best{n, a.support(n), b.support(-n), farthest_corners(a, n), farthest_corners(b, -n)};
  double most = -std::numeric_limits<double>::infinity();
  for (int move = 0; move < kMostMoves; ++move) {
    const Vector3 shift = (std::max(0.0, -separation(a, b, n)) + search.apart * small) * n;
    const Simplex simplex = distance(a, b, shift, -n, search.accuracy);
    if (simplex.size == 4) break;
    const Start found = start_of(simplex, shift);
    const double s = separation(a, b, found.normal);
    if (s > most) {
      most = s;
      best = found;
    }
    const double change = (found.normal - n).norm();
    n = found.normal;
    if (change * change < search.accuracy) break;  // as well as it is known
  }
  return best;
}

/// Moves the points of the parts along their flat directions to face each other, near where the distance found them.
void slide(const Piece& a, const Piece& b, const Start& start, const Vector3& n, Vector3& point_a, Vector3& point_b) {
  const auto flats_a = static_cast<Index>(a.flats.size()), flats_b = static_cast<Index>(b.flats.size());
  if (flats_a + flats_b == 0) return;
  Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 4> F(3, flats_a + flats_b);
  for (Index i = 0; i < flats_a; ++i) F.col(i) = a.flats[i];
  for (Index i = 0; i < flats_b; ++i) F.col(flats_a + i) = -b.flats[i];
  const auto move = [&](const Vector3& by_a, const Vector3& by_b) {
    const auto along = [](const numerics::MatrixUpTo6& flats, const Vector3& v) -> Vector3 {
      return flats.cols() == 0 ? Vector3::Zero() : Vector3(flats * numerics::least_squares(flats, v));
    };
    point_a += along(F.leftCols(flats_a), by_a);
    point_b += along(F.rightCols(flats_b), by_b);
  };
  move(start.point_a - point_a, start.point_b - point_b);
  for (int pass = 0; pass < 2; ++pass) {
    const Vector3 rest = point_b - point_a - n.dot(point_b - point_a) * n;
    const numerics::VectorUpTo6 x = numerics::least_squares(F, rest);
    point_a += F.leftCols(flats_a) * x.head(flats_a);
    point_b -= F.rightCols(flats_b) * x.tail(flats_b);
  }
}

/// An answer with the separation along its normal and what is left of the tangential distance of its points.
struct Answer {
  ContactPoint contact;
  double separation = -std::numeric_limits<double>::infinity(), residual = 0;

  /// Larger separations are better; of equal ones the better met condition.
  bool better_than(const Answer& other, double size) const {
    if (separation > other.separation + kEqual * size) return true;
    return separation >= other.separation - kEqual * size && residual < other.residual;
  }
};

Answer answer(const Body& a, const Body& b, const Vector3& point_a, const Vector3& point_b, const Vector3& n,
              const Feature& feature) {
  const Vector3 across = point_b - point_a;
  const double gap = n.dot(across), s = separation(a, b, n);
  return {{gap - a.radius - b.radius, point_a + a.radius * n, point_b - b.radius * n, n, feature},
          s,
          (across - gap * n).norm() + std::abs(gap - s)};
}

Answer best_of_pieces(const Body& a, const Body& b, const Start& start) {
  const double size = std::max(a.size, b.size);
  Answer best = answer(a, b, start.point_a, start.point_b, start.normal,
                       {{Element::Kind::inside, 0}, {Element::Kind::inside, 0}});
  best.residual += kUnrefined * size;  // its normal is not exact though its points face each other
  for (const Piece& piece_a : pieces(a, start.normal, start.corners_a))
    for (const Piece& piece_b : pieces(b, -start.normal, start.corners_b)) {
      const CommonNormal found = common_normal(piece_a, piece_b, start.normal, a.dimension);
      if (!found.exists) continue;
      const Vector3& n = found.normal;
      Vector3 point_a = piece_a.x(n), point_b = piece_b.x(-n);
      slide(piece_a, piece_b, start, n, point_a, point_b);
      const Feature feature{piece_a.element(n), piece_b.element(-n)};
      const Answer next = answer(a, b, point_a, point_b, n, feature);
      if (next.better_than(best, size)) best = next;
      if (next.residual < kFinalResidual * size) continue;
      if (const auto points = facing_points(piece_a, piece_b, point_a, point_b)) {
        const Answer refined = answer(a, b, points->point_a, points->point_b, points->normal, feature);
        if (refined.better_than(best, size)) best = refined;
      }
    }
  return best;
}

/// Where no parts fit, deep inside each other: the farthest points along the normal, brought together.
ContactPoint halfway(const Body& a, const Body& b, const Answer& best) {
  const Vector3& n = best.contact.normal;
  const Vector3 middle = (a.support(n) + b.support(-n)) / 2, half = best.separation / 2 * n;
  return {best.separation - a.radius - b.radius,
          middle - half + a.radius * n,
          middle + half - b.radius * n,
          n,
          {{Element::Kind::inside, 1}, {Element::Kind::inside, 1}}};
}

}  // namespace

ContactPoint curved_contact(const Shape& shape_a, const Pose& pose_a, const Shape& shape_b, const Pose& pose_b,
                            Dimension dimension) {
  const Body a = body(shape_a, pose_a, dimension), b = body(shape_b, pose_b, dimension);
  const double size = std::max(a.size, b.size);
  const bool smooth = a.corners.empty() && b.corners.empty();
  Answer best = best_of_pieces(a, b, find_start(a, b, smooth ? Search{} : kSearches[0]));
  for (const Search& search : kSearches) {
    if (best.residual <= kMet * size) break;
    const Answer next = best_of_pieces(a, b, find_start(a, b, search));
    if (next.better_than(best, size)) best = next;
  }
  return best.residual <= kUnrefined * size ? best.contact : halfway(a, b, best);
}

}  // namespace carom::geometry::space
