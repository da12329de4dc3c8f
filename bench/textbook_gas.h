#pragma once

#include <array>
#include <vector>

namespace carom::bench {

/// The rival of the gas benchmarks: what a textbook on event-driven simulation tells to write for equal elastic discs
/// in a square box. Cells as wide as a disc's share of the box, a priority queue of everything that may happen, events
/// that no longer hold are thrown away when they come up. It knows nothing else: no restitution, no spin, no walls but
/// these, no records, no certificate.
class TextbookGas {
 public:
  struct Disc {
    std::array<double, 2> x{}, v{};  // [m], [m/s]
  };

  TextbookGas(std::vector<Disc> discs, double radius, double box);

  void run(long impacts);

  long impacts() const { return impacts_; }
  double time() const { return now_; }
  double kinetic() const;  // [J/kg]

 private:
  struct Event {
    double t = 0;
    int a = 0, b = 0;                   // b >= 0: a disc; -1 - k: the wall across axis k; -3 - k: the next cell along
                                        // x, y, and -5 - k: against them
    unsigned count_a = 0, count_b = 0;  // impacts so far
    bool operator>(const Event& other) const { return t > other.t; }
  };

  void move(int disc);
  void push(double after, int a, int b);
  void predict_pair(int a, int b);
  void predict_walls(int a);
  void predict_cell(int a);
  void predict_neighbours(int a, int from_x, int to_x, int from_y, int to_y);
  void predict(int a);
  void enter(int disc, int cell);
  void cross(int disc, int exit);
  void bounce(const Event& event);

  std::vector<Disc> discs_;
  std::vector<double> time_;     // (discs) of x
  std::vector<unsigned> count_;  // (discs) of impacts
  std::vector<int> cell_;        // (discs)
  std::vector<std::vector<int>> cells_;
  std::vector<Event> queue_;  // a heap
  double radius_, box_, edge_, now_ = 0;
  int side_;  // cells along the box
  long impacts_ = 0;
};

}  // namespace carom::bench
