#include "carom/simulate/flight_cells.h"

#include <algorithm>
#include <cmath>

namespace carom::simulate {
namespace {

constexpr double kCellsAPoint = 8;  // at most: where the room is wider, the grid repeats itself in it

}  // namespace

FlightCells::FlightCells(std::size_t points, double edge, int axes, const Vector3& low, const Vector3& high)
    : edge_(edge), axes_(axes), places_(points) {
  const double most = kCellsAPoint * static_cast<double>(points);
  double cells = 1;
  // The widest direction is doubled as long as its cells do not reach.
  for (;;) {
    int widest = -1;
    double repeats = 1;
    for (int k = 0; k < axes; ++k) {
      const double wide = (high[k] - low[k]) / (edge * static_cast<double>(mask_[k] + 1));
      if (wide > repeats) {
        widest = k;
        repeats = wide;
      }
    }
    if (widest < 0 || 2 * cells > most) break;
    cells *= 2;
    mask_[widest] = 2 * mask_[widest] + 1;
    ++bits_[widest];
  }
  first_.assign(static_cast<std::size_t>(cells), -1);
}

void FlightCells::insert(int point, const Vector3& x) {
  for (int k = 0; k < axes_; ++k) places_[point].cell[k] = static_cast<std::int64_t>(std::floor(x[k] / edge_));
  link(point);
}

void FlightCells::cross(int point, int axis, int side) {
  unlink(point);
  places_[point].cell[axis] += side;
  link(point);
}

void FlightCells::link(int point) {
  int& first = first_[index(places_[point].cell)];
  places_[point].next = first;
  places_[point].previous = -1;
  if (first >= 0) places_[first].previous = point;
  first = point;
}

void FlightCells::unlink(int point) {
  const Place& place = places_[point];
  if (place.next >= 0) places_[place.next].previous = place.previous;
  if (place.previous >= 0)
    places_[place.previous].next = place.next;
  else
    first_[index(place.cell)] = place.next;
}

}  // namespace carom::simulate
