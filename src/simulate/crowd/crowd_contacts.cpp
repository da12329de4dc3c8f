#include "carom/simulate/crowd/crowd_contacts.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "carom/laws/newton.h"

namespace carom::simulate {
namespace {

constexpr double kNoLoadOfCrowds = 1e-12;  // of the momentum of the lighter body at the fastest speed: no impulse
constexpr std::size_t kReadAtOnce = 64;    // contacts, or bodies, that a thread reads

constexpr std::size_t kFetchAhead = 6;  // contacts: the order of sweeps is not that of memory

void fetch(const ContactPair& pair) {
  constexpr std::size_t kLine = 64;
  for (std::size_t at = 0; at < sizeof(ContactPair); at += kLine)
    __builtin_prefetch(reinterpret_cast<const char*>(&pair) + at);
}

bool is_round(const Matrix3& inertia) {
  return inertia == Matrix3(inertia(0, 0) * Matrix3::Identity());
}

/// Normal and tangents, as tangents_of has them.
Matrix3 axes_of(const Vector3& normal, bool has_tangents, Dimension dimension) {
  Matrix3 axes = Matrix3::Zero();
  axes.col(0) = normal;
  if (!has_tangents || dimension == Dimension::line) return axes;
  if (dimension == Dimension::plane) {
    axes.col(1) = Vector3(-normal.y(), normal.x(), 0);
    return axes;
  }
  Index least = 0;
  normal.cwiseAbs().minCoeff(&least);
  axes.col(1) = Vector3::Unit(least).cross(normal).normalized();
  axes.col(2) = normal.cross(axes.col(1));
  return axes;
}

}  // namespace

CrowdContacts::CrowdContacts(const Model& model, const ContactRules& rules, const ImpactLaw& law,
                             std::optional<double> e, Crew& crew)
    : model_(model), kinds_(model, rules), e_(e), crew_(crew) {
  const Newton* newton = std::get_if<Newton>(&law);
  newtons_ = newton != nullptr && newton->matrix.size() == 0;
  possible_ = model.description().joints.empty() &&
              (newtons_ || std::holds_alternative<Poisson>(law) || std::holds_alternative<Moreau>(law));
  int next = 0;
  for (int i = 0; i < static_cast<int>(model.bodies().size()); ++i)
    place_.push_back(model.first_velocity(i) < 0 ? -1 : next++);
  bodies.bodies.resize(static_cast<std::size_t>(next));
  const bool in_space = model.dimension() == Dimension::space;
  for (std::size_t i = 0; i < place_.size(); ++i) {
    if (place_[i] < 0) continue;
    const Body& body = model.bodies()[i];
    SweptBody& one = bodies.bodies[place_[i]];
    one.inverse_mass = 1 / body.mass;
    if (in_space) is_round_ = is_round_ && is_round(body.inertia);
    if (model.dimension() != Dimension::line) one.inverse_inertia = 1 / body.inertia(2, 2);
  }
  if (is_round_) return;
  inverse_inertia_.resize(bodies.bodies.size());
  bodies.inverse_inertia.resize(bodies.bodies.size());
  for (std::size_t i = 0; i < place_.size(); ++i)
    if (place_[i] >= 0) inverse_inertia_[place_[i]] = model.bodies()[i].inertia.inverse();
}

bool CrowdContacts::is_plain(const Contact& contact) const {
  return contact.e_t == 0 && !contact.has_ellipse() && !(contact.static_friction() > contact.mu) && !contact.e_of &&
         (newtons_ || e_.value_or(contact.e) == 0);
}

void CrowdContacts::read_bodies(const CrowdMoment& moment) {
  const bool in_space = model_.dimension() == Dimension::space, in_plane = model_.dimension() == Dimension::plane;
  const Index axes = static_cast<Index>(model_.dimension());
  const auto read_one = [&](int i) {
    if (place_[i] < 0) return;
    SweptBody& one = bodies.bodies[place_[i]];
    const Index u = model_.first_velocity(i);
    for (Index k = 0; k < axes; ++k) one.velocity[k] = moment.u_free[u + k];
    if (in_plane) one.angular.z() = moment.u_free[u + 2];
    if (!in_space) return;
    const Quaternion& turn = moment.frames.pose(i).orientation;
    one.angular = turn * moment.u_free.segment<3>(u + 3);
    if (is_round_) return;
    const Matrix3 R = turn.toRotationMatrix();
    bodies.inverse_inertia[place_[i]] = R * inverse_inertia_[place_[i]] * R.transpose();
  };
  crew_.for_ranges(0, place_.size(), kReadAtOnce, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) read_one(static_cast<int>(i));
  });
}

bool CrowdContacts::read(const CrowdMoment& moment, const CrowdIsland& island) {
  const Vector3& gravity = model_.description().gravity;
  ordered_.clear();
  for (const std::size_t i : island.pairs) {
    const ContactPair& pair = moment.pairs[i];
    ordered_.push_back({-gravity.dot(pair.point.point_a + pair.point.point_b), pair.point.gap, place(pair.parts.body_a),
                        place(pair.parts.body_b)});
  }
  const CrowdOrder& order = ordering_.of(ordered_, bodies.bodies.size());
  swept.colours = order.colours;
  swept.contacts.resize(island.pairs.size());
  contacts.resize(island.pairs.size());
  of_pair.resize(island.pairs.size());
  for (std::size_t i = 0; i < of_pair.size(); ++i) of_pair[order.order[i]] = i;
  std::atomic<bool> plain = true;
  crew_.for_ranges(0, contacts.size(), kReadAtOnce, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      if (i + kFetchAhead < to) fetch(moment.pairs[island.pairs[order.order[i + kFetchAhead]]]);
      if (!read(moment, island.pairs[order.order[i]], swept.contacts[i], contacts[i])) plain = false;
    }
  });
  return plain;
}

bool CrowdContacts::read(const CrowdMoment& moment, std::size_t i, SweptContact& one, CrowdContact& contact) const {
  const ContactPair& pair = moment.pairs[i];
  const int a = pair.parts.body_a, b = pair.parts.body_b;
  const Contact* known = pair.parts.is_stop() ? nullptr : kinds_.find(a, b);
  const Contact asked = known || pair.parts.is_stop() ? Contact{} : kinds_.contact(a, b);
  if (pair.parts.is_stop() || !is_plain(known ? *known : asked)) return false;
  const Contact& has = known ? *known : asked;

  one = {};
  one.a = place(a);
  one.b = place(b);
  one.mu = model_.dimension() == Dimension::line ? 0 : has.mu;
  one.axes = axes_of(pair.point.normal, one.mu > 0, model_.dimension());
  one.arm_a = pair.point.point_a - moment.frames.pose(a).position;
  one.arm_b = pair.point.point_b - moment.frames.pose(b).position;
  prepare(one, bodies);

  contact = {};
  contact.pair = i;
  contact.e = e_.value_or(has.e);
  contact.gap_rate = moment.gap_rates[i];
  contact.has_tangents = one.mu > 0;
  const Vector3 v_a = moment.frames.velocity(a, pair.point.point_a),
                v_b = moment.frames.velocity(b, pair.point.point_b);
  const auto free_speed = [&](const SweptBody& body, const Vector3& arm) {
    return Vector3(body.velocity + body.angular.cross(arm)).norm();
  };
  contact.terms = v_a.norm() + v_b.norm();
  double free_terms = 0;
  if (one.a >= 0) {
    contact.slow += moment.added.velocity(a, pair.point.point_a).norm();
    free_terms += free_speed(bodies.bodies[one.a], one.arm_a);
  } else {
    contact.drift -= one.axes.transpose() * v_a;
    free_terms += v_a.norm();
  }
  if (one.b >= 0) {
    contact.slow += moment.added.velocity(b, pair.point.point_a).norm();
    free_terms += free_speed(bodies.bodies[one.b], one.arm_b);
  } else {
    contact.drift += one.axes.transpose() * v_b;
    free_terms += v_b.norm();
  }
  contact.terms = std::max(contact.terms, free_terms);
  contact.minus = one.axes.transpose() * (v_b - v_a);
  contact.free = contact_velocity(one, bodies) + contact.drift;
  if (const Vector3* impulse = moment.before[i]) {
    contact.is_known = true;
    contact.guess = one.axes.transpose() * *impulse;
    const auto mass = [&](int place) { return place >= 0 ? 1 / bodies.bodies[place].inverse_mass : HUGE_VAL; };
    contact.carried = impulse->norm() > kNoLoadOfCrowds * moment.fastest * std::min(mass(one.a), mass(one.b));
  }
  return true;
}

}  // namespace carom::simulate
