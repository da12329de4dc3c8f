#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "carom/geometry/pose.h"

namespace carom::simulate {

/// Cubic cells that points move through, in lists without allocation. Their grid repeats itself in every direction, so
/// that a fixed number of cells serves all of space: who shares a cell may still be far away.
class FlightCells {
 public:
  FlightCells() = default;

  /// Cells of this edge [m] for `points`, about as many as there are, over the room low .. high. `axes`: 1, 2 or 3.
  FlightCells(std::size_t points, double edge, int axes, const Vector3& low, const Vector3& high);

  double edge() const { return edge_; }
  void insert(int point, const Vector3& x);

  /// The walls of a point's cell along an axis.
  double low(int point, int axis) const { return static_cast<double>(places_[point].cell[axis]) * edge_; }
  double high(int point, int axis) const { return static_cast<double>(places_[point].cell[axis] + 1) * edge_; }

  /// Moves a point into the next cell along an axis, to the side +1 or -1.
  void cross(int point, int axis, int side);

  /// The other points in its cell and in those around it, each once.
  template <class Use>
  void for_near(int point, Use&& use) const {
    std::array<int, 3> from{}, to{};
    for (int k = 0; k < 3; ++k) {
      from[k] = mask_[k] > 1 ? -1 : 0;
      to[k] = mask_[k] > 0 ? 1 : 0;
    }
    for_cells(point, from, to, use);
  }

  /// Those of them that were not near before it crossed.
  template <class Use>
  void for_new(int point, int axis, int side, Use&& use) const {
    if (mask_[axis] <= 1) return;  // all of them are near, always
    std::array<int, 3> from{}, to{};
    for (int k = 0; k < 3; ++k) {
      from[k] = k == axis ? side : mask_[k] > 1 ? -1 : 0;
      to[k] = k == axis ? side : mask_[k] > 0 ? 1 : 0;
    }
    for_cells(point, from, to, use);
  }

 private:
  struct Place {
    std::array<std::int64_t, 3> cell{};
    int next = -1, previous = -1;  // in the list of its cell; -1: none
  };
  std::int64_t index(const std::array<std::int64_t, 3>& cell) const {
    return (((cell[2] & mask_[2]) << bits_[1] | (cell[1] & mask_[1])) << bits_[0]) | (cell[0] & mask_[0]);
  }
  void link(int point);
  void unlink(int point);

  template <class Use>
  void for_cells(int point, const std::array<int, 3>& from, const std::array<int, 3>& to, Use&& use) const {
    const std::array<std::int64_t, 3>& centre = places_[point].cell;
    for (int z = from[2]; z <= to[2]; ++z)
      for (int y = from[1]; y <= to[1]; ++y)
        for (int x = from[0]; x <= to[0]; ++x)
          for (int other = first_[index({centre[0] + x, centre[1] + y, centre[2] + z})]; other >= 0;
               other = places_[other].next)
            if (other != point) use(other);
  }

  double edge_ = 0;
  int axes_ = 0;
  std::array<std::int64_t, 3> mask_{};  // cells along an axis, a power of two, less one
  std::array<int, 3> bits_{};
  std::vector<int> first_;     // (cells) of the list of points in it; -1: none
  std::vector<Place> places_;  // (points)
};

}  // namespace carom::simulate
