#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "carom/simulate/archive.h"

namespace carom::simulate {

/// Cells that points move through, in lists without allocation. Their grid repeats itself in every direction, so that a
/// fixed number of cells serves all of space: who shares a cell may still be far away. Where space itself is periodic,
/// the grid repeats itself with it, and images of points are found in the cells where they are.
class FlightCells {
 public:
  FlightCells() = default;

  /// Cells of this edge [m] or a little wider for `points`, about as many as there are, over the room low .. high.
  /// `axes`: 1, 2 or 3; `periods` [m] of space, 0: none.
  FlightCells(std::size_t points, double edge, int axes, const Vector3& low, const Vector3& high,
              const Vector3& periods = Vector3::Zero());

  void insert(int point, const Vector3& x);

  /// The walls of a point's cell along an axis.
  double low(int point, int axis) const { return static_cast<double>(places_[point].cell[axis]) * edge_[axis]; }
  double high(int point, int axis) const { return static_cast<double>(places_[point].cell[axis] + 1) * edge_[axis]; }

  /// Whether cells could be wider along an axis: one cell is as wide as space where that is periodic.
  bool may_grow(int axis) const { return !periodic_[axis] || mask_[axis] > 0; }

  /// Moves a point into the next cell along an axis, to the side +1 or -1.
  void cross(int point, int axis, int side);

  /// The other points in its cell and in those around it: use(other, image), each once; where space is periodic each of
  /// their images there, which is the point moved by `image` [m].
  template <class Use>
  void for_near(int point, Use&& use) const {
    std::array<int, 3> from{}, to{};
    for (int k = 0; k < 3; ++k) {
      from[k] = periodic_[k] || mask_[k] > 1 ? -1 : 0;
      to[k] = periodic_[k] || mask_[k] > 0 ? 1 : 0;
    }
    for_cells(point, from, to, use);
  }

  /// Those of them that were not near before it crossed.
  template <class Use>
  void for_new(int point, int axis, int side, Use&& use) const {
    if (mask_[axis] <= 1 && !periodic_[axis]) return;  // all of them are near, always
    std::array<int, 3> from{}, to{};
    for (int k = 0; k < 3; ++k) {
      from[k] = k == axis ? side : periodic_[k] || mask_[k] > 1 ? -1 : 0;
      to[k] = k == axis ? side : periodic_[k] || mask_[k] > 0 ? 1 : 0;
    }
    for_cells(point, from, to, use);
  }

  void archived(Archive& archive) { archive& edge_& periodic_& any_periodic_& axes_& mask_& bits_& cells_& places_; }

 private:
  struct Place {
    std::array<std::int64_t, 3> cell{};
    int next = -1, previous = -1;  // in the list of its cell, where it is in that; -1: none

    void archived(Archive& archive) { archive& cell& next& previous; }
  };
  /// The points of a cell: three of them, which are read at once, and a list of the others.
  struct Cell {
    std::array<int, 3> some = {-1, -1, -1};
    int more = -1;

    void archived(Archive& archive) { archive& some& more; }
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
        for (int x = from[0]; x <= to[0]; ++x) {
          const std::array<std::int64_t, 3> cell = {centre[0] + x, centre[1] + y, centre[2] + z};
          const Cell& here = cells_[index(cell)];
          for (const int other : here.some)
            if (other >= 0 && other != point) use(other, image(other, cell));
          for (int other = here.more; other >= 0; other = places_[other].next)
            if (other != point) use(other, image(other, cell));
        }
  }

  /// From a point to its image in a cell.
  Vector3 image(int point, const std::array<std::int64_t, 3>& cell) const {
    Vector3 away = Vector3::Zero();
    if (!any_periodic_) return away;
    for (std::size_t k = 0; k < 3; ++k)
      if (periodic_[k])
        away[static_cast<Eigen::Index>(k)] = static_cast<double>(cell[k] - places_[point].cell[k]) * edge_[k];
    return away;
  }

  std::array<double, 3> edge_{};  // [m]
  std::array<bool, 3> periodic_{};
  bool any_periodic_ = false;
  int axes_ = 0;
  std::array<std::int64_t, 3> mask_{};  // cells along an axis, a power of two, less one
  std::array<int, 3> bits_{};
  std::vector<Cell> cells_;    // (cells)
  std::vector<Place> places_;  // (points)
};

}  // namespace carom::simulate
