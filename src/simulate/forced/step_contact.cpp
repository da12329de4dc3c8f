#include "carom/simulate/forced/step_contact.h"

#include <algorithm>
#include <cmath>

namespace carom::simulate {
namespace {

constexpr double kRollingStiffness =
    2.25;                                // k_r = 2.25 k_n (mu_r r)^2: full resistance at about the rim of the contact
constexpr double kRollingDamping = 0.3;  // of the critical one: what rests does not rock for ever

/// What a step takes of a damping that would stop the contact x times in it: all but x^2 where it is slow, and never so
/// much that the velocity swings.
double tamed(double x) {
  return 1 / (1 + x * x);
}

/// A spring along the contact: turned with the normal, stretched by the slip, cut at the cone.
template <class F>
void stretch(const F& friction, double k_n, const Vector3& n, const Vector3& slip, double h, StepContact& c) {
  const double k_t = friction.stiffness(k_n), before = c.T.norm();
  c.T -= n.dot(c.T) * n;
  const double turned = c.T.norm();
  if (turned > 0) c.T *= before / turned;
  if (c.k_t > 0 && friction.scaling(-1) != 0 && k_t < c.k_t) c.T *= k_t / c.k_t;
  c.k_t = k_t;
  c.T -= (h * k_t) * slip;
  const double size = c.T.norm();
  c.mode = size > friction.mu_s * c.force ? ContactMode::slip : ContactMode::stick;
  if (c.mode == ContactMode::slip) c.T *= size > 0 ? friction.mu * c.force / size : 0;
}

template <class F>
void rub(const F& friction, double k_n, const ContactMotion& m, double h, StepContact& c) {
  if constexpr (F::kind == forces::FrictionKind::elastic) {
    stretch(friction, k_n, m.n, m.slip, h, c);
  } else if constexpr (F::kind == forces::FrictionKind::smooth) {
    const double damping = friction.mu * c.force * friction.share(m.slip_now.norm());
    c.T = -damping * tamed(c.mass_along > 0 ? h * damping / c.mass_along : 0) * m.slip_now;
    c.mode = ContactMode::slip;
  } else {  // as much as stops the slip in this step
    const double speed = m.slip.norm();
    const double stopping = c.mass_along * speed / h;
    c.mode = stopping <= friction.mu_s * c.force ? ContactMode::stick : ContactMode::slip;
    const double most = stopping <= friction.mu_s * c.force ? stopping : friction.mu * c.force;
    c.T = speed > 0 ? Vector3(-(most / speed) * m.slip) : Vector3::Zero();
  }
}

/// An elastic-plastic moment against turning with `spin`; damped while it is elastic.
Vector3 resist(const forces::RollingResistance& rolling, double inertia, const Vector3& spin, const Vector3& before,
               double force, double h) {
  if (rolling.mu_r <= 0) return Vector3::Zero();
  const double limit = rolling.most(force);
  Vector3 moment = before - h * rolling.k_r * spin;
  const double size = moment.norm();
  if (size > limit) return moment * (limit / size);
  moment -= 2 * kRollingDamping * std::sqrt(rolling.k_r * inertia) * spin;
  const double damped = moment.norm();
  return damped > limit ? Vector3(moment * (limit / damped)) : moment;
}

}  // namespace

bool StepContact::has_friction() const {
  return std::visit([](const auto& f) { return f.mu > 0 || f.mu_s > 0; }, friction);
}

double StepContact::stored() const {
  if (!closed) return 0;
  return std::visit([&](const auto& f) { return f.stored(indentation, memory); }, normal);
}

double StepContact::stored_along() const {
  return closed && k_t > 0 ? 0.5 * T.squaredNorm() / k_t : 0;
}

double StepContact::stiffness_over_mass() const {
  if (!closed || !(mass > 0)) return 0;
  const double k_n = std::visit([&](const auto& f) { return f.stiffness(indentation, memory); }, normal);
  return std::max(k_n / mass, k_t > 0 && mass_along > 0 ? k_t / mass_along : 0);
}

StepContact step_contact(const Contact& contact, const Compliant& law, double mass, double mass_along) {
  StepContact result;
  result.normal = forces::force_by_index<forces::Normal>(static_cast<std::size_t>(law.force), contact);
  result.friction = forces::force_by_index<forces::Friction>(static_cast<std::size_t>(law.friction), contact);
  if (auto* dashpot = std::get_if<forces::SpringDashpot>(&result.normal)) dashpot->end = law.end;
  if (auto* regularised = std::get_if<forces::Regularised>(&result.friction)) regularised->v_s = law.v_s;
  if (auto* mindlin = std::get_if<forces::Mindlin>(&result.friction)) mindlin->nu = law.nu;
  result.mass = mass;
  result.mass_along = mass_along;
  return result;
}

bool press(StepContact& c, const ContactMotion& m, double t, double h, double least_speed, ContactWork& work) {
  return std::visit(
      [&](const auto& normal) {
        using N = std::decay_t<decltype(normal)>;
        if (m.d <= (c.closed || N::remembers ? normal.floor(c.memory) : 0)) {
          c.closed = false;
          c.mode = ContactMode::open;
          c.force = c.k_t = 0;
          c.T.setZero();
          c.moment.setZero();
          return false;
        }
        if (!c.closed) {
          const forces::Memory dent = c.memory;
          c.memory = normal.touch(std::max(m.rate, least_speed), c.mass);
          if (N::remembers && dent.d_max > 0) c.memory = dent;
          c.closed = true;
          c.begin = t;
          c.peak = c.impulse = c.lost = c.deepest = 0;
          c.approach = m.rate;
        }
        if constexpr (N::remembers) {
          if (c.memory.loading && m.rate < 0)
            c.memory = normal.turn(std::max(m.d, c.indentation), c.memory);
          else if (!c.memory.loading && m.d >= c.memory.d_max)
            c.memory.loading = true;
        }
        c.indentation = m.d;
        c.deepest = std::max(c.deepest, m.d);
        c.mode = ContactMode::closed;
        c.rate = m.rate;
        c.n = m.n;
        c.slip = m.slip_now;
        const double x = c.mass > 0 ? h * normal.damping(m.d, c.memory) / c.mass : 0;
        c.force = forces::force(normal, m.d, m.rate * tamed(x), c.memory);
        if (c.force > c.peak) {
          c.peak = c.force;
          c.peak_time = t;
        }
        c.impulse += h * c.force;
        const double pressed = h * c.force * m.rate;
        work.normal += pressed;
        c.lost += pressed;
        if (c.has_friction()) {
          const double k_n = normal.stiffness(m.d, c.memory);
          std::visit([&](const auto& friction) { rub(friction, k_n, m, h, c); }, c.friction);
          const double rubbed = -h * c.T.dot(m.slip_now);
          work.along += rubbed;
          c.lost += rubbed;
        }
        if (c.resists_rolling()) {
          const double k_n = normal.stiffness(m.d, c.memory), r = c.rolling.radius;
          const double inertia = c.mass * r * r;
          c.rolling.k_r = kRollingStiffness * k_n * c.rolling.mu_r * c.rolling.mu_r * r * r;
          c.torsion.k_r = kRollingStiffness * k_n * c.torsion.mu_r * c.torsion.mu_r * r * r;
          const Vector3 spinning = m.n * m.n.dot(m.spin), twisted = m.n * m.n.dot(c.moment);
          c.moment = resist(c.rolling, inertia, m.spin - spinning, c.moment - twisted, c.force, h) +
                     resist(c.torsion, inertia, spinning, twisted, c.force, h);
          const double turned = -h * c.moment.dot(m.spin);
          work.along += turned;
          c.lost += turned;
        }
        return true;
      },
      c.normal);
}

}  // namespace carom::simulate
