#include "carom/simulate/crowd/crowd_overlaps.h"

#include <algorithm>
#include <cmath>

namespace carom::simulate {
namespace {

constexpr double kOverlapLeft = 1e-2;       // of the deepest overlap: how accurately contacts are brought apart
constexpr std::size_t kMostRelaxed = 1000;  // times that a contact is relaxed, on average

/// A body at rest in its pose.
void read_resting(const Model& model, const Pose& pose, int body, SweptBody& one, Matrix3& inverse_inertia) {
  const Body& of = model.bodies()[body];
  one = {};
  one.inverse_mass = 1 / of.mass;
  inverse_inertia.setZero();
  if (model.dimension() == Dimension::plane) inverse_inertia(2, 2) = 1 / of.inertia(2, 2);
  if (model.dimension() != Dimension::space) return;
  const Matrix3 R = pose.orientation.toRotationMatrix();
  inverse_inertia = R * of.inertia.inverse() * R.transpose();
}

}  // namespace

int CrowdOverlaps::place_of(const Model& model, const BodyFrames& frames, int body) {
  if (model.first_velocity(body) < 0 || place_[body] >= 0) return place_[body];
  place_[body] = static_cast<int>(touched_.size());
  touched_.push_back(body);
  pushed_.push_back(0);
  read_resting(model, frames.pose(body), body, bodies_.bodies.emplace_back(), bodies_.inverse_inertia.emplace_back());
  return place_[body];
}

void CrowdOverlaps::read(const Model& model, const BodyFrames& frames, const ContactPair& pair, double offset,
                         Relaxed& one) {
  one.is_read = true;
  one.contact = {};
  one.contact.a = place_of(model, frames, pair.parts.body_a);
  one.contact.b = place_of(model, frames, pair.parts.body_b);
  one.contact.axes.col(0) = pair.point.normal;
  one.contact.arm_a = pair.point.point_a - frames.pose(pair.parts.body_a).position;
  one.contact.arm_b = pair.point.point_b - frames.pose(pair.parts.body_b).position;
  one.contact.offset[0] = offset;
  prepare(one.contact, bodies_);
}

void CrowdOverlaps::find_neighbours(const Model& model, const std::vector<ContactPair>& pairs) {
  first_.assign(model.bodies().size() + 1, 0);
  for (const ContactPair& pair : pairs) {
    ++first_[pair.parts.body_a + 1];
    ++first_[pair.parts.body_b + 1];
  }
  for (std::size_t body = 0; body + 1 < first_.size(); ++body) first_[body + 1] += first_[body];
  neighbours_.resize(first_.back());
  for (std::size_t i = pairs.size(); i-- > 0;) {  // from the ends, so that the places of ends become those of firsts
    neighbours_[--first_[pairs[i].parts.body_a + 1]] = i;
    neighbours_[--first_[pairs[i].parts.body_b + 1]] = i;
  }
  first_.erase(first_.begin());
  first_.push_back(neighbours_.size());
}

void CrowdOverlaps::find_deep_islands(const Model& model, const std::vector<ContactPair>& pairs,
                                      const Vector& tolerated) {
  for (const int body : deep_islands_) in_deep_island_[body] = 0;
  in_deep_island_.resize(model.bodies().size(), 0);
  deep_islands_.clear();
  const auto reach = [&](const ContactPair& pair) {
    for (const int body : {pair.parts.body_a, pair.parts.body_b})
      if (model.first_velocity(body) >= 0 && !in_deep_island_[body]) {
        in_deep_island_[body] = 1;
        deep_islands_.push_back(body);
      }
  };
  std::size_t done = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!(-pairs[i].point.gap > tolerated[static_cast<Index>(i)])) continue;
    reach(pairs[i]);
    for (; done < deep_islands_.size(); ++done)
      for (std::size_t k = first_[deep_islands_[done]]; k < first_[deep_islands_[done] + 1]; ++k)
        reach(pairs[neighbours_[k]]);
  }
}

/// Asks the contacts of a touched body again.
void CrowdOverlaps::wake(int body) {
  if (body < 0) return;
  pushed_[body] = 0;
  for (std::size_t k = first_[touched_[body]]; k < first_[touched_[body] + 1]; ++k) {
    Relaxed& one = contacts_[neighbours_[k]];
    if (!one.waits) queue_.push_back(neighbours_[k]);
    one.waits = true;
  }
}

std::optional<Vector> CrowdOverlaps::displacement(const Model& model, const BodyFrames& frames,
                                                  const std::vector<ContactPair>& pairs, const Depths& depths) {
  for (const int body : touched_) place_[body] = -1;
  place_.resize(model.bodies().size(), -1);
  touched_.clear();
  pushed_.clear();
  bodies_.bodies.clear();
  bodies_.inverse_inertia.clear();
  contacts_.assign(pairs.size(), {});
  queue_.clear();
  find_neighbours(model, pairs);
  find_deep_islands(model, pairs, depths.tolerated);
  double deepest = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double too_deep = -pairs[i].point.gap - depths.left[static_cast<Index>(i)];
    if (!(too_deep > 0)) continue;
    if (!in_deep_island_[pairs[i].parts.body_a] && !in_deep_island_[pairs[i].parts.body_b]) continue;
    deepest = std::max(deepest, too_deep);
    contacts_[i].waits = true;
    queue_.push_back(i);
  }
  const double enough = kOverlapLeft * deepest;
  for (std::size_t read_so_far = 0, relaxed = 0; !queue_.empty(); ++relaxed) {
    if (relaxed > kMostRelaxed * read_so_far + pairs.size()) return std::nullopt;
    const std::size_t i = queue_.front();
    queue_.pop_front();
    Relaxed& one = contacts_[i];
    one.waits = false;
    if (!one.is_read) {
      read(model, frames, pairs[i], pairs[i].point.gap + depths.left[static_cast<Index>(i)], one);
      ++read_so_far;
    }
    SweptContact& contact = one.contact;
    if (!contact.acts) continue;
    const double w = contact_velocity(contact, bodies_)[0] + contact.offset[0];
    const double change = std::max(0.0, contact.x[0] - w / contact.G[0]) - contact.x[0];
    if (change == 0) continue;
    push(contact, Vector3(change, 0, 0), bodies_);
    for (const int body : {contact.a, contact.b})
      if (body >= 0 && (pushed_[body] += contact.G[0] * std::abs(change)) > enough) wake(body);
  }
  return displacement_found(model, frames);
}

Vector CrowdOverlaps::displacement_found(const Model& model, const BodyFrames& frames) const {
  Vector move = Vector::Zero(model.velocities());
  const Index axes = static_cast<Index>(model.dimension());
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    const SweptBody& one = bodies_.bodies[i];
    const Index row = model.first_velocity(touched_[i]);
    move.segment(row, axes) = one.velocity.head(axes);
    if (axes == 2) move[row + 2] = one.angular.z();
    if (axes == 3) move.segment<3>(row + 3) = frames.pose(touched_[i]).orientation.conjugate() * one.angular;
  }
  return move;
}

}  // namespace carom::simulate
