#include "carom/waves/junctions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace carom::waves {
namespace {

/// The walls between the middles of two neighbours, from left to right.
std::vector<Wall> walls_between(const RodsProblem& problem, double from, double to) {
  std::vector<Wall> result;
  for (const Wall& wall : problem.walls)
    if (wall.position > from && wall.position < to) result.push_back(wall);
  std::stable_sort(result.begin(), result.end(), [](const Wall& a, const Wall& b) { return a.position < b.position; });
  return result;
}

double gap_between(double left, double right, double length) {
  const double touching = kTouching * std::max({std::abs(left), std::abs(right), length});
  return right - left > touching ? right - left : 0;
}

}  // namespace

std::vector<Junction> junctions_of(const RodsProblem& problem) {
  const auto& rods = problem.rods;
  const int count = static_cast<int>(rods.size());
  constexpr double kFar = std::numeric_limits<double>::infinity();
  std::vector<Junction> result;
  for (int i = 0; i <= count; ++i) {  // left of rod i
    const Rod* left = i > 0 ? &rods[i - 1] : nullptr;
    const Rod* right = i < count ? &rods[i] : nullptr;
    const double end = left ? left->position + left->length : 0;
    const std::vector<Wall> walls = walls_between(problem, left ? left->position + 0.5 * left->length : -kFar,
                                                  right ? right->position + 0.5 * right->length : kFar);
    const bool left_moves = left && !left->is_fixed(End::right), right_moves = right && !right->is_fixed(End::left);
    if (walls.empty()) {
      Junction junction{left ? i - 1 : kNone, right ? i : kNone, left ? left->name : "", right ? right->name : ""};
      junction.contact = left && right && (left_moves || right_moves);
      if (left && right) junction.gap = gap_between(end, right->position, std::max(left->length, right->length));
      result.push_back(junction);
      continue;
    }
    const Wall &first = walls.front(), &last = walls.back();
    if (left)
      result.push_back(
          {i - 1, kNone, left->name, first.name, left_moves, gap_between(end, first.position, left->length)});
    if (right)
      result.push_back(
          {kNone, i, last.name, right->name, right_moves, gap_between(last.position, right->position, right->length)});
  }
  return result;
}

std::vector<RodEnds> ends_of(const RodsProblem& problem, const std::vector<Junction>& junctions) {
  std::vector<RodEnds> result(problem.rods.size());
  for (int k = 0; k < static_cast<int>(junctions.size()); ++k) {
    if (junctions[k].left != kNone) result[junctions[k].left].right = k;
    if (junctions[k].right != kNone) result[junctions[k].right].left = k;
  }
  return result;
}

}  // namespace carom::waves
