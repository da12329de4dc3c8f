#include "carom/simulate/crowd/contact_sweeps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/simulate/crowd/ball_sweeps.h"

namespace carom::simulate {
namespace {

constexpr int kSweepsOfAll = 6;  // before contacts that still change are swept alone
constexpr int kMostParts = 20;
constexpr int kMostContactSweeps = 600;  // then what there is is the answer
constexpr std::size_t kAtOnce = 32;      // contacts, or bodies, that a thread takes

template <bool kRound>
void push_body(SweptBodies& all, int body, const Vector3& arm, const Vector3& impulse, double sign) {
  SweptBody& one = all.bodies[body];
  one.velocity += (sign * one.inverse_mass) * impulse;
  if constexpr (kRound)
    one.angular += (sign * one.inverse_inertia) * arm.cross(impulse);
  else
    one.angular += sign * (all.inverse_inertia[body] * arm.cross(impulse));
}

template <bool kRound>
void push_both(const SweptContact& contact, const Vector3& change, SweptBodies& bodies) {
  const Vector3 impulse = contact.axes * change;
  if (contact.a >= 0) push_body<kRound>(bodies, contact.a, contact.arm_a, impulse, -1);
  if (contact.b >= 0) push_body<kRound>(bodies, contact.b, contact.arm_b, impulse, 1);
}

/// How far a contact is from its equations, in units of unit diagonal.
double missed(const SweptContact& one, const Vector3& w) {
  const double x_N = one.x[0] / one.scale, w_N = one.scale * w[0];
  const double most = std::abs(x_N - std::max(0.0, x_N - w_N));
  if (!(one.slide > 0)) return most;
  const double x_1 = one.x[1] / one.scale, x_2 = one.x[2] / one.scale;
  const double slip_1 = one.scale * w[1], slip_2 = one.scale * w[2];
  const double to_1 = x_1 - slip_1, to_2 = x_2 - slip_2;
  const double radius = one.mu * x_N, length = std::sqrt(to_1 * to_1 + to_2 * to_2);
  if (!(length > radius)) return std::max({most, std::abs(slip_1), std::abs(slip_2)});
  const double share = radius / length;
  return std::max({most, std::abs(x_1 - share * to_1), std::abs(x_2 - share * to_2)});
}

/// Gives a contact its impulse; what that changes at the contact, in units of unit diagonal.
template <bool kRound>
double relax(SweptContact& one, SweptBodies& bodies) {
  if (!one.acts) return 0;
  const Vector3 w = contact_velocity(one, bodies) + one.offset;
  const double normal = std::max(0.0, one.x[0] - w[0] / one.G[0]);
  Vector3 change(normal - one.x[0], 0, 0);
  // Open, and stays so; but a step along directions may have left it friction where its normal impulse stood still.
  if (normal == 0 && change[0] == 0 && one.x[1] == 0 && one.x[2] == 0) return 0;
  double met = one.G[0] * std::abs(change[0]);
  if (one.slide > 0) {
    const double slip_1 = w[1] + change[0] * one.G[1], slip_2 = w[2] + change[0] * one.G[2];
    const double most = one.mu * normal;
    double x_1 = one.x[1] - one.stick_11 * slip_1 - one.stick_12 * slip_2;
    double x_2 = one.x[2] - one.stick_12 * slip_1 - one.stick_22 * slip_2;
    if (x_1 * x_1 + x_2 * x_2 > most * most) {
      x_1 = one.x[1] - one.slide * slip_1;
      x_2 = one.x[2] - one.slide * slip_2;
      const double squared = x_1 * x_1 + x_2 * x_2;
      if (squared > most * most) {
        const double share = most / std::sqrt(squared);
        x_1 *= share;
        x_2 *= share;
      }
    }
    change[1] = x_1 - one.x[1];
    change[2] = x_2 - one.x[2];
    met = std::max(met, std::max(std::abs(change[1]), std::abs(change[2])) / one.slide);
  }
  one.x += change;
  push_both<kRound>(one, change, bodies);
  return one.scale * met;
}

template <bool kRound>
double sweep_all(SweptContacts& all, SweptBodies& bodies, Crew& crew) {
  const auto relax_range = [&](std::size_t from, std::size_t to) {
    double most = 0;
    for (std::size_t i = from; i < to; ++i) most = std::max(most, relax<kRound>(all.contacts[i], bodies));
    return most;
  };
  double most = 0;
  for (std::size_t colour = 0; colour + 1 < all.colours.size(); ++colour)
    most = std::max(most, crew.largest_of_ranges(all.colours[colour], all.colours[colour + 1], kAtOnce, relax_range));
  return std::max(most, relax_range(all.colours.back(), all.contacts.size()));
}

double largest_miss(const SweptContacts& all, const SweptBodies& bodies, Crew& crew) {
  return crew.largest_of_ranges(0, all.contacts.size(), kAtOnce, [&](std::size_t from, std::size_t to) {
    double most = 0;
    for (std::size_t i = from; i < to; ++i) {
      const SweptContact& one = all.contacts[i];
      if (one.acts) most = std::max(most, missed(one, contact_velocity(one, bodies) + one.offset));
    }
    return most;
  });
}

/// Contacts of any bodies.
class AnySweeps {
 public:
  AnySweeps(SweptContacts& all, SweptBodies& bodies, Crew& crew) : all_(all), bodies_(bodies), crew_(crew) {
    all.start.resize(all.contacts.size());
    all.direction.assign(all.contacts.size(), Vector3::Zero());
    bodies.start.resize(bodies.bodies.size());
    bodies.direction.assign(bodies.bodies.size(), {});
  }

  double largest_miss() const { return simulate::largest_miss(all_, bodies_, crew_); }

  double sweep() {
    start();
    return bodies_.inverse_inertia.empty() ? sweep_all<true>(all_, bodies_, crew_)
                                           : sweep_all<false>(all_, bodies_, crew_);
  }

  /// Sweeps are an eighth of the time of such piles, most of which is geometry: all contacts go on together.
  static SweptSome sweep_some(double) { return SweptSome::too_many; }

  void finish() {}

  void go_on() {
    double now = 0;
    for (std::size_t i = 0; i < all_.contacts.size(); ++i) {
      const SweptContact& one = all_.contacts[i];
      now += (one.x - all_.start[i]).squaredNorm() / (one.scale * one.scale);
    }
    const double share = before_ > 0 ? now / before_ : 0;
    before_ = now;
    if (share > 1) return forget();  // not that smooth here
    crew_.for_ranges(0, all_.contacts.size(), kAtOnce, [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        Vector3& x = all_.contacts[i].x;
        const Vector3 further = share * all_.direction[i];
        all_.direction[i] = x - all_.start[i] + further;
        x += further;
      }
    });
    crew_.for_ranges(0, bodies_.bodies.size(), kAtOnce, [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) {
        SweptBody& one = bodies_.bodies[i];
        SweptMotion& direction = bodies_.direction[i];
        const Vector3 further = share * direction.velocity, turn = share * direction.angular;
        direction = {one.velocity - bodies_.start[i].velocity + further, one.angular - bodies_.start[i].angular + turn};
        one.velocity += further;
        one.angular += turn;
      }
    });
  }

 private:
  void start() {
    crew_.for_ranges(0, all_.contacts.size(), kAtOnce, [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i) all_.start[i] = all_.contacts[i].x;
    });
    crew_.for_ranges(0, bodies_.bodies.size(), kAtOnce, [&](std::size_t from, std::size_t to) {
      for (std::size_t i = from; i < to; ++i)
        bodies_.start[i] = {bodies_.bodies[i].velocity, bodies_.bodies[i].angular};
    });
  }

  void forget() {
    std::fill(all_.direction.begin(), all_.direction.end(), Vector3::Zero());
    std::fill(bodies_.direction.begin(), bodies_.direction.end(), SweptMotion{});
  }

  SweptContacts& all_;
  SweptBodies& bodies_;
  Crew& crew_;
  double before_ = 0;
};

/// Sweeps until the residual is small enough. Between sweeps they go on in a direction that is conjugate to those
/// before, as if a sweep were a gradient step of a smooth function. Impulses may then leave their cones, which the next
/// sweep mends. Velocities are linear in the impulses and are taken along.         [Silcowitz, Niebe, Erleben 2010]
template <class Sweeps>
Swept sweep_until(double accuracy, double weight, Sweeps sweeps) {
  Swept swept;
  swept.residual = sweeps.largest_miss() / weight;
  int parts = 0;         // that were swept alone
  bool is_new = true;    // nothing is known of a sweep before
  bool is_known = true;  // the residual, of where sweeps are now
  while (!(swept.residual <= accuracy) && swept.sweeps < kMostContactSweeps) {
    if (!is_new) sweeps.go_on();
    is_new = false;
    ++swept.sweeps;
    const double changed = sweeps.sweep();
    if (!std::isfinite(changed)) {
      swept.residual = std::numeric_limits<double>::infinity();
      return swept;
    }
    is_known = changed <= accuracy * weight;
    if (is_known)
      swept.residual = sweeps.largest_miss() / weight;
    else if (swept.sweeps >= kSweepsOfAll && parts < kMostParts)
      switch (sweeps.sweep_some(accuracy * weight)) {
        case SweptSome::too_many:
          break;
        case SweptSome::quiet:
          ++parts;
          is_new = true;
          break;
        case SweptSome::restless:  // what moves them is far away
          parts = kMostParts;
          is_new = true;
      }
  }
  if (!is_known) swept.residual = sweeps.largest_miss() / weight;
  swept.solved = swept.residual <= accuracy;
  sweeps.finish();
  return swept;
}

}  // namespace

void prepare(SweptContact& contact, const SweptBodies& bodies) {
  Matrix3 G = Matrix3::Zero();
  const Vector3 given = contact.axes.colwise().squaredNorm();  // 1, or 0 where there is no axis
  const auto add = [&](int body, const Vector3& arm) {
    G.diagonal() += bodies.bodies[body].inverse_mass * given;
    Matrix3 torque;
    for (int t = 0; t < 3; ++t) torque.col(t) = arm.cross(contact.axes.col(t));
    if (bodies.inverse_inertia.empty())
      G.noalias() += bodies.bodies[body].inverse_inertia * torque.transpose() * torque;
    else
      G.noalias() += torque.transpose() * (bodies.inverse_inertia[body] * torque);
  };
  if (contact.a >= 0) add(contact.a, contact.arm_a);
  if (contact.b >= 0) add(contact.b, contact.arm_b);
  contact.G = G.col(0);
  const int tangents = G(2, 2) > 0 ? 2 : G(1, 1) > 0 ? 1 : 0;
  const double mean = G.trace() / (1 + tangents);
  contact.scale = mean > 0 ? 1 / std::sqrt(mean) : 1;
  contact.acts = contact.acts && G(0, 0) > 0;
  contact.slide = contact.stick_11 = contact.stick_12 = contact.stick_22 = 0;
  if (tangents == 0) return;
  const double p = G(1, 1), q = G(1, 2), r = G(2, 2);
  const double largest = 0.5 * (p + r) + std::sqrt(0.25 * (p - r) * (p - r) + q * q), determinant = p * r - q * q;
  contact.slide = 1 / largest;
  if (determinant > std::numeric_limits<double>::epsilon() * largest * largest) {
    contact.stick_11 = r / determinant;
    contact.stick_12 = -q / determinant;
    contact.stick_22 = p / determinant;
  } else {
    contact.stick_11 = contact.stick_22 = contact.slide;
  }
}

void push(SweptContact& contact, const Vector3& change, SweptBodies& bodies) {
  contact.x += change;
  if (bodies.inverse_inertia.empty())
    push_both<true>(contact, change, bodies);
  else
    push_both<false>(contact, change, bodies);
}

Swept sweep_to(double accuracy, double weight, SweptContacts& all, SweptBodies& bodies, Crew& crew) {
  if (!(weight > 0)) return {.solved = true};
  if (BallSweeps::suits(all, bodies)) return sweep_until(accuracy, weight, BallSweeps(all, bodies, crew));
  return sweep_until(accuracy, weight, AnySweeps(all, bodies, crew));
}

}  // namespace carom::simulate
