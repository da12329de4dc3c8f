#pragma once

#include <functional>
#include <vector>

#include "carom/model/contact_rules.h"
#include "carom/simulate/forced/neighbours.h"
#include "carom/simulate/forced/stepped_bodies.h"

namespace carom::simulate {

/// Balls (discs in the plane) and flat walls under contact forces: arrays instead of bodies, lists of neighbours
/// instead of a search, so that a step costs the same for each ball however many there are.
class Grains final : public SteppedBodies {
 public:
  /// No joints, springs or loads, every free body one centred ball, every wall flat.
  static bool applies(const Model& model);

  Grains(const Model& model, const ContactRules& rules, const Compliant& law, const State& start, double least_speed);

  void step(double h) override;
  State state() const override;
  void for_contacts(const std::function<void(const StepContact&)>& use) const override;
  void archived(Archive& archive) override;

 private:
  struct Wall {
    int body = -1, part = 0;
    Vector3 normal = Vector3::UnitY(), origin = Vector3::Zero(), centre = Vector3::Zero();  // in the world, now
    Twist twist = {};
    std::vector<int> slot = {};  // (balls) -1: none
  };

  std::size_t size() const { return x_.size(); }
  void place_walls();
  void find_neighbours();
  void press_all(double h);
  void between_balls(double h);
  void with_walls(double h);
  int new_slot(int a, int b, int part_a, double R, double over_mass, double over_inertia);
  void open(int& slot);
  void ended(const StepContact& contact);

  const Model& model_;
  const ContactRules& rules_;
  const Compliant& law_;
  double least_speed_;
  Vector3 gravity_ = Vector3::Zero();
  double t_ = 0;
  State start_;
  std::vector<int> body_;                                  // (balls)
  std::vector<double> radius_, over_mass_, over_inertia_;  // (balls)
  std::vector<Vector3> x_, v_, w_;                         // places, velocities, angular velocities in the world
  std::vector<Vector3> force_, torque_, gained_, spun_;    // accelerations in the last two
  std::vector<double> angle_;                              // in the plane: turned since the start
  std::vector<Quaternion> orientation_;                    // in space
  std::vector<Wall> walls_;
  Neighbours neighbours_;
  std::vector<int> slot_;  // (pairs of the lists) -1: they do not touch
  std::vector<StepContact> contacts_;
  std::vector<int> free_slots_;
  bool started_ = false;
};

}  // namespace carom::simulate
