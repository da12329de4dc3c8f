#include "carom/simulate/forced/neighbours.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::simulate {

bool Neighbours::hold(const std::vector<Vector3>& places) const {
  if (listed_.size() != places.size()) return false;
  const double most = 0.25 * skin_ * skin_;
  double moved = 0;
  for (std::size_t i = 0; i < places.size(); ++i) moved = std::max(moved, (places[i] - listed_[i]).squaredNorm());
  return moved <= most;
}

void Neighbours::find(const std::vector<Vector3>& places) {
  const std::size_t n = places.size();
  listed_ = places;
  first_.assign(n + 1, 0);
  partner_.clear();
  if (n == 0) return;
  const double largest = *std::max_element(radii_->begin(), radii_->end());
  Vector3 low = Vector3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Vector3& x : places) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  // Cells as large as the reach of the largest ball; larger where that would make far more cells than balls.
  double edge = 2 * largest + skin_;
  const auto count = [&](double size) {
    return (((high - low) / size).array().floor() + 1).cwiseMin(1e9).matrix().eval();
  };
  Vector3 cells = count(edge);
  while (cells.prod() > 4.0 * static_cast<double>(n) + 64) {
    edge *= 1.26;
    cells = count(edge);
  }
  const int nx = static_cast<int>(cells.x()), ny = static_cast<int>(cells.y()), nz = static_cast<int>(cells.z());
  const auto index = [](double x, int most) { return std::min(static_cast<int>(x), most - 1); };
  cell_.resize(n);
  start_.assign(static_cast<std::size_t>(nx) * ny * nz + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const Vector3 at = (places[i] - low) / edge;
    cell_[i] = (index(at.z(), nz) * ny + index(at.y(), ny)) * nx + index(at.x(), nx);
    ++start_[cell_[i] + 1];
  }
  for (std::size_t c = 1; c < start_.size(); ++c) start_[c] += start_[c - 1];
  sorted_.resize(n);
  std::vector<int> next(start_.begin(), start_.end() - 1);
  for (std::size_t i = 0; i < n; ++i) sorted_[next[cell_[i]]++] = static_cast<int>(i);
  for (std::size_t i = 0; i < n; ++i) {
    first_[i] = partner_.size();
    const int c = cell_[i], cx = c % nx, cy = c / nx % ny, cz = c / nx / ny;
    for (int z = std::max(cz - 1, 0); z <= std::min(cz + 1, nz - 1); ++z)
      for (int y = std::max(cy - 1, 0); y <= std::min(cy + 1, ny - 1); ++y) {
        const int row = (z * ny + y) * nx;
        for (int s = start_[row + std::max(cx - 1, 0)]; s < start_[row + std::min(cx + 1, nx - 1) + 1]; ++s) {
          const int j = sorted_[s];
          if (j <= static_cast<int>(i)) continue;
          const double reach = (*radii_)[i] + (*radii_)[j] + skin_;
          if ((places[j] - places[i]).squaredNorm() < reach * reach) partner_.push_back(j);
        }
      }
  }
  first_[n] = partner_.size();
}

}  // namespace carom::simulate
