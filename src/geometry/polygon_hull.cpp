// The convex hull of points in the plane: Andrew's monotone chain.

#include <algorithm>

#include "base/error.h"
#include "geometry/shape.h"

namespace carom::geometry {
namespace {

using Vector2 = Eigen::Vector2d;

constexpr double kFlatCorner = 1e-12;  // corners that stand out less than this part of the extent are superfluous

/// Drops the chain's last corners while they do not stand out to the right of the way to `next`.
void turn_left(std::vector<Vector2>& chain, std::size_t first, const Vector2& next, double flat) {
  while (chain.size() >= first + 2) {
    const Vector2 &o = chain[chain.size() - 2], &p = chain.back();
    const Vector2 way = next - o, step = p - o;
    if (step.x() * way.y() - step.y() * way.x() > flat * way.norm()) break;
    chain.pop_back();
  }
  chain.push_back(next);
}

}  // namespace

Polygon convex_polygon(const std::vector<Vector2>& points) {
  std::vector<Vector2> sorted = points;
  for (const Vector2& point : sorted)
    if (!point.allFinite()) throw InputError("points", "a coordinate is not finite");
  std::sort(sorted.begin(), sorted.end(),
            [](const Vector2& p, const Vector2& q) { return p.x() < q.x() || (p.x() == q.x() && p.y() < q.y()); });
  double extent = 0;
  for (const Vector2& point : sorted) extent = std::max(extent, (point - sorted.front()).cwiseAbs().maxCoeff());
  std::vector<Vector2> chain;
  for (const Vector2& point : sorted) turn_left(chain, 0, point, kFlatCorner * extent);
  const std::size_t upper = chain.size() - (chain.empty() ? 0 : 1);
  for (std::size_t i = sorted.size(); i-- > 1;) turn_left(chain, upper, sorted[i - 1], kFlatCorner * extent);
  if (!chain.empty()) chain.pop_back();
  if (chain.size() < 3)
    throw InputError("points", std::to_string(points.size()) + " points without area have no convex polygon");
  return {chain};
}

}  // namespace carom::geometry
