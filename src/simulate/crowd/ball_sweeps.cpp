#include "carom/simulate/crowd/ball_sweeps.h"

#include <algorithm>
#include <cmath>

#pragma GCC diagnostic ignored "-Wpsabi"  // wide vectors are passed to inline functions alone

namespace carom::simulate {
namespace {

constexpr double kAlongTheNormal = 1e-12;  // of an arm: what may point elsewhere, which is rounding
constexpr std::size_t kBallsAtOnce = 64;   // that a thread takes

constexpr std::size_t kBallsAhead = 6;  // contacts whose bodies are fetched before it is their turn

constexpr double kStillChanging = 0.5;  // of the change that is small enough: contacts that change more go on alone
constexpr double kQuietAgain = 0.7;     // the same: until they change less
constexpr double kMostOfThem = 0.15;    // of all contacts
constexpr int kMostSweepsOfSome = 60;

[[gnu::always_inline]] inline Four four(const Vector3& v) {
  return Four{v[0], v[1], v[2], 0};
}

[[gnu::always_inline]] inline Four all_of(double value) {
  return Four{value, value, value, value};
}

[[gnu::always_inline]] inline double dot(const Four& a, const Four& b) {
  const Four products = a * b;
  return products[0] + products[1] + products[2];
}

[[gnu::always_inline]] inline Four cross(const Four& a, const Four& b) {
  const Four turned = a * __builtin_shufflevector(b, b, 1, 2, 0, 3) - __builtin_shufflevector(a, a, 1, 2, 0, 3) * b;
  return __builtin_shufflevector(turned, turned, 1, 2, 0, 3);
}

[[gnu::always_inline]] inline Four without_fourth(const Four& a) {
  return __builtin_shufflevector(a, Four{0, 0, 0, 0}, 0, 1, 2, 7);
}

[[gnu::always_inline]] inline Four velocity_at(const BallContact& one, const BallMotion* bodies) {
  Four velocity = one.offset, turning{0, 0, 0, 0};
  if (one.b >= 0) {
    velocity += bodies[one.b].velocity;
    turning += all_of(one.arm_b) * bodies[one.b].angular;
  }
  if (one.a >= 0) {
    velocity -= bodies[one.a].velocity;
    turning -= all_of(one.arm_a) * bodies[one.a].angular;
  }
  return without_fourth(velocity + cross(turning, one.n));
}

[[gnu::always_inline]] inline void push_ball(BallMotion& body, double arm, const Four& impulse, const Four& turn) {
  const double inverse_mass = body.velocity[3], turns = arm * body.angular[3];
  body.velocity += all_of(inverse_mass) * impulse;
  body.angular += all_of(turns) * turn;
}

/// How the directions of the sweep before go on: contacts take their step along them when it is their turn, bodies have
/// taken theirs.
struct Onward {
  double share = 0;
  bool forget = true;
};

/// Gives a contact its impulse. The change of it is kept; returned is the square of the velocity that it met. Both
/// squares are in units of unit diagonal.
[[gnu::always_inline]] inline double relax_ball(BallContact& one, const Onward& onward, double& squared,
                                                BallMotion* bodies) {
  if (onward.forget) {
    one.direction = Four{0, 0, 0, 0};
  } else {
    const Four further = all_of(onward.share) * one.direction;
    one.direction = one.change + further;
    one.x += further;
  }
  one.change = Four{0, 0, 0, 0};
  squared = 0;
  const Four w = velocity_at(one, bodies);
  const double w_N = dot(one.n, w), x_N = one.x[3];
  const double normal = std::max(0.0, x_N - w_N * one.inverse_N), change_N = normal - x_N;
  // Open, and stays so; but a step along directions may have left it friction where its normal impulse stood still.
  if (normal == 0 && change_N == 0 && one.x[0] == 0 && one.x[1] == 0 && one.x[2] == 0) return 0;
  const double moved_N = change_N * change_N;
  double moved_T = 0;
  Four change_T{0, 0, 0, 0};
  if (one.inverse_T > 0) {
    const Four x_T = without_fourth(one.x);
    Four wanted = x_T - all_of(one.inverse_T) * (w - all_of(w_N) * one.n);
    const double most = one.offset[3] * normal, length = dot(wanted, wanted);
    if (length > most * most) wanted *= all_of(most / std::sqrt(length));
    change_T = wanted - x_T;
    moved_T = dot(change_T, change_T);
  }
  const Four impulse = all_of(change_N) * one.n + change_T, turn = cross(one.n, change_T);
  one.change = change_T;
  one.change[3] = change_N;
  one.x += change_T;
  one.x[3] = normal;
  if (one.a >= 0) push_ball(bodies[one.a], -one.arm_a, -impulse, turn);
  if (one.b >= 0) push_ball(bodies[one.b], one.arm_b, impulse, turn);
  squared = (moved_N + moved_T) * one.weight;
  return std::max(one.met_N * moved_N, one.met_T * moved_T);
}

[[gnu::always_inline]] inline double relax_balls_in(BallSet& set, const Onward& onward, std::size_t from,
                                                    std::size_t to) {
  BallContact* const contacts = set.contacts.data();
  double* const squares = set.squared.data();
  BallMotion* const bodies = set.bodies.data();
  double most = 0;
  for (std::size_t i = from; i < to; ++i) {
    if (i + kBallsAhead < to) {
      const BallContact& soon = contacts[i + kBallsAhead];
      __builtin_prefetch(bodies + std::max(0, soon.a), 1);
      __builtin_prefetch(bodies + std::max(0, soon.b), 1);
    }
    most = std::max(most, relax_ball(contacts[i], onward, squares[i], bodies));
  }
  return most;
}

[[gnu::always_inline]] inline double missed_by(const BallContact& one, const BallMotion* bodies) {
  const Four w = velocity_at(one, bodies);
  const double over_scale = std::sqrt(one.weight), scale = 1 / over_scale;
  const double speed = dot(one.n, w), x_N = one.x[3] * over_scale, w_N = scale * speed;
  const double most = std::abs(x_N - std::max(0.0, x_N - w_N));
  if (!(one.inverse_T > 0)) return most;
  const Four slip = all_of(scale) * (w - all_of(speed) * one.n);
  const Four x_T = all_of(over_scale) * without_fourth(one.x), to = x_T - slip;
  const double radius = one.offset[3] * x_N, length = std::sqrt(dot(to, to));
  const Four off = length > radius ? x_T - all_of(radius / length) * to : slip;
  return std::max(most, std::sqrt(dot(off, off)));
}

[[gnu::always_inline]] inline double miss_of_balls_in(const BallSet& set, std::size_t from, std::size_t to) {
  double most = 0;
  for (std::size_t i = from; i < to; ++i) most = std::max(most, missed_by(set.contacts[i], set.bodies.data()));
  return most;
}

/// What is done with ranges of contacts, by the same operations in the same order for every width of vectors.
struct BallLoops {
  double (*relax)(BallSet&, const Onward&, std::size_t, std::size_t);
  double (*miss)(const BallSet&, std::size_t, std::size_t);
};

double relax_balls_narrow(BallSet& set, const Onward& onward, std::size_t from, std::size_t to) {
  return relax_balls_in(set, onward, from, to);
}
double miss_of_balls_narrow(const BallSet& set, std::size_t from, std::size_t to) {
  return miss_of_balls_in(set, from, to);
}

#if defined(__x86_64__) && !defined(__EMSCRIPTEN__)
[[gnu::target("avx2")]] double relax_balls_wide(BallSet& set, const Onward& onward, std::size_t from, std::size_t to) {
  return relax_balls_in(set, onward, from, to);
}
[[gnu::target("avx2")]] double miss_of_balls_wide(const BallSet& set, std::size_t from, std::size_t to) {
  return miss_of_balls_in(set, from, to);
}

/// With vectors as wide as the processor has them.
const BallLoops& ball_loops() {
  static const BallLoops chosen = __builtin_cpu_supports("avx2") ? BallLoops{relax_balls_wide, miss_of_balls_wide}
                                                                 : BallLoops{relax_balls_narrow, miss_of_balls_narrow};
  return chosen;
}
#else
const BallLoops& ball_loops() {
  static const BallLoops only{relax_balls_narrow, miss_of_balls_narrow};
  return only;
}
#endif

BallContact ball_contact(const SweptContact& one) {
  const Vector3 n = one.axes.col(0), x_T = one.axes.col(1) * one.x[1] + one.axes.col(2) * one.x[2];
  BallContact ball{};
  ball.n = four(n);
  ball.offset = four(one.axes * one.offset);
  ball.x = Four{x_T[0], x_T[1], x_T[2], one.x[0]};
  ball.inverse_N = 1 / one.G[0];
  ball.inverse_T = one.slide;
  ball.offset[3] = one.mu;
  ball.weight = 1 / (one.scale * one.scale);
  ball.met_N = std::pow(one.scale * one.G[0], 2);
  ball.met_T = one.slide > 0 ? std::pow(one.scale / one.slide, 2) : 0;
  ball.a = one.a;
  ball.b = one.b;
  if (one.a >= 0) ball.arm_a = one.arm_a.dot(n);
  if (one.b >= 0) ball.arm_b = one.arm_b.dot(n);
  return ball;
}

/// In an order that is the same for every number of threads.
double sum_of(const std::vector<double>& all) {
  constexpr std::size_t kAtATime = 8;
  double sums[kAtATime] = {};
  std::size_t i = 0;
  for (; i + kAtATime <= all.size(); i += kAtATime)
    for (std::size_t k = 0; k < kAtATime; ++k) sums[k] += all[i + k];
  for (; i < all.size(); ++i) sums[0] += all[i];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

bool is_along(const Vector3& arm, const Vector3& n) {
  return arm.cross(n).norm() <= kAlongTheNormal * arm.norm();
}

/// Sweeps over all contacts of a set; the largest change that was met.
double sweep_set(BallSet& set, Crew& crew) {
  const Onward onward{set.share.value_or(0), !set.share};
  const auto relax_some = [&](std::size_t from, std::size_t to) { return ball_loops().relax(set, onward, from, to); };
  double most = 0;
  for (std::size_t colour = 0; colour + 1 < set.colours.size(); ++colour)
    most =
        std::max(most, crew.largest_of_ranges(set.colours[colour], set.colours[colour + 1], kBallsAtOnce, relax_some));
  return std::sqrt(std::max(most, relax_some(set.colours.back(), set.contacts.size())));
}

/// Bodies begin anew, without directions.
void begin_set(BallSet& set) {
  set.squared.resize(set.contacts.size());
  set.direction_of_bodies.assign(set.bodies.size(), BallMotion{});
  set.start_of_bodies = set.bodies;
  set.before = 0;
  set.share.reset();
}

/// Takes bodies a step along the directions before, and finds those of the last sweep.
void go_on_in_set(BallSet& set, Crew& crew) {
  const double now = sum_of(set.squared);
  set.share = set.before > 0 ? now / set.before : 0;
  set.before = now;
  if (*set.share > 1) set.share.reset();  // not that smooth here
  const Four part = all_of(set.share.value_or(0));
  crew.for_ranges(0, set.bodies.size(), kBallsAtOnce, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      BallMotion &one = set.bodies[i], &direction = set.direction_of_bodies[i], &start = set.start_of_bodies[i];
      if (set.share) {
        const Four further = part * direction.velocity, turn = part * direction.angular;
        direction = {one.velocity - start.velocity + further, one.angular - start.angular + turn};
        one.velocity += further;
        one.angular += turn;
      } else {
        direction = BallMotion{};
      }
      start = one;
    }
  });
}

}  // namespace

bool BallSweeps::suits(const SweptContacts& all, const SweptBodies& bodies) {
  if (!bodies.inverse_inertia.empty()) return false;
  return std::all_of(all.contacts.begin(), all.contacts.end(), [](const SweptContact& one) {
    const Vector3 n = one.axes.col(0);
    return !one.acts || ((one.a < 0 || is_along(one.arm_a, n)) && (one.b < 0 || is_along(one.arm_b, n)));
  });
}

BallSweeps::BallSweeps(SweptContacts& all, SweptBodies& bodies, Crew& crew)
    : all_(all), bodies_(bodies), room_(all.balls), crew_(crew) {
  BallSet& set = room_.whole;
  set.from.clear();
  set.colours.clear();
  std::size_t colour = 0;
  for (std::size_t i = 0; i <= all.contacts.size(); ++i) {
    for (; colour < all.colours.size() && all.colours[colour] == i; ++colour) set.colours.push_back(set.from.size());
    if (i < all.contacts.size() && all.contacts[i].acts) set.from.push_back(i);
  }
  set.contacts.resize(set.from.size());
  crew_.for_ranges(0, set.from.size(), kBallsAtOnce, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) set.contacts[i] = ball_contact(all.contacts[set.from[i]]);
  });
  set.bodies.resize(bodies.bodies.size());
  crew_.for_ranges(0, set.bodies.size(), kBallsAtOnce, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const SweptBody& body = bodies.bodies[i];
      set.bodies[i] = {four(body.velocity), four(body.angular)};
      set.bodies[i].velocity[3] = body.inverse_mass;
      set.bodies[i].angular[3] = body.inverse_inertia;
    }
  });
  begin_set(set);
}

double BallSweeps::largest_miss() const {
  return crew_.largest_of_ranges(0, room_.whole.contacts.size(), kBallsAtOnce, [&](std::size_t from, std::size_t to) {
    return ball_loops().miss(room_.whole, from, to);
  });
}

double BallSweeps::sweep() {
  return sweep_set(room_.whole, crew_);
}

void BallSweeps::go_on() {
  go_on_in_set(room_.whole, crew_);
}

SweptSome BallSweeps::sweep_some(double enough) {
  BallSet &whole = room_.whole, &part = room_.part;
  const double limit = std::pow(kStillChanging * enough, 2);
  part.from.clear();
  part.colours.clear();
  std::size_t colour = 0;
  for (std::size_t i = 0; i <= whole.contacts.size(); ++i) {
    for (; colour < whole.colours.size() && whole.colours[colour] == i; ++colour)
      part.colours.push_back(part.from.size());
    if (i < whole.contacts.size() && whole.squared[i] > limit) part.from.push_back(i);
  }
  if (static_cast<double>(part.from.size()) > kMostOfThem * static_cast<double>(whole.contacts.size()))
    return SweptSome::too_many;
  room_.place_in_part.resize(whole.bodies.size(), -1);
  room_.bodies_of_part.clear();
  part.bodies.clear();
  const auto place = [&](int body) {
    if (body < 0) return -1;
    int& known = room_.place_in_part[body];
    if (known < 0) {
      known = static_cast<int>(part.bodies.size());
      room_.bodies_of_part.push_back(body);
      part.bodies.push_back(whole.bodies[body]);
    }
    return known;
  };
  part.contacts.clear();
  for (const std::size_t i : part.from) {
    BallContact& one = part.contacts.emplace_back(whole.contacts[i]);
    one.a = place(one.a);
    one.b = place(one.b);
  }
  begin_set(part);
  bool is_quiet = false;
  for (int sweeps = 0; sweeps < kMostSweepsOfSome && !is_quiet; ++sweeps) {
    if (sweeps > 0) go_on_in_set(part, crew_);
    is_quiet = !(sweep_set(part, crew_) > kQuietAgain * enough);
  }
  for (std::size_t i = 0; i < part.from.size(); ++i) whole.contacts[part.from[i]].x = part.contacts[i].x;
  for (std::size_t i = 0; i < part.bodies.size(); ++i) {
    whole.bodies[room_.bodies_of_part[i]] = part.bodies[i];
    room_.place_in_part[room_.bodies_of_part[i]] = -1;
  }
  begin_set(whole);
  return is_quiet ? SweptSome::quiet : SweptSome::restless;
}

void BallSweeps::finish() {
  const BallSet& set = room_.whole;
  crew_.for_ranges(0, set.contacts.size(), kBallsAtOnce, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const Four& x = set.contacts[i].x;
      SweptContact& one = all_.contacts[set.from[i]];
      one.x = one.axes.transpose() * Vector3(x[0], x[1], x[2]);
      one.x[0] = x[3];
    }
  });
  crew_.for_ranges(0, set.bodies.size(), kBallsAtOnce, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const auto& [velocity, angular] = set.bodies[i];
      bodies_.bodies[i].velocity = Vector3(velocity[0], velocity[1], velocity[2]);
      bodies_.bodies[i].angular = Vector3(angular[0], angular[1], angular[2]);
    }
  });
}

}  // namespace carom::simulate
