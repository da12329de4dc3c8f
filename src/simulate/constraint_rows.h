#pragma once

#include <array>
#include <vector>

#include "carom/model/joint_rows.h"
#include "carom/simulate/body_motions.h"
#include "carom/simulate/closed_contacts.h"
#include "carom/simulate/shared_forces.h"

namespace carom::simulate {

/// All bilateral constraints at one state, C'u + drift = 0, and the directions F that their forces act in: joints
/// first, then the normals of closed contacts with the tangents of those that stick. F differs from C where a contact
/// slips: there the normal force brings its friction along.
class ConstraintRows {
 public:
  ConstraintRows(const Model& model, const State& state, BodyMotions& bodies, const JointRows& joints,
                 const Mode& mode);

  Index size() const { return static_cast<Index>(rows_.size()); }
  Index joints() const { return joints_; }
  const Vector& value() const { return value_; }  // (rows) gaps and errors of joints; 0 for tangents
  const Vector& drift() const { return drift_; }  // (rows)
  const Vector& bias() const { return bias_; }    // (rows)
  const std::vector<ForceCone>& cones() const { return cones_; }

  Vector rates(const Vector& u) const;       // C'u
  SparseMatrix S() const;                    // C'M^-1 F
  Vector moved(const Vector& lambda) const;  // M^-1 F lambda

  /// Forces of a closed contact along its normal and its tangents, slipping or not.
  struct ContactForce {
    double normal = 0;
    Vector3 friction = Vector3::Zero();  // on body b
    double drift_power = 0;              // of walls that move
  };
  ContactForce contact_force(std::size_t contact, const Vector& lambda) const;

 private:
  using Part = Eigen::Matrix<double, 6, 1>;
  struct Row {
    std::array<Index, 2> body = {-1, -1};  // among the free ones; -1: none
    std::array<Part, 2> C, moves;          // moves: M^-1 F
  };

  void add_joints(const JointRows& joints);
  void add_contact(const Model& model, const State& state, const ContactBlock& block, const ContactPair& pair,
                   const TangentialState& tangential);
  Row row_of(const ContactBlock& block, int row) const;
  void add(const Row& row, const std::array<Part, 2>& F);
  template <int Width>
  SparseMatrix product() const;

  const std::vector<Model::Inertia>& inertias_;
  Index width_ = 1, joints_ = 0, velocities_ = 0;
  std::vector<Row> rows_;
  std::vector<Index> first_;          // (contacts) rows of their normals
  std::vector<ContactBlock> blocks_;  // (contacts)
  std::vector<Vector3> pulls_;        // (contacts) friction over the normal force where they slip, along the tangents
  std::vector<Eigen::Vector2d> scales_;  // (contacts) of the tangents of those that stick
  Vector value_, drift_, bias_;
  std::vector<ForceCone> cones_;
};

}  // namespace carom::simulate
