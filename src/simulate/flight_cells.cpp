#include "carom/simulate/flight_cells.h"

#include <algorithm>
#include <cmath>

namespace carom::simulate {
namespace {

constexpr double kCellsAPoint = 8;  // at most: where the room is wider, the grid repeats itself in it

}  // namespace

FlightCells::FlightCells(std::size_t points, double edge, int axes, const Vector3& low, const Vector3& high,
                         const Vector3& periods)
    : axes_(axes), places_(points) {
  const double most = kCellsAPoint * static_cast<double>(points);
  double cells = 1;
  for (int k = 0; k < axes; ++k) {
    edge_[k] = edge;
    periodic_[k] = periods[k] > 0;
    any_periodic_ = any_periodic_ || periodic_[k];
  }
  // The widest direction is doubled as long as its cells do not reach.
  for (;;) {
    int widest = -1;
    double repeats = 1;
    for (int k = 0; k < axes; ++k) {
      const double cells_now = static_cast<double>(mask_[k] + 1);
      const double wide = (periodic_[k] ? periods[k] : high[k] - low[k]) / (edge * cells_now);
      if (wide > repeats && !(periodic_[k] && wide < 2)) {
        widest = k;
        repeats = wide;
      }
    }
    if (widest < 0 || 2 * cells > most) break;
    cells *= 2;
    mask_[widest] = 2 * mask_[widest] + 1;
    ++bits_[widest];
  }
  for (int k = 0; k < axes; ++k)
    if (periodic_[k]) edge_[k] = periods[k] / static_cast<double>(mask_[k] + 1);
  cells_.assign(static_cast<std::size_t>(cells), Cell{});
}

void FlightCells::insert(int point, const Vector3& x) {
  for (int k = 0; k < axes_; ++k) places_[point].cell[k] = static_cast<std::int64_t>(std::floor(x[k] / edge_[k]));
  link(point);
}

void FlightCells::cross(int point, int axis, int side) {
  unlink(point);
  places_[point].cell[axis] += side;
  link(point);
}

void FlightCells::link(int point) {
  Cell& cell = cells_[index(places_[point].cell)];
  for (int& one : cell.some)
    if (one < 0) {
      one = point;
      return;
    }
  places_[point].next = cell.more;
  places_[point].previous = -1;
  if (cell.more >= 0) places_[cell.more].previous = point;
  cell.more = point;
}

void FlightCells::unlink(int point) {
  const Place& place = places_[point];
  Cell& cell = cells_[index(place.cell)];
  for (int& one : cell.some)
    if (one == point) {
      one = -1;
      return;
    }
  if (place.next >= 0) places_[place.next].previous = place.previous;
  if (place.previous >= 0)
    places_[place.previous].next = place.next;
  else
    cell.more = place.next;
}

}  // namespace carom::simulate
