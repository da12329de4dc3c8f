#include "carom/simulate/forced/contact_times.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "carom/geometry/hertz.h"
#include "carom/simulate/forced/step_contact.h"
#include "carom/simulate/smooth_motion.h"

namespace carom::simulate {
namespace {

double reach_of_body(const Body& body) {
  double reach = 0;
  for (const geometry::Part& part : body.parts)
    reach = std::max(reach, part.pose.position.norm() + geometry::reach(part.shape));
  return reach;
}

/// use(a, reach) with the acceleration [m/s^2] of the fastest point of each body without contacts, and its size.
template <class Use>
void for_accelerations(const Model& model, const State& state, Use&& use) {
  const Vector gain = react(model, state, {}).acceleration;
  const Index axes = static_cast<Index>(model.dimension()), turns = axes == 1 ? 0 : axes == 2 ? 1 : 3;
  for (int i = 0; i < static_cast<int>(model.bodies().size()); ++i) {
    const Index u = model.first_velocity(i);
    if (u < 0) continue;
    const double reach = reach_of_body(model.bodies()[i]);
    use(gain.segment(u, axes).norm() + reach * gain.segment(u + axes, turns).norm(), reach);
  }
}

/// Twice the fastest body, and what it gains while it falls through all bodies.
double fastest_approach(const Model& model, const State& start) {
  double fastest = 0, walls = 0;
  Vector3 low = Vector3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (int i = 0; i < static_cast<int>(model.bodies().size()); ++i) {
    const Body& body = model.bodies()[i];
    const Twist twist = model.twist(i, start);
    const double reach = body.is_free() ? reach_of_body(body) : 0;
    (body.is_free() ? fastest : walls) =
        std::max(body.is_free() ? fastest : walls, twist.velocity.norm() + twist.angular.norm() * reach);
    const Vector3 place = model.pose(i, start).position;
    low = low.cwiseMin(place - Vector3::Constant(reach));
    high = high.cwiseMax(place + Vector3::Constant(reach));
  }
  const Vector3& g = model.description().gravity;
  const double fall = g.norm() > 0 && (high - low).allFinite() ? (high - low).dot(g.cwiseAbs()) : 0;
  return std::sqrt(std::pow(2 * fastest + walls, 2) + 2 * fall);
}

/// What walls do later, and what loads and springs make of bodies over their own size, looked at now and then: bodies
/// that start at rest have no other speed.
struct Driven {
  double speed = 0, acceleration = 0;
};
Driven driven(const Model& model, const State& start, double duration) {
  constexpr int kLooksAhead = 16;
  Driven result;
  State at = start;
  for (int look = 0; look <= kLooksAhead && duration > 0; ++look) {
    at.t = start.t + duration * look / kLooksAhead;
    double bodies = 0, walls = 0;
    for (int i = 0; i < static_cast<int>(model.bodies().size()); ++i)
      if (!model.bodies()[i].is_free()) walls = std::max(walls, model.twist(i, at).velocity.norm());
    for_accelerations(model, at, [&](double a, double reach) {
      bodies = std::max(bodies, std::min(a * duration, std::sqrt(2 * a * reach)));
      result.acceleration = std::max(result.acceleration, a);
    });
    result.speed = std::max(result.speed, walls + bodies);
  }
  return result;
}

}  // namespace

double fastest_gain(const Model& model, const State& state) {
  double result = 0;
  for_accelerations(model, state, [&](double a, double /*reach*/) { result = std::max(result, a); });
  return result;
}

double rolling_radius(const Model& model, const PartPair& parts) {
  const auto size = [&](int body, int part) {
    const double reach = geometry::reach(model.bodies()[body].parts[part].shape);
    return std::isfinite(reach) && reach > 0 ? reach : std::numeric_limits<double>::infinity();
  };
  return 1 / (1 / size(parts.body_a, parts.part_a) + 1 / size(parts.body_b, parts.part_b));
}

double ball_stiffness(const PairProperties& known, double R) {
  return known.k ? *known.k : 4.0 / 3 * known.modulus.value_or(0) * std::sqrt(R);
}

TypicalContact typical_contact(const Model& model, const ContactRules& rules, const PartPair& parts) {
  const PairProperties known = rules.properties(parts.body_a, parts.body_b);
  const auto over_mass = [&](int body) { return model.bodies()[body].is_free() ? 1 / model.bodies()[body].mass : 0.0; };
  const double R = rolling_radius(model, parts);
  TypicalContact result;
  result.mass = 1 / (over_mass(parts.body_a) + over_mass(parts.body_b));
  result.contact = contact_of(known, rules.pressure_stiffness_of(parts).value_or(ball_stiffness(known, R)));
  return result;
}

ContactTimes contact_times(const Model& model, const ContactRules& rules, const Compliant& law, const State& start,
                           double duration) {
  const Driven later = driven(model, start, duration);
  ContactTimes result{.speed = std::max(fastest_approach(model, start), later.speed),
                      .acceleration = later.acceleration,
                      .shortest = std::numeric_limits<double>::infinity(),
                      .stable = std::numeric_limits<double>::infinity()};
  for (const PartPair& parts : rules.kinds()) {
    if (!rules.knows_stiffness(parts)) continue;
    const TypicalContact typical = typical_contact(model, rules, parts);
    const double mass = typical.mass;
    StepContact made = step_contact(typical.contact, law, mass, mass);
    const double speed = std::max(result.speed, std::numeric_limits<double>::min());
    std::visit(
        [&](const auto& normal) {
          const double deepest = normal.indentation(0.5 * mass * speed * speed);
          made.memory = normal.touch(speed, mass);
          made.closed = true;
          made.indentation = deepest;
        },
        made.normal);
    const double rate = std::sqrt(made.stiffness_over_mass());
    if (!(rate > 0)) continue;
    const double lasts = std::max(std::numbers::pi / rate, 2 * made.indentation / speed);
    if (lasts < result.shortest) {
      result.shortest = lasts;
      result.stable = 2 / rate;
      result.body_a = parts.body_a;
      result.body_b = parts.body_b;
    }
  }
  return result;
}

}  // namespace carom::simulate
