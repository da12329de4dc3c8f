#include "carom/simulate/pair_problem.h"

#include <numeric>

namespace carom::simulate {
namespace {

/// A matrix of this size with every entry.
void make_full(SparseMatrix& W, Index rows, Index cols) {
  if (W.rows() == rows && W.cols() == cols) return;
  W = SparseMatrix(rows, cols);
  W.resizeNonZeros(rows * cols);
  for (Index j = 0; j < cols; ++j) {
    W.outerIndexPtr()[j + 1] = static_cast<int>((j + 1) * rows);
    std::iota(W.innerIndexPtr() + j * rows, W.innerIndexPtr() + (j + 1) * rows, 0);
  }
}

}  // namespace

PairProblem::PairProblem(const Model& model, const ContactRules& rules, const ContactKinds& kinds)
    : model_(model),
      rules_(rules),
      kinds_(kinds),
      axes_(static_cast<Index>(model.dimension())),
      each_(axes_ == 1   ? 1
            : axes_ == 2 ? 3
                         : 6) {
  for (std::size_t balls = 1; balls <= 2; ++balls) {
    islands_[balls - 1].pairs.resize(1);
    islands_[balls - 1].bodies.resize(balls);
    IslandProblem& problem = problems_[balls - 1];
    const Index size = static_cast<Index>(balls) * each_;
    problem.problem.contacts.resize(1);
    problem.problem.u_minus.resize(size);
    problem.problem.J.resize(size, 0);
    problem.frame = Vector::Zero(size);
    problem.rows.resize(balls * static_cast<std::size_t>(each_));
  }
}

void PairProblem::set_contact(const State& state, const ContactPair& pair, Contact& contact) const {
  const auto& [a, b] = std::pair(pair.parts.body_a, pair.parts.body_b);
  const Contact* known = kinds_.known_contact(a, b);
  if (known == nullptr && kinds_.is_hertz(a, b)) {
    contact = rules_.contact(state, pair);
  } else {
    if (known != nullptr)
      contact = *known;
    else
      contact = kinds_.contact(a, b);
    contact.name = model_.bodies()[a].name;
    contact.name += '-';
    contact.name += model_.bodies()[b].name;
  }
  if ((contact.mu_2 || contact.e_t_2) && !has_grain_along(pair)) forget_direction(contact);
  if (axes_ == 1) contact.mu = 0;
  contact.tangents = contact.mu > 0 || contact.e_t != 0 || contact.e_t_2 ? static_cast<int>(axes_) - 1 : 0;
}

/// A column of W. The normal of a ball goes through its centre and does not turn it.
void PairProblem::add_direction(Index column, const Vector3& direction, bool normal, Eigen::Map<Matrix> W) const {
  const ContactPair& pair = islands_[balls_ - 1].pairs.front();
  Index row = 0;
  for (const int side : {0, 1}) {
    const int body = side == 0 ? pair.parts.body_a : pair.parts.body_b;
    if (model_.first_velocity(body) < 0) continue;
    const Vector3 pushed = side == 0 ? -direction : direction;
    const Vector3& point = side == 0 ? pair.point.point_a : pair.point.point_b;
    const Pose& pose = poses_[side];
    W.col(column).segment(row, axes_) = pushed.head(axes_);
    W.col(column).segment(row + axes_, each_ - axes_).setZero();
    if (!normal && axes_ == 2) W(row + 2, column) = (point - pose.position).cross(pushed).z();
    if (!normal && axes_ == 3)
      W.col(column).segment<3>(row + 3) = pose.orientation.conjugate() * (point - pose.position).cross(pushed);
    row += each_;
  }
}

void PairProblem::set(const State& state, const PartPair& parts, const geometry::ContactPoint& point) {
  const std::array<int, 2> bodies = {parts.body_a, parts.body_b};
  const auto is_free = [&](int body) { return model_.first_velocity(body) >= 0; };
  balls_ = is_free(bodies[0]) && is_free(bodies[1]) ? 2 : 1;
  Island& island = islands_[balls_ - 1];
  IslandProblem& all = problems_[balls_ - 1];
  ImpactProblem& problem = all.problem;
  bool other_masses = problem.M.size() == 0;
  std::size_t ball = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    poses_[side] = model_.pose(bodies[side], state);
    if (!is_free(bodies[side])) continue;
    const Index first = model_.first_velocity(bodies[side]), row = static_cast<Index>(ball) * each_;
    problem.u_minus.segment(row, each_) = state.u.segment(first, each_);
    other_masses = other_masses || problem.M.masses().segment(row, each_) != model_.M().masses().segment(first, each_);
    std::iota(all.rows.begin() + row, all.rows.begin() + row + each_, first);
    island.bodies[ball++] = bodies[side];
  }
  if (other_masses) problem.M = MassMatrix::diagonal(Vector(model_.M().masses()(all.rows)));

  ContactPair& pair = island.pairs.front();
  pair = {parts,
          point,
          poses_[0].to_local(point.point_a),
          poses_[1].to_local(point.point_b),
          poses_[0].orientation.conjugate() * point.normal,
          poses_[1].orientation.conjugate() * point.normal,
          grain_of(model_, parts, poses_[0], poses_[1])};
  Contact& contact = problem.contacts.front();
  set_contact(state, pair, contact);
  const Index rows = 1 + contact.tangents;
  make_full(problem.W, problem.u_minus.size(), rows);
  const Eigen::Map<Matrix> W(problem.W.valuePtr(), problem.u_minus.size(), rows);
  add_direction(0, point.normal, true, W);
  if (contact.tangents == 0) return;
  const Tangents tangents = tangents_of(pair, model_.dimension());
  for (Index t = 0; t < tangents.cols(); ++t) add_direction(1 + t, tangents.col(t), false, W);
}

}  // namespace carom::simulate
