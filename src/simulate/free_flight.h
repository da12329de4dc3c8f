#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "carom/simulate/accumulations.h"
#include "carom/simulate/event_heap.h"
#include "carom/simulate/flight_cells.h"
#include "carom/simulate/impacts.h"
#include "carom/simulate/pair_problem.h"

namespace carom::simulate {

/// Discs or balls that fly freely between impacts with each other and with fixed flat walls: a gas. Each body is on a
/// parabola of its own and is moved only when something happens to it. The times at which two meet are roots of a
/// quadratic; each ball keeps the first of its own, and whether that still holds is looked at when its time has come. A
/// grid of cells limits who can meet whom; its cells grow until balls meet others about as often as they pass from cell
/// to cell, so that flight costs what it meets, not how far it leads. Balls that are large against the others are met
/// by everybody instead. Memory is in proportion to the balls; an impact costs about log(balls).
class FreeFlight {
 public:
  /// No joints, springs or loads, every free body one centred ball, every wall fixed and flat.
  static bool applies(const Model& model);

  FreeFlight(const Model& model, const ContactRules& rules, Impacts& impacts, const State& state);

  /// Flies on until `t`, telling `after_impact` the time of each impact. Returns false if it had to stop earlier,
  /// because a contact is about to stay closed or an impact has no answer.
  bool advance(double t, const std::function<bool(double)>& after_impact);

  /// Everything at the time that was reached. Who looks changes nothing.
  State state() const;

  /// The same of a state that is up to date in some balls, without going on from there.
  State completed(State state) const;

  /// Tells the impacts which of them followed each other between the same balls.
  void tell_sequences();

  /// All that it knows, for a checkpoint.
  void archived(Archive& archive);

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  static constexpr double kTouchingRound = 1e-9;        // of the smaller radius
  static constexpr double kRoundingOfApproach = 1e-14;  // of the fastest ball: rounding
  static constexpr double kLeftOfApproach = 1e-10;      // the same, where two touch: what an impact left of it

  /// One line of a cache.
  struct alignas(64) Ball {
    Vector3 x = Vector3::Zero(), v = Vector3::Zero();  // [m], [m/s] at t
    double t = 0, radius = 0;                          // [s], [m]

    void archived(Archive& archive) { archive& x& v& t& radius; }
  };
  /// What comes next: an impact with another ball, or with a wall where `other` < 0, its face ~other.
  struct Meeting {
    double t = kNever;
    int other = 0;
    std::uint32_t version = 0;  // of the other ball

    void archived(Archive& archive) { archive& t& other& version; }
  };
  /// Where a ball leaves its cell.
  struct Exit {
    double t = kNever;
    int axis = 0, side = 0;

    void archived(Archive& archive) { archive& t& axis& side; }
  };
  /// What a ball is about to do, in one line of a cache, too.
  struct alignas(64) Plan {
    Meeting next;
    Exit exit;
    double turned = 0;          // [s] when its orientation was written
    std::uint32_t version = 0;  // raised by every impact: earlier meetings are void
    std::uint32_t bounces = 0;  // of all so far

    void archived(Archive& archive) { archive& next& exit& turned& version& bounces; }
  };
  /// The last bounces of a ball, from bounce to bounce in turn.
  struct Past {
    struct Bounce {
      double t = 0;
      int other = -1;

      void archived(Archive& archive) { archive& t& other; }
    };
    std::array<Bounce, Accumulations::kRemembered> last;

    void archived(Archive& archive) { archive& last; }
  };
  /// A flat side of a wall:  normal . x >= offset.
  struct Face {
    Vector3 normal;
    double offset = 0;
    int body = -1, part = 0;
    geometry::Feature feature;  // where a ball touches it, the ball's first
  };
  /// A ball as another sees it now: where it is from there, and its velocity.
  struct Seen {
    int ball = -1;
    Vector3 d, v;
  };

  // Now
  Vector3 place(const Ball& ball) const {
    return ball.x + (now_ - ball.t) * (ball.v + 0.5 * (now_ - ball.t) * gravity_);
  }
  Vector3 velocity(const Ball& ball) const { return ball.v + (now_ - ball.t) * gravity_; }
  void move(int ball);
  void write(int ball);  // into the state
  void write(int ball, State& state) const;
  void read_velocity(int ball);  // from it

  // Who meets whom
  template <class Use>
  void for_neighbours(int ball, Use&& use) const;
  bool may_touch(int a, int b) const { return kinds_.all_touch() || kinds_.may_touch(bodies_[a], bodies_[b]); }
  bool may_touch(int ball, const Face& face) const {
    return kinds_.all_touch() || kinds_.may_touch(bodies_[ball], face.body);
  }
  Seen seen(int from, int other, const Vector3& image) const;
  void look_around(int ball, std::vector<Seen>& around) const;
  double meeting(int a, const Seen& b) const;  // how long from now on
  double meeting(int ball, const Face& face) const;
  void consider(int ball, const Seen& other);
  void predict(int ball, const std::vector<Seen>& around);
  void predict(int ball);
  void predict_exit(int ball);
  void schedule(int ball) { queue_.set(ball, std::min(plan_[ball].next.t, plan_[ball].exit.t)); }

  // Cells
  void choose_cells();
  void sort_into_cells();
  void cross(int ball);

  // Impacts
  bool impact(int ball, int other);
  void fetch(int ball) const;  // into the cache, what its impact will need
  bool touches_more(int ball, int other, const std::vector<Seen>& around) const;
  geometry::ContactPoint touch(int a, int b) const;
  geometry::ContactPoint touch(int ball, const Face& face) const;
  bool bounce(int ball, int other);
  bool general_impact(int ball, int other);
  std::vector<ContactPair> pairs_around(int ball, int other);
  void remember(int ball, int other);
  std::size_t remembered(int ball) const {
    return std::min<std::size_t>(plan_[ball].bounces, Accumulations::kRemembered);
  }
  void tell_sequence(int ball, int other);

  const Model& model_;
  const ContactKinds kinds_;
  Impacts& impacts_;
  PairProblem pair_;
  const bool directly_;  // impacts of two go through `pair_`
  const int axes_;
  State state_;               // as the observer is told it: of a ball when it was written last
  double now_, fastest_ = 0;  // [s], [m/s] of all balls so far
  Vector3 gravity_ = Vector3::Zero();

  std::vector<int> bodies_, ball_of_;  // (balls) of the model, (bodies) -1: a wall
  std::vector<Ball> balls_;
  std::vector<Face> faces_;
  std::vector<Plan> plan_;  // (balls)
  std::vector<Past> past_;  // (balls)
  EventHeap queue_{0};
  std::vector<char> is_large_;  // (balls)
  std::vector<int> large_;      // in no cells, neighbours of all
  double edge_ = 0;             // [m] of cells
  FlightCells cells_;
  long crossings_ = 0, meetings_ = 0;      // since the cells have this size
  std::vector<Seen> around_a_, around_b_;  // kept for their room
};

// ---- What every event does

inline void FreeFlight::move(int index) {
  Ball& ball = balls_[index];
  const Vector3 x = place(ball);
  ball.v = velocity(ball);
  ball.x = x;
  ball.t = now_;
  if (const double speed = ball.v.squaredNorm(); speed > fastest_ * fastest_) fastest_ = std::sqrt(speed);
}

/// Both of them now, the other as the image that is moved by `image`; `from` was moved.
inline FreeFlight::Seen FreeFlight::seen(int from, int other, const Vector3& image) const {
  const Ball& ball = balls_[other];
  return {other, place(ball) + image - balls_[from].x, velocity(ball)};
}

inline double FreeFlight::meeting(int a, const Seen& b) const {
  const double radius_a = balls_[a].radius, radius_b = balls_[b.ball].radius, R = radius_a + radius_b;
  const Vector3 w = b.v - balls_[a].v;
  const double along = b.d.dot(w);
  if (along >= 0) return kNever;
  const double distance = b.d.squaredNorm(), room = distance - R * R;
  const double none =
      room <= 2 * R * kTouchingRound * std::min(radius_a, radius_b) ? kLeftOfApproach : kRoundingOfApproach;
  if (along * along <= none * none * distance * fastest_ * fastest_) return kNever;
  if (room <= 0) return 0;
  const double inside = along * along - w.squaredNorm() * room;
  return inside < 0 ? kNever : room / (-along + std::sqrt(inside));
}

inline void FreeFlight::consider(int ball, const Seen& other) {
  const double t = now_ + meeting(ball, other);
  if (t < plan_[ball].next.t) plan_[ball].next = {t, other.ball, plan_[other.ball].version};
}

}  // namespace carom::simulate
