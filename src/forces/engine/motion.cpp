#include "carom/forces/engine/motion.h"

#include <algorithm>
#include <cmath>

#include "carom/numerics/decompositions.h"
#include "carom/numerics/disc_program.h"

namespace carom::forces {
namespace {

constexpr double kRank = 1e-10;    // eigenvalues of the mobility of held rows below this share of the largest are none
constexpr int kSharedRounds = 60;  // of a dent that is held and slips
constexpr double kShared = 1e-14;  // relative change at which these end

}  // namespace

Motion::Motion(const Kinematics& own, NormalList normals, FrictionList frictions, std::vector<Turning> turnings)
    : kinematics(own),
      normal(std::move(normals)),
      friction(std::move(frictions)),
      state(static_cast<std::size_t>(own.contacts())),
      turning(std::move(turnings)),
      own_size_(own.size()),
      rubs_(static_cast<std::size_t>(own.contacts()), 0),
      mu_(Vector::Zero(own.contacts())),
      mu_s_(Vector::Zero(own.contacts())) {
  for (Index i = 0; i < own.contacts(); ++i) {
    row_.push_back(own.row(i));
    tangents_.push_back(own.tangents(i));
  }
  std::visit(
      [&]<class F>(const std::vector<F>& all) {
        kind_ = F::kind;
        for (std::size_t i = 0; i < all.size(); ++i) {
          const Index contact = static_cast<Index>(i);
          rubs_[i] = tangents(contact) > 0 && all[i].mu_s > 0;
          springs_ = springs_ || (rubs_[i] && F::kind == FrictionKind::elastic);
          mu_[contact] = all[i].mu;
          mu_s_[contact] = all[i].mu_s;
        }
      },
      friction);
}

Eigen::Vector2d Motion::tangential(Index i, const Vector& rows) const {
  Eigen::Vector2d result(0, 0);
  for (int t = 0; t < tangents(i); ++t) result[t] = rows[row(i) + 1 + t];
  return result;
}

void Motion::observe(double t, const double* y, Moment& moment) const {
  moment.d.resize(contacts());
  moment.gamma.resize(kinematics.rows());
  kinematics.observe(t, y, moment.d.data(), moment.gamma.data());
}

void Motion::evaluate(double t, const double* y, Moment& moment) const {
  ++evaluations;
  observe(t, y, moment);
  moment.force.setZero(kinematics.rows());
  add_normal(0, contacts(), moment);
  add_friction(0, contacts(), y, moment);
  for (Index j = 0; j < turnings(); ++j) add_turning(j, y, moment);
  if (!held_rows_.empty()) add_held(t, y, moment);
}

void Motion::evaluate_one(Index i, double t, const double* y, Moment& moment) const {
  kinematics.observe_one(i, t, y, moment.d.data(), moment.gamma.data());
  for (Index k = row(i); k <= row(i) + tangents(i) + kinematics.axes(i); ++k) moment.force[k] = 0;
  add_normal(i, i + 1, moment);
  add_friction(i, i + 1, y, moment);
  for (Index j = 0; j < turnings(); ++j)
    if (turning[j].contact == i) add_turning(j, y, moment);
}

/// Of the contacts from `from` to before `to`.
void Motion::add_normal(Index from, Index to, Moment& moment) const {
  std::visit(
      [&](const auto& all) {
        for (Index i = from; i < to; ++i) {
          if (state[i].phase != Phase::pressing) continue;
          moment.force[row(i)] = all[i].law(moment.d[i], -moment.gamma[row(i)], state[i].memory);
        }
      },
      normal);
}

void Motion::add_friction(Index from, Index to, const double* y, Moment& moment) const {
  const auto put = [&](Index i, const Eigen::Vector2d& force) {
    for (int t = 0; t < tangents(i); ++t) moment.force[row(i) + 1 + t] = force[t];
  };
  std::visit(
      [&]<class F>(const std::vector<F>& all) {
        for (Index i = from; i < to; ++i) {
          const std::size_t at = static_cast<std::size_t>(i);
          const double pressed = moment.force[row(i)];
          if (!rubs_[at] || pressed <= 0) continue;
          const ContactState& one = state[at];
          const Eigen::Vector2d v = tangential(i, moment.gamma);
          const double most = mu_[i] * pressed, speed = v.norm();
          if constexpr (F::kind == FrictionKind::smooth) {
            put(i, -most * all[at].share(speed) * v);
            continue;
          }
          const Eigen::Vector2d heading(one.heading[0], one.heading[1]);
          const bool planar = tangents(i) == 1;
          if (one.mode == ContactMode::slip_onset ||
              (one.mode == ContactMode::slip && planar && F::kind == FrictionKind::holding))
            put(i, -most * heading);
          else if (one.mode == ContactMode::slip_aligned ||
                   (one.mode == ContactMode::slip && F::kind == FrictionKind::holding))
            put(i, speed > 0 ? Eigen::Vector2d(-most / speed * v) : Eigen::Vector2d(0, 0));
          else if (F::kind == FrictionKind::elastic) {
            const Eigen::Vector2d spring(y[this->spring(i)], y[this->spring(i) + 1]);
            const double length = spring.norm();
            put(i, one.mode == ContactMode::stick ? spring
                   : length > 0                   ? Eigen::Vector2d(most / length * spring)
                                                  : spring);
          }
        }
      },
      friction);
}

void Motion::add_turning(Index j, const double* y, Moment& moment) const {
  const Turning& one = turning[j];
  const double pressed = moment.force[row(one.contact)];
  if (state[one.contact].phase != Phase::pressing || pressed <= 0) return;
  const Turning::Pair M =
      one.moment(turning_spring_of(j, y), one.about(moment.gamma), pressed, normal_stiffness(one.contact, moment));
  for (int k = 0; k < one.axes; ++k) moment.force[one.row + k] = M[k];
}

double Motion::turning_stored(Index j, const double* y, const Moment& moment) const {
  const Turning& one = turning[j];
  if (state[one.contact].phase != Phase::pressing) return 0;
  return one.stored(turning_spring_of(j, y), moment.force[row(one.contact)], normal_stiffness(one.contact, moment),
                    paid(j, y));
}

Vector Motion::held_forces(double t, const double* y, const Moment& moment) const {
  Vector acceleration(kinematics.rows());
  kinematics.accelerate(t, y, moment.force.data(), acceleration.data());
  const Vector pushed = acceleration(held_rows_);
  if (!redundant_ || kind_ != FrictionKind::holding) return -(held_ * pushed);
  // Redundant contacts share what is to be held so that none gets more than it can hold, as long as there is a way.
  std::vector<numerics::Disc> discs;
  for (Index start = 0; start < pushed.size();) {
    const Index i = held_contacts_[start];
    const bool dent = held_rows_[start] == row(i);
    const int size = dent ? 1 : tangents(i);
    const double normal_force = std::max(moment.force[row(i)], 0.0);
    discs.push_back({start, size, dent ? HUGE_VAL : mu_s_[i] * normal_force});
    if (dent) return -(held_ * pushed);
    start += size;
  }
  const numerics::DiscSolution solution = numerics::solve_disc_program(mobility_, pushed, discs);
  return solution.solved ? solution.x : Vector(-(held_ * pushed));
}

void Motion::add_held(double t, const double* y, Moment& moment) const {
  bool dents = false;
  for (std::size_t i = 0; i < held_rows_.size(); ++i) {
    moment.force[held_rows_[i]] = 0;
    dents = dents || held_rows_[i] == row(held_contacts_[i]);
  }
  if (!dents) {
    moment.force(held_rows_) = held_forces(t, y, moment);
    return;
  }
  // A dent that is held and slips has a friction that depends on the force that holds it.
  Vector held = Vector::Zero(static_cast<Index>(held_rows_.size()));
  for (int round = 0; round < kSharedRounds; ++round) {
    Moment trial = moment;
    for (std::size_t i = 0; i < held_rows_.size(); ++i)
      if (held_rows_[i] == row(held_contacts_[i])) trial.force[held_rows_[i]] = held[static_cast<Index>(i)];
    add_friction(0, contacts(), y, trial);
    for (const Index held_row : held_rows_) trial.force[held_row] = 0;
    const Vector next = held_forces(t, y, trial);
    const bool same = (next - held).norm() <= kShared * next.norm();
    held = next;
    moment.force = trial.force;
    moment.force(held_rows_) = held;
    if (same) return;
  }
  // No force-level friction goes with that: it is held without.
  for (std::size_t i = 0; i < held_rows_.size(); ++i)
    for (int k = 0; k <= tangents(held_contacts_[i]); ++k) moment.force[row(held_contacts_[i]) + k] = 0;
  moment.force(held_rows_) = held_forces(t, y, moment);
}

void Motion::hold(double t, const double* y) {
  held_rows_.clear();
  held_contacts_.clear();
  for (Index i = 0; i < contacts(); ++i) {
    const ContactState& one = state[i];
    const Index first = row(i);
    const auto keep = [&](Index kept) {
      held_rows_.push_back(kept);
      held_contacts_.push_back(i);
    };
    if (one.phase == Phase::held) keep(first);
    if (kind_ == FrictionKind::holding && one.mode == ContactMode::stick)
      for (int k = 1; k <= tangents(i); ++k) keep(first + k);
  }
  redundant_ = false;
  if (held_rows_.empty()) return;
  mobility_ = kinematics.mobility(t, y, held_rows_);
  Vector scale = mobility_.diagonal().cwiseMax(0).cwiseSqrt();
  for (double& value : scale) value = value > 0 ? 1 / value : 0;
  const auto spectrum = numerics::symmetric_spectrum(Matrix(scale.asDiagonal() * mobility_ * scale.asDiagonal()));
  const double least = kRank * spectrum.values.maxCoeff();
  Vector inverse(spectrum.values.size());
  for (Index i = 0; i < inverse.size(); ++i) {
    const bool zero = spectrum.values[i] <= least;
    redundant_ = redundant_ || zero;
    inverse[i] = zero ? 0 : 1 / spectrum.values[i];
  }
  held_ =
      scale.asDiagonal() * spectrum.vectors * inverse.asDiagonal() * spectrum.vectors.transpose() * scale.asDiagonal();
}

Vector Motion::stopping_impulse(const Vector& gamma) const {
  Vector result = Vector::Zero(kinematics.rows());
  if (!held_rows_.empty()) result(held_rows_) = -(held_ * Vector(gamma(held_rows_)));
  return result;
}

double Motion::normal_stiffness(Index i, const Moment& moment) const {
  return with_normal(i, [&](const auto& f) { return f.stiffness(moment.d[i], state[i].memory); });
}

double Motion::tangential_stiffness(Index i, const Moment& moment) const {
  const double k_n = normal_stiffness(i, moment);
  return std::visit(
      [&]<class F>(const std::vector<F>& all) {
        if constexpr (F::kind == FrictionKind::elastic)
          return all[i].stiffness(k_n);
        else
          return 0.0;
      },
      friction);
}

namespace {

/// The rate of change of k_n, relative [1/s].
template <class N>
double growth(const N& force, double d, double rate, const Memory& memory) {
  return force.stiffening(d, memory) * rate;
}

}  // namespace

template <class F>
void Motion::springs(const std::vector<F>& all, const double* y, const Moment& moment, double* dy) const {
  std::visit(
      [&](const auto& normals) {
        for (Index i = 0; i < contacts(); ++i) {
          const std::size_t at = static_cast<std::size_t>(i);
          const ContactState& one = state[at];
          if (!rubs_[at] || (one.mode != ContactMode::stick && one.mode != ContactMode::slip)) continue;
          const double d = moment.d[i], rate = -moment.gamma[row(i)];
          const double k_t = all[at].stiffness(normals[at].stiffness(d, one.memory));
          const Eigen::Vector2d v = tangential(i, moment.gamma), T(y[spring(i)], y[spring(i) + 1]);
          Eigen::Vector2d change(0, 0);
          if (one.mode == ContactMode::stick)
            change = -k_t * v + T * all[at].scaling(growth(normals[at], d, rate, one.memory));
          else if (tangents(i) == 2) {
            const double most = mu_[i] * moment.force[row(i)], length = T.norm();
            if (most > 0 && length > 0) change = -k_t / most * (v - v.dot(T) / (length * length) * T);
          }
          dy[spring(i)] = change[0];
          dy[spring(i) + 1] = change[1];
        }
      },
      normal);
}

/// Springs of turning, stretched while they hold; they follow a stiffness that falls as Mindlin's do.
void Motion::turn(const double* y, const Moment& moment, double* dy) const {
  for (Index j = 0; j < turnings(); ++j) {
    const Turning& one = turning[j];
    const ContactState& contact = state[one.contact];
    if (contact.phase != Phase::pressing) continue;
    const Turning::Pair w = one.about(moment.gamma);
    const double turned_rate = -one.about(moment.force).dot(w);
    dy[rubbed(one.contact)] += turned_rate;
    dy[turned(j)] = turned_rate;
    if (one.gives) continue;
    const double k = one.resistance.stiffness(normal_stiffness(one.contact, moment));
    const double growing = with_normal(one.contact, [&](const auto& f) {
      return growth(f, moment.d[one.contact], -moment.gamma[row(one.contact)], contact.memory);
    });
    const Turning::Pair change = -k * w + std::min(growing, 0.0) * turning_spring_of(j, y);
    dy[turning_spring(j)] = change[0];
    dy[turning_spring(j) + 1] = change[1];
  }
}

double Motion::excess(Index i, double t, const double* y, const Moment& moment) const {
  const std::size_t at = static_cast<std::size_t>(i);
  const ContactState& one = state[at];
  const Index first = row(i);
  Vector acceleration(kinematics.rows());
  kinematics.accelerate(t, y, moment.force.data(), acceleration.data());
  const double d = moment.d[i], rate = -moment.gamma[first];
  const double pressed = std::max(moment.force[first], 0.0);
  const double pressing = with_normal(i, [&](const auto& f) {
    return f.slope(d, rate, one.memory) * rate - f.damping(d, one.memory) * acceleration[first];
  });
  const double growing = with_normal(i, [&](const auto& f) { return growth(f, d, rate, one.memory); });
  const Eigen::Vector2d v = tangential(i, moment.gamma), T = tangential(i, moment.force);
  const double length = T.norm();
  const Eigen::Vector2d heading = length > 0 ? Eigen::Vector2d(T / length) : Eigen::Vector2d(0, 0);
  const double k_t = tangential_stiffness(i, moment);
  const double scaled = std::visit(
      [&]<class F>(const std::vector<F>& all) {
        if constexpr (F::kind == FrictionKind::elastic)
          return all[at].scaling(growing);
        else
          return 0.0;
      },
      friction);
  return -k_t * v.dot(heading) + mu_[i] * pressed * scaled - mu_[i] * pressing;
}

void Motion::operator()(double t, const double* y, double* dy) const {
  Moment& moment = scratch_;
  evaluate(t, y, moment);
  kinematics.move(t, y, moment.force.data(), dy);
  for (Index i = kinematics.size(); i < size(); ++i) dy[i] = 0;
  for (Index i = 0; i < contacts(); ++i) {
    const Index first = row(i);
    dy[work(i)] = -moment.force[first] * moment.gamma[first];
    if (rubs(i)) dy[rubbed(i)] = -tangential(i, moment.force).dot(tangential(i, moment.gamma));
  }
  if (!turning.empty()) turn(y, moment, dy);
  std::visit(
      [&]<class F>(const std::vector<F>& all) {
        if constexpr (F::kind == FrictionKind::elastic) springs(all, y, moment, dy);
      },
      friction);
}

void Scales::set_contacts(const Motion& motion, const Vector& masses) {
  const Index m = motion.contacts();
  mass = masses;
  depth = force = time = Vector::Ones(m);
  if (speed <= 0) return;
  for (Index i = 0; i < m; ++i) {
    if (mass[i] <= 0) continue;
    const double energy = 0.5 * mass[i] * speed * speed;
    depth[i] = motion.with_normal(i, [&](const auto& f) { return f.indentation(energy); });
    time[i] = depth[i] / speed;
    force[i] = energy / depth[i];
  }
}

}  // namespace carom::forces
