#include "carom/simulate/forced/step_contact.h"

#include <algorithm>
#include <cmath>

#include "carom/simulate/forced/archived_forces.h"

namespace carom::simulate {
namespace {

constexpr double kHolding = 0.04;        // of m / h^2: the spring of what sticks under Coulomb's friction
constexpr double kHoldingDamping = 0.2;  // of its critical damping

/// What a step takes of a damping that would stop the contact x times in it: all but x^2 where it is slow, and never so
/// much that the velocity swings.
double tamed(double x) {
  return 1 / (1 + x * x);
}

Vector3 cut(const Vector3& value, double most) {
  const double size = value.norm();
  return size > most ? Vector3(value * (most / size)) : value;
}

/// Turned with the normal.
Vector3 along(const Vector3& value, const Vector3& n) {
  const Vector3 flat = value - n.dot(value) * n;
  const double before = value.norm(), now = flat.norm();
  return now > 0 ? Vector3(flat * (before / now)) : flat;
}

/// A spring along the contact: turned with the normal, stretched by the slip, cut at the cone.
template <class F>
void stretch(const F& friction, double k_t, const ContactMotion& m, double h, double held, StepContact& c) {
  c.spring = along(c.spring, m.n) - (h * k_t) * m.slip;
  c.k_t = k_t;
  c.mode = c.spring.norm() > held * c.force ? ContactMode::slip : ContactMode::stick;
  if (c.mode == ContactMode::slip) c.spring = cut(c.spring, friction.mu * c.force);
}

template <class F>
void rub(const F& friction, double k_n, const ContactMotion& m, double h, bool slipped, StepContact& c) {
  if constexpr (F::kind == forces::FrictionKind::elastic) {
    const double k_t = friction.stiffness(k_n);
    if (c.k_t > 0 && friction.scaling(-1) != 0 && k_t < c.k_t) c.spring *= k_t / c.k_t;
    stretch(friction, k_t, m, h, friction.mu_s, c);
    c.T = c.spring;
  } else if constexpr (F::kind == forces::FrictionKind::smooth) {
    const double damping = friction.mu * c.force * friction.share(m.slip_now.norm());
    c.T = -damping * tamed(c.mass_along > 0 ? h * damping / c.mass_along : 0) * m.slip_now;
    c.mode = ContactMode::slip;
  } else {  // what holds is as stiff as the step allows, so that it does not creep
    const double k_t = kHolding * c.mass_along / (h * h), held = slipped ? friction.mu : friction.mu_s;
    stretch(friction, k_t, m, h, held, c);
    const double damping = 2 * kHoldingDamping * std::sqrt(k_t * c.mass_along);
    c.T = cut(c.spring - damping * m.slip, (c.mode == ContactMode::slip ? friction.mu : held) * c.force);
  }
}

/// What resists turning with `spin`: `spring` is stretched, the moment is returned.
Vector3 resist(const forces::RollingResistance& rolling, double inertia, const Vector3& spin, double force, double h,
               Vector3& spring) {
  if (rolling.mu_r <= 0) return spring = Vector3::Zero();
  const double most = rolling.most(force);
  spring = cut(spring - h * rolling.k_r * spin, most);
  return cut(spring - forces::RollingResistance::damping(rolling.k_r, inertia) * spin, most);
}

/// Rolling about axes along the contact, and spin about its normal.
void resist_turning(double k_n, const ContactMotion& m, double h, StepContact& c) {
  const double inertia = c.mass * c.rolling.radius * c.rolling.radius;
  c.rolling.k_r = c.rolling.stiffness(k_n);
  c.torsion.k_r = c.torsion.stiffness(k_n);
  const Vector3 spinning = m.n * m.n.dot(m.spin);
  Vector3 twisted = m.n * c.n.dot(c.twist), rolled = along(c.twist - c.n * c.n.dot(c.twist), m.n);
  c.moment = resist(c.rolling, inertia, m.spin - spinning, c.force, h, rolled);
  c.moment += resist(c.torsion, inertia, spinning, c.force, h, twisted);
  c.twist = rolled + twisted;
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
  if (!closed) return 0;
  const double turning = rolling.stored((twist - n * n.dot(twist)).norm()) + torsion.stored(n.dot(twist));
  return turning + (k_t > 0 ? 0.5 * spring.squaredNorm() / k_t : 0);
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
          c.T = c.spring = c.moment = c.twist = Vector3::Zero();
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
        const bool slipped = c.mode == ContactMode::slip;
        c.mode = ContactMode::closed;
        c.rate = m.rate;
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
          std::visit([&](const auto& friction) { rub(friction, k_n, m, h, slipped, c); }, c.friction);
          const double rubbed = -h * c.T.dot(m.slip_now);
          work.along += rubbed;
          c.lost += rubbed;
        }
        if (c.resists_rolling()) {
          resist_turning(normal.stiffness(m.d, c.memory), m, h, c);
          const double turned = -h * c.moment.dot(m.spin_now);
          work.along += turned;
          c.lost += turned;
        }
        c.n = m.n;
        return true;
      },
      c.normal);
}

void StepContact::ask(const RestitutionFunction* e_of) {
  std::visit(
      [&](auto& own) {
        if constexpr (requires { own.e_of = e_of; }) own.e_of = e_of;
      },
      normal);
}

void StepContact::archived(Archive& archive) {
  archive& a& b& part_a& part_b& normal& friction& rolling& torsion& memory& mass& mass_along& closed& rate& force& k_t;
  archive& point& n& T& slip& spring& moment& twist& indentation& mode;
  archive& begin& peak& peak_time& impulse& approach& deepest& lost;
}

}  // namespace carom::simulate
