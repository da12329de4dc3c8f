#include "carom/simulate/constraint_rows.h"

#include <algorithm>

namespace carom::simulate {
namespace {

Index velocities_of_body(Dimension dimension) {
  return dimension == Dimension::line ? 1 : dimension == Dimension::plane ? 3 : 6;
}

bool rubs(const TangentialState& tangential) {
  return tangential.mu > 0 && tangential.mode != ContactMode::closed;
}

}  // namespace

ConstraintRows::ConstraintRows(const Model& model, const State& state, BodyMotions& bodies, const JointRows& joints,
                               const Mode& mode)
    : inertias_(model.inertias()),
      width_(velocities_of_body(model.dimension())),
      joints_(joints.J.cols()),
      velocities_(model.velocities()) {
  const std::size_t contacts = mode.closed.size();
  const Index most = joints_ + 3 * static_cast<Index>(contacts);
  rows_.reserve(static_cast<std::size_t>(most));
  value_ = drift_ = bias_ = Vector::Zero(most);
  add_joints(joints);
  first_.reserve(contacts);
  blocks_.reserve(contacts);
  pulls_.reserve(contacts);
  scales_.reserve(contacts);
  cones_.reserve(contacts);
  for (std::size_t i = 0; i < contacts; ++i) {
    const ContactPair& pair = mode.closed[i];
    add_contact(model, state,
                contact_block(model, state, pair, bodies.of(pair.parts.body_a), bodies.of(pair.parts.body_b),
                              rubs(mode.tangential[i])),
                pair, mode.tangential[i]);
  }
  for (Vector* all : {&value_, &drift_, &bias_}) all->conservativeResize(size());
}

void ConstraintRows::add_joints(const JointRows& joints) {
  for (Index j = 0; j < joints_; ++j) {
    Row row;
    for (Part* part : {&row.C[0], &row.C[1]}) part->setZero();
    for (SparseMatrix::InnerIterator entry(joints.J, j); entry; ++entry) {
      const Index at = entry.row(), body = width_ == 3 ? at / 3 : width_ == 6 ? at / 6 : at;
      const std::size_t side = row.body[0] < 0 || row.body[0] == body ? 0 : 1;
      row.body[side] = body;
      row.C[side][at - body * width_] += entry.value();
    }
    add(row, row.C);
  }
  value_.head(joints_) = joints.value;
  drift_.head(joints_) = joints.drift;
  bias_.head(joints_) = joints.bias;
}

ConstraintRows::Row ConstraintRows::row_of(const ContactBlock& block, int row) const {
  Row result;
  for (std::size_t side = 0; side < 2; ++side) {
    result.body[side] = block.first[side] < 0 ? -1 : block.first[side] / width_;
    result.C[side] = block.W[side].col(row);
  }
  if (result.body[0] >= 0 && result.body[0] == result.body[1]) {  // a stop against the world
    result.body[1] = -1;
  }
  return result;
}

void ConstraintRows::add_contact(const Model& model, const State& state, const ContactBlock& block,
                                 const ContactPair& pair, const TangentialState& tangential) {
  const Index normal = size();
  first_.push_back(normal);
  pulls_.emplace_back(Vector3::Zero());
  scales_.push_back(tangential.scale);
  cones_.push_back({normal, 0, tangential.bound()});
  value_[normal] = pair.point.gap;
  drift_[normal] = block.drift[0];
  bias_[normal] = block.bias[0];
  const Row row = row_of(block, 0);
  std::array<Part, 2> F = row.C;
  if (rubs(tangential) && tangential.mode == ContactMode::slip) {
    Tangents tangents(3, block.rows - 1);
    for (int t = 1; t < block.rows; ++t) tangents.col(t - 1) = block.tangents[t - 1];
    const TangentialState::Along slip =
        tangential.scaled_slip(tangents, slip_direction(model, state, pair, tangential)).normalized();
    for (int t = 1; t < block.rows; ++t) {
      const double pull = -tangential.mu * tangential.scale[t - 1] * slip[t - 1];
      pulls_.back()[t - 1] = pull;
      for (std::size_t side = 0; side < 2; ++side) F[side] += pull * block.W[side].col(t);
    }
  }
  add(row, F);
  blocks_.push_back(block);
  if (!rubs(tangential) || tangential.mode == ContactMode::slip) return;
  cones_.back().tangents = block.rows - 1;
  for (int t = 1; t < block.rows; ++t) {
    const double scale = tangential.scale[t - 1];
    drift_[size()] = scale * block.drift[t];
    bias_[size()] = scale * block.bias[t];
    Row along = row_of(block, t);
    for (Part& part : along.C) part *= scale;
    add(along, along.C);
  }
}

void ConstraintRows::add(const Row& row, const std::array<Part, 2>& F) {
  rows_.push_back(row);
  for (std::size_t side = 0; side < 2; ++side) {
    if (row.body[side] < 0) continue;
    const Model::Inertia& inertia = inertias_[row.body[side]];
    Part& moves = rows_.back().moves[side];
    moves = F[side] / inertia.mass;
    if (width_ == 3) moves[2] = F[side][2] / inertia.spin;
    if (width_ == 6) moves.tail<3>() = inertia.turning * F[side].tail<3>();
  }
}

Vector ConstraintRows::rates(const Vector& u) const {
  Vector result = Vector::Zero(size());
  for (Index i = 0; i < size(); ++i)
    for (std::size_t side = 0; side < 2; ++side)
      if (const Index body = rows_[i].body[side]; body >= 0)
        for (Index k = 0; k < width_; ++k) result[i] += rows_[i].C[side][k] * u[body * width_ + k];
  return result;
}

Vector ConstraintRows::moved(const Vector& lambda) const {
  Vector result = Vector::Zero(velocities_);
  for (Index i = 0; i < size(); ++i)
    for (std::size_t side = 0; side < 2; ++side)
      if (const Index body = rows_[i].body[side]; body >= 0) {
        const Part& moves = rows_[i].moves[side];
        for (Index k = 0; k < width_; ++k) result[body * width_ + k] += lambda[i] * moves[k];
      }
  return result;
}

SparseMatrix ConstraintRows::S() const {
  return width_ == 1 ? product<1>() : width_ == 3 ? product<3>() : product<6>();
}

/// C'M^-1 F of bodies with so many velocities.
template <int Width>
SparseMatrix ConstraintRows::product() const {
  struct Use {  // of a body by a row
    Index row;
    std::size_t side;
  };
  const std::size_t bodies = inertias_.size();
  std::vector<Index> first(bodies + 1, 0);
  for (const Row& row : rows_)
    for (const Index body : row.body)
      if (body >= 0) ++first[body + 1];
  for (std::size_t body = 0; body < bodies; ++body) first[body + 1] += first[body];
  std::vector<Use> uses(static_cast<std::size_t>(first.back()));
  std::vector<Index> next(first.begin(), first.end() - 1);
  for (Index i = 0; i < size(); ++i)
    for (std::size_t side = 0; side < 2; ++side)
      if (const Index body = rows_[i].body[side]; body >= 0) uses[next[body]++] = {i, side};
  Index entries = 0;
  for (const Use& use : uses) {
    const Index body = rows_[use.row].body[use.side];
    entries += first[body + 1] - first[body];
  }
  SparseMatrix result(size(), size());
  result.reserve(entries);
  std::vector<double> column(rows_.size(), 0);
  std::vector<char> seen(rows_.size(), 0);
  std::vector<Index> those;  // that a column has
  for (Index j = 0; j < size(); ++j) {
    those.clear();
    for (std::size_t side = 0; side < 2; ++side) {
      const Index body = rows_[j].body[side];
      if (body < 0) continue;
      const Part& moves = rows_[j].moves[side];
      for (Index use = first[body]; use < first[body + 1]; ++use) {
        const Index i = uses[use].row;
        const Part& C = rows_[i].C[uses[use].side];
        double sum = 0;
        for (Index k = 0; k < Width; ++k) sum += C[k] * moves[k];
        if (seen[i] == 0) {
          seen[i] = 1;
          those.push_back(i);
        }
        column[i] += sum;
      }
    }
    std::sort(those.begin(), those.end());
    result.startVec(j);
    for (const Index i : those) {
      result.insertBack(i, j) = column[i];
      column[i] = 0;
      seen[i] = 0;
    }
  }
  result.finalize();
  return result;
}

ConstraintRows::ContactForce ConstraintRows::contact_force(std::size_t contact, const Vector& lambda) const {
  const Index row = first_[contact];
  const ContactBlock& block = blocks_[contact];
  ContactForce result{lambda[row], Vector3::Zero(), block.drift[0] * lambda[row]};
  const int tangents = block.rows - 1;
  for (int t = 0; t < tangents; ++t) {
    const bool sticks = cones_[contact].tangents > 0;
    const double along = sticks ? scales_[contact][t] * lambda[row + 1 + t] : pulls_[contact][t] * lambda[row];
    result.friction += along * block.tangents[t];
    result.drift_power += block.drift[1 + t] * along;
  }
  return result;
}

}  // namespace carom::simulate
