#include "carom/simulate/crowd/crowd_sums.h"

#include <algorithm>
#include <cmath>

namespace carom::simulate {
namespace {

constexpr double kConsistent = 1e-9;             // relative residuals up to this are rounding
constexpr double kAccuracyMargin = 10;           // what is asked for may be missed so many times
constexpr double kLeastAccuracyOfCrowds = 1e-2;  // less excuses nothing
constexpr double kRoundingOfCrowds = 1e-15;      // of sums, relative to their terms
constexpr double kSlowestOfCrowds = 1e-9;        // of the points' speeds: what is slower need not be told from rest

double share(double violation, double of) {
  return violation <= 0 ? 0 : of > 0 ? violation / of : 1;
}

/// How fast contacts close, or would be thrown back.
double closing_of(const CrowdContacts& crowd) {
  double closing = 0;
  for (const CrowdContact& contact : crowd.contacts)
    closing = std::max({closing, std::abs(contact.free[0] + contact.e * contact.minus[0]), std::abs(contact.minus[0])});
  return closing;
}

}  // namespace

double speed_of(const CrowdContact& contact) {
  return 2 * std::max(contact.minus.norm(), contact.free.norm()) + std::abs(contact.e * contact.minus[0]);
}

double speed_limit_of(const CrowdContacts& crowd, double accuracy) {
  double terms = 0;
  for (const CrowdContact& contact : crowd.contacts) terms = std::max(terms, contact.terms);
  return std::max(kLeastAccuracyOfCrowds / accuracy * closing_of(crowd), kSlowestOfCrowds * terms);
}

double largest_speed_of(const CrowdContacts& crowd, double accuracy) {
  double most = 0;
  for (const CrowdContact& contact : crowd.contacts) most = std::max(most, speed_of(contact));
  return std::min(most, speed_limit_of(crowd, accuracy));
}

void read_velocities(const CrowdContacts& crowd, std::vector<Vector3>& plus) {
  plus.resize(crowd.contacts.size());
  for (std::size_t i = 0; i < plus.size(); ++i)
    plus[i] = contact_velocity(crowd.swept.contacts[i], crowd.bodies) + crowd.contacts[i].drift;
}

ContactLoss loss_of(const CrowdContact& contact, const Vector3& plus, const Vector3& Lambda) {
  const Vector3 taken = -0.5 * (contact.minus + plus).cwiseProduct(Lambda);
  return {taken[0], taken[1] + taken[2]};
}

CrowdMisses misses_of(const CrowdContacts& crowd, double accuracy, double residual) {
  double closing = 0;
  const double normal = closing_of(crowd);
  const double together = normal > 0 ? std::max(1.0, largest_speed_of(crowd, accuracy) / normal) : 1;
  const double claimed = std::min(kLeastAccuracyOfCrowds, together * std::max(accuracy, kAccuracyMargin * residual));
  CrowdMisses misses;
  misses.tolerance = std::max(kConsistent, kAccuracyMargin * claimed);
  std::vector<double> w(crowd.contacts.size());
  for (std::size_t i = 0; i < w.size(); ++i) {
    const SweptContact& one = crowd.swept.contacts[i];
    if (!one.acts) continue;
    const double velocity = contact_velocity(one, crowd.bodies)[0];
    w[i] = velocity + one.offset[0];
    closing = std::max({closing, std::abs(crowd.contacts[i].minus[0]), std::abs(crowd.contacts[i].free[0]),
                        std::abs(velocity + crowd.contacts[i].drift[0])});
  }
  Certificate::Residuals &absolute = misses.absolute, &relative = misses.relative;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const SweptContact& one = crowd.swept.contacts[i];
    const CrowdContact& contact = crowd.contacts[i];
    if (!one.acts) continue;
    const double rebound = contact.e * contact.minus[0], gamma = w[i] - rebound;
    const double moved = std::abs(contact.minus[0] + contact.gap_rate) + std::abs(contact.free[0] + contact.gap_rate) +
                         std::min(one.G[0] * one.x[0], closing);
    const double rounding = kRoundingOfCrowds * contact.terms + claimed * closing;
    absolute.kinematic = std::max(absolute.kinematic, -gamma);
    relative.kinematic = std::max(relative.kinematic, share(-gamma - rounding, std::max(moved, rounding)));
    const double pull = std::max({0.0, -one.x[0], one.x.tail<2>().norm() - one.mu * one.x[0]});
    absolute.kinetic = std::max(absolute.kinetic, pull);
    relative.kinetic = std::max(relative.kinetic, share(pull * one.G[0], moved));
    absolute.complementarity = std::max(absolute.complementarity, std::abs(w[i] * one.x[0]));
    relative.complementarity = std::max(
        relative.complementarity, share(std::min(std::abs(w[i]) - rounding, std::abs(one.x[0]) * one.G[0]), moved));
  }
  return misses;
}

StepSums sums_of(const Model& model, const CrowdMoment& moment, const CrowdIsland& island, const CrowdContacts& crowd,
                 const std::vector<Vector3>& Lambda, const std::vector<Vector3>& plus, const Vector& u) {
  StepSums sums;
  std::vector<Vector3> impulse(crowd.bodies.bodies.size(), Vector3::Zero()), torque = impulse;
  double exchanged = 0, rounding = 0;
  for (std::size_t i = 0; i < crowd.contacts.size(); ++i) {
    const SweptContact& one = crowd.swept.contacts[i];
    const CrowdContact& contact = crowd.contacts[i];
    if (Lambda[i][0] == 0) continue;
    const ContactLoss lost = loss_of(contact, plus[i], Lambda[i]);
    sums.dissipated += lost.normal + lost.friction;
    sums.wall_work -= contact.drift.dot(Lambda[i]);
    exchanged += Lambda[i].cwiseAbs().dot(contact.minus.cwiseAbs() + plus[i].cwiseAbs());
    rounding += contact.terms * Lambda[i].cwiseAbs().sum();
    const Vector3 pushed = one.axes * Lambda[i];
    if (one.a >= 0) {
      impulse[one.a] -= pushed;
      torque[one.a] -= one.arm_a.cross(pushed);
    }
    if (one.b >= 0) {
      impulse[one.b] += pushed;
      torque[one.b] += one.arm_b.cross(pushed);
    }
  }
  double p_squared = 0, p_given = 0, off_squared = 0;
  const Index axes = static_cast<Index>(model.dimension());
  for (const int body : island.bodies) {
    const Index row = model.first_velocity(body);
    const Body& of = model.bodies()[body];
    const int place = crowd.place(body);
    Vector3 v[3] = {Vector3::Zero(), Vector3::Zero(), Vector3::Zero()}, w[3] = {v[0], v[0], v[0]};
    const Vector* all[3] = {&moment.middle.u, &moment.u_free, &u};
    for (int k = 0; k < 3; ++k) {
      v[k].head(axes) = all[k]->segment(row, axes);
      if (axes == 2) w[k].z() = (*all[k])[row + 2];
      if (axes == 3) w[k] = all[k]->segment<3>(row + 3);
    }
    Vector3 turned = torque[place];
    if (axes == 3) turned = moment.frames.pose(body).orientation.conjugate() * turned;
    if (axes == 1) turned.setZero();
    const Matrix3 inertia = axes == 1   ? Matrix3(Matrix3::Zero())
                            : axes == 2 ? Matrix3(of.inertia(2, 2) * Matrix3::Identity())
                                        : of.inertia;
    const Vector3 p = of.mass * (v[1] - v[0]), p_turn = inertia * (w[1] - w[0]);
    sums.before += 0.5 * (of.mass * v[0].squaredNorm() + w[0].dot(inertia * w[0]));
    sums.after += 0.5 * (of.mass * v[2].squaredNorm() + w[2].dot(inertia * w[2]));
    sums.smooth_work += 0.5 * (p.dot(v[0] + v[2]) + p_turn.dot(w[0] + w[2]));
    p_squared += p.dot(v[1] - v[0]) + p_turn.dot(w[1] - w[0]);
    p_given += p.dot(v[1] - v[2]) + p_turn.dot(w[1] - w[2]);
    Vector3 off = of.mass * (v[2] - v[1]) - impulse[place], off_turn = inertia * (w[2] - w[1]) - turned;
    for (Index k = axes; k < 3; ++k) off[k] = 0;
    if (axes == 2) off_turn.head<2>().setZero();
    sums.certificate.absolute.dynamics =
        std::max({sums.certificate.absolute.dynamics, off.cwiseAbs().maxCoeff(), off_turn.cwiseAbs().maxCoeff()});
    off_squared += off.squaredNorm() / of.mass;
    if (axes > 1) off_squared += off_turn.dot(inertia.inverse() * off_turn);
  }
  const double total = sums.before + sums.after + std::abs(sums.wall_work) + std::abs(sums.smooth_work);
  sums.allowed = std::max(0.5 * p_squared, 0.5 * p_given);
  sums.exchanged = exchanged + 2 * sums.allowed;
  Certificate& certificate = sums.certificate;
  certificate.relative.dynamics = share(std::sqrt(off_squared), std::sqrt(2 * (total + 0.5 * p_squared)));
  certificate.absolute.ledger =
      std::abs(sums.before + sums.wall_work + sums.smooth_work - sums.after - sums.dissipated);
  certificate.relative.ledger =
      share(certificate.absolute.ledger - kRoundingOfCrowds * (rounding + sums.before + sums.after), total);
  return sums;
}

}  // namespace carom::simulate
