#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "carom/model/contact_rules.h"
#include "carom/simulate/impacts.h"

namespace carom::simulate {

/// Discs or balls that fly freely between impacts with each other and with fixed flat walls: a gas. Each body is on a
/// parabola of its own and is moved only when something happens to it; the times at which two meet are roots of a
/// quadratic, kept in a queue. For many, a grid of cells limits who can meet whom; its cells grow until balls meet
/// others about as often as they pass from cell to cell, so that flight costs what it meets, not how far it leads. An
/// impact costs about log(bodies).
class FreeFlight {
 public:
  /// No joints, springs or loads, every free body one centred ball, every wall fixed and flat.
  static bool applies(const Model& model);

  FreeFlight(const Model& model, const ContactRules& rules, Impacts& impacts, const State& state);

  /// Flies on until `t`, telling `after_impact` the time of each impact. Returns false if it had to stop earlier,
  /// because a contact is about to stay closed or an impact has no answer.
  bool advance(double t, const std::function<bool(double)>& after_impact);

  /// Everything at the time that was reached.
  const State& state();

 private:
  struct Meeting {
    double t = 0;
    int a = -1, b = -1;  // bodies; b = a: a leaves its cell
    std::uint32_t version_a = 0, version_b = 0;

    bool operator>(const Meeting& other) const { return std::tie(t, a, b) > std::tie(other.t, other.a, other.b); }
  };
  using Cell = Eigen::Matrix<std::int64_t, 3, 1>;

  void move_to(int body, double t);
  void predict(int body);
  void predict_pair(int a, int b);
  void predict_crossing(int body);
  void push(double t, int a, int b);
  bool impact(const Meeting& meeting);
  std::vector<ContactPair> nearest_pairs(int a, int b) const;
  std::vector<ContactPair> pairs_around(int a, int b, double t);
  Vector3 position(int body) const;
  Vector3 velocity(int body) const;
  double meeting_of_balls(int a, int b) const;  // how long from now on
  double meeting_with_wall(int body, int wall) const;

  bool uses_cells() const { return cell_size_ < std::numeric_limits<double>::infinity(); }
  void sort_into_cells();
  double spacing() const;
  Cell cell_of(const Vector3& x) const;
  static std::uint64_t key(const Cell& cell);
  void cross(int body);
  template <class Use>
  void for_neighbours(int body, Use&& use) const;

  const Model& model_;
  const ContactRules& rules_;
  Impacts& impacts_;
  State state_;
  double now_, fastest_ = 0;  // [s], [m/s] of all balls so far
  Vector3 gravity_;
  double cell_size_ = std::numeric_limits<double>::infinity();  // [m] infinite: few balls, all are neighbours
  long crossings_ = 0, meetings_ = 0;                           // since the cells have this size
  std::vector<int> balls_, walls_;
  std::vector<double> radius_, time_;   // (bodies)
  std::vector<std::uint32_t> version_;  // (bodies) raised by every impact: older meetings are void
  std::vector<Cell> cell_, exit_;       // (bodies) and through which face it will leave it
  std::unordered_map<std::uint64_t, std::vector<int>> cells_;
  std::priority_queue<Meeting, std::vector<Meeting>, std::greater<>> queue_;
};

}  // namespace carom::simulate
