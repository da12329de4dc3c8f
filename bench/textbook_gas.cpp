#include "textbook_gas.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace carom::bench {

TextbookGas::TextbookGas(std::vector<Disc> discs, double radius, double box)
    : discs_(std::move(discs)),
      time_(discs_.size(), 0),
      count_(discs_.size(), 0),
      cell_(discs_.size(), 0),
      radius_(radius),
      box_(box) {
  side_ = std::max(1, static_cast<int>(std::sqrt(static_cast<double>(discs_.size()))));
  side_ = std::min(side_, std::max(1, static_cast<int>(box / (2 * radius))));
  edge_ = box / side_;
  cells_.resize(static_cast<std::size_t>(side_) * static_cast<std::size_t>(side_));
  const auto cell_at = [&](double x) { return std::clamp(static_cast<int>(x / edge_), 0, side_ - 1); };
  for (int i = 0; i < static_cast<int>(discs_.size()); ++i)
    enter(i, cell_at(discs_[i].x[1]) * side_ + cell_at(discs_[i].x[0]));
  for (int i = 0; i < static_cast<int>(discs_.size()); ++i) predict(i);
}

double TextbookGas::kinetic() const {
  double sum = 0;
  for (const Disc& disc : discs_) sum += 0.5 * (disc.v[0] * disc.v[0] + disc.v[1] * disc.v[1]);
  return sum;
}

void TextbookGas::move(int i) {
  const double dt = now_ - time_[i];
  for (int k = 0; k < 2; ++k) discs_[i].x[k] += dt * discs_[i].v[k];
  time_[i] = now_;
}

void TextbookGas::enter(int i, int cell) {
  cell_[i] = cell;
  cells_[cell].push_back(i);
}

void TextbookGas::cross(int i, int exit) {
  std::vector<int>& cell = cells_[cell_[i]];
  *std::find(cell.begin(), cell.end(), i) = cell.back();
  cell.pop_back();
  const int side = exit <= -5 ? -1 : 1;
  const bool along_x = exit == -3 || exit == -5;
  enter(i, cell_[i] + side * (along_x ? 1 : side_));
  along_x ? predict_neighbours(i, side, side, -1, 1) : predict_neighbours(i, -1, 1, side, side);
  predict_walls(i);
  predict_cell(i);
}

void TextbookGas::push(double after, int a, int b) {
  queue_.push_back({now_ + after, a, b, count_[a], b >= 0 ? count_[b] : 0});
  std::push_heap(queue_.begin(), queue_.end(), std::greater<>());
}

void TextbookGas::predict_pair(int a, int b) {
  const Disc &p = discs_[a], &q = discs_[b];
  const double late = now_ - time_[b];
  const double vx = q.v[0] - p.v[0], vy = q.v[1] - p.v[1];
  const double dx = q.x[0] + late * q.v[0] - p.x[0], dy = q.x[1] + late * q.v[1] - p.x[1];
  const double along = dx * vx + dy * vy;
  if (along >= 0) return;
  const double vv = vx * vx + vy * vy, room = dx * dx + dy * dy - 4 * radius_ * radius_;
  const double inside = along * along - vv * room;
  if (inside > 0) push(std::max(0.0, room / (-along + std::sqrt(inside))), a, b);
}

/// Walls of its own cell alone: others come when it has crossed.
void TextbookGas::predict_walls(int a) {
  const std::array<int, 2> place = {cell_[a] % side_, cell_[a] / side_};
  for (int k = 0; k < 2; ++k) {
    const double v = discs_[a].v[k], x = discs_[a].x[k];
    if (v < 0 && place[k] == 0) push(std::max(0.0, (radius_ - x) / v), a, -1 - k);
    if (v > 0 && place[k] == side_ - 1) push(std::max(0.0, (box_ - radius_ - x) / v), a, -1 - k);
  }
}

void TextbookGas::predict_cell(int a) {
  const std::array<int, 2> place = {cell_[a] % side_, cell_[a] / side_};
  double first = std::numeric_limits<double>::infinity();
  int exit = 0;
  for (int k = 0; k < 2; ++k) {
    const double v = discs_[a].v[k];
    const int side = v > 0 ? 1 : 0;
    if (v == 0 || place[k] + 2 * side - 1 < 0 || place[k] + 2 * side - 1 >= side_) continue;
    if (const double t = ((place[k] + side) * edge_ - discs_[a].x[k]) / v; t < first) {
      first = t;
      exit = (v > 0 ? -3 : -5) - k;
    }
  }
  if (exit < 0) push(std::max(0.0, first), a, exit);
}

/// With those in some cells, relative to its own.
void TextbookGas::predict_neighbours(int a, int from_x, int to_x, int from_y, int to_y) {
  const int x = cell_[a] % side_, y = cell_[a] / side_;
  for (int j = std::max(0, y + from_y); j <= std::min(side_ - 1, y + to_y); ++j)
    for (int i = std::max(0, x + from_x); i <= std::min(side_ - 1, x + to_x); ++i)
      for (const int b : cells_[j * side_ + i])
        if (b != a) predict_pair(a, b);
}

/// Everything that may happen to a disc, which was moved.
void TextbookGas::predict(int a) {
  predict_neighbours(a, -1, 1, -1, 1);
  predict_walls(a);
  predict_cell(a);
}

void TextbookGas::bounce(const Event& event) {
  ++impacts_;
  ++count_[event.a];
  if (event.b < 0) {
    discs_[event.a].v[-1 - event.b] *= -1;
    predict(event.a);
    return;
  }
  move(event.b);
  ++count_[event.b];
  Disc &p = discs_[event.a], &q = discs_[event.b];
  const double dx = q.x[0] - p.x[0], dy = q.x[1] - p.x[1];
  const double exchanged = (dx * (q.v[0] - p.v[0]) + dy * (q.v[1] - p.v[1])) / (dx * dx + dy * dy);
  p.v[0] += exchanged * dx;
  p.v[1] += exchanged * dy;
  q.v[0] -= exchanged * dx;
  q.v[1] -= exchanged * dy;
  predict(event.a);
  predict(event.b);
}

void TextbookGas::run(long impacts) {
  while (impacts_ < impacts && !queue_.empty()) {
    const Event event = queue_.front();
    std::pop_heap(queue_.begin(), queue_.end(), std::greater<>());
    queue_.pop_back();
    if (event.count_a != count_[event.a] || (event.b >= 0 && event.count_b != count_[event.b])) continue;
    now_ = event.t;
    move(event.a);
    if (event.b > -3) {
      bounce(event);
      continue;
    }
    cross(event.a, event.b);
  }
}

}  // namespace carom::bench
