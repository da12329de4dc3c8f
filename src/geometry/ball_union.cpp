#include "carom/geometry/ball_union.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>

namespace carom::geometry {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kRays = 400;  // along each axis, through balls of which three overlap

/// Volume, first and second moments about the origin.
struct Moments {
  double volume = 0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();

  /// Adds a solid with moments along an axis through a point: V, integral z, integral z^2, integral x^2 = that of y^2.
  void add(double sign, const Vector3& at, const Vector3& axis, double V, double z, double zz, double xx) {
    const Vector3 own = z * axis;
    const Matrix3 along = axis * axis.transpose();
    volume += sign * V;
    first += sign * (V * at + own);
    second += sign * (V * at * at.transpose() + at * own.transpose() + own * at.transpose() + zz * along +
                      xx * (Matrix3::Identity() - along));
  }
};

void add_ball(const Ball& ball, Moments& sum) {
  const double r = ball.radius, V = 4.0 / 3 * kPi * r * r * r, square = V * r * r / 5;
  sum.add(1, ball.centre, Vector3::UnitX(), V, 0, square, square);
}

/// Takes away the cap of a ball beyond the plane z = d of its axis, -r <= d <= r.
void take_cap(const Ball& ball, const Vector3& axis, double d, Moments& sum) {
  const double r = ball.radius, r2 = r * r;
  const auto over = [&](auto antiderivative) { return antiderivative(r) - antiderivative(d); };
  const double V = kPi * over([&](double z) { return r2 * z - z * z * z / 3; });
  const double first = kPi * over([&](double z) { return r2 * z * z / 2 - z * z * z * z / 4; });
  const double zz = kPi * over([&](double z) { return r2 * z * z * z / 3 - std::pow(z, 5) / 5; });
  const double xx = kPi / 4 * over([&](double z) { return r2 * r2 * z - 2 * r2 * z * z * z / 3 + std::pow(z, 5) / 5; });
  sum.add(-1, ball.centre, axis, V, first, zz, xx);
}

bool balls_overlap(const Ball& a, const Ball& b) {
  return (a.centre - b.centre).norm() < a.radius + b.radius;
}

/// What two balls have in common lies beyond the plane of their circle, a cap of each.
void take_lens(const Ball& a, const Ball& b, Moments& sum) {
  const Vector3 way = b.centre - a.centre;
  const double distance = way.norm();
  const Vector3 axis = way / distance;
  const double d = (distance * distance + a.radius * a.radius - b.radius * b.radius) / (2 * distance);
  take_cap(a, axis, std::clamp(d, -a.radius, a.radius), sum);
  take_cap(b, -axis, std::clamp(distance - d, -b.radius, b.radius), sum);
}

/// In an order of their own, without those inside others.
std::vector<Ball> visible(std::vector<Ball> balls) {
  std::sort(balls.begin(), balls.end(), [](const Ball& a, const Ball& b) {
    return std::tuple(-a.radius, a.centre.x(), a.centre.y(), a.centre.z()) <
           std::tuple(-b.radius, b.centre.x(), b.centre.y(), b.centre.z());
  });
  std::vector<Ball> kept;
  for (const Ball& ball : balls)
    if (std::none_of(kept.begin(), kept.end(), [&](const Ball& larger) {
          return (larger.centre - ball.centre).norm() + ball.radius <= larger.radius;
        }))
      kept.push_back(ball);
  return kept;
}

/// Pairs that overlap, and whether three do, two by two.
struct Overlaps {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  bool triple = false;
};
Overlaps overlaps_of(const std::vector<Ball>& balls) {
  Overlaps found;
  std::vector<std::vector<std::size_t>> later(balls.size());
  for (std::size_t i = 0; i < balls.size(); ++i)
    for (std::size_t j = i + 1; j < balls.size(); ++j)
      if (balls_overlap(balls[i], balls[j])) {
        found.pairs.emplace_back(i, j);
        later[i].push_back(j);
      }
  for (const std::vector<std::size_t>& others : later)
    for (std::size_t i = 0; i < others.size() && !found.triple; ++i)
      for (std::size_t j = i + 1; j < others.size() && !found.triple; ++j)
        found.triple = balls_overlap(balls[others[i]], balls[others[j]]);
  return found;
}

/// Along rays parallel to x: each covers intervals, whose union is exact.
Moments by_rays(const std::vector<Ball>& balls) {
  Vector3 low = balls[0].centre, high = low;
  for (const Ball& ball : balls) {
    low = low.cwiseMin(ball.centre - Vector3::Constant(ball.radius));
    high = high.cwiseMax(ball.centre + Vector3::Constant(ball.radius));
  }
  const double dy = (high.y() - low.y()) / kRays, dz = (high.z() - low.z()) / kRays;
  Moments sum;
  std::vector<std::pair<double, double>> intervals;
  for (int i = 0; i < kRays; ++i)
    for (int j = 0; j < kRays; ++j) {
      const double y = low.y() + (i + 0.5) * dy, z = low.z() + (j + 0.5) * dz;
      intervals.clear();
      for (const Ball& ball : balls) {
        const double off = std::hypot(y - ball.centre.y(), z - ball.centre.z());
        if (off >= ball.radius) continue;
        const double half = std::sqrt((ball.radius - off) * (ball.radius + off));
        intervals.emplace_back(ball.centre.x() - half, ball.centre.x() + half);
      }
      std::sort(intervals.begin(), intervals.end());
      for (std::size_t k = 0; k < intervals.size();) {
        auto [begin, end] = intervals[k];
        for (++k; k < intervals.size() && intervals[k].first <= end; ++k) end = std::max(end, intervals[k].second);
        const double length = end - begin, middle = (begin + end) / 2;
        const Vector3 at(middle, y, z);
        sum.add(dy * dz, at, Vector3::UnitX(), length, 0, length * length * length / 12, 0);
      }
    }
  return sum;
}

}  // namespace

MassProperties union_of_balls(std::vector<Ball> balls) {
  balls = visible(std::move(balls));
  const Overlaps overlaps = overlaps_of(balls);
  Moments sum;
  if (overlaps.triple) {
    sum = by_rays(balls);
  } else {
    for (const Ball& ball : balls) add_ball(ball, sum);
    for (const auto& [i, j] : overlaps.pairs) take_lens(balls[i], balls[j], sum);
  }
  const Vector3 centre = sum.first / sum.volume;
  return from_moments(sum.volume, centre, sum.second - sum.volume * centre * centre.transpose());
}

}  // namespace carom::geometry
