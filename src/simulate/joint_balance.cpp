#include "carom/simulate/joint_balance.h"

#include "carom/model/joint_rows.h"
#include "carom/simulate/shared_forces.h"

namespace carom::simulate {
namespace {

constexpr double kMostPush = 4;  // of the kinetic energy that was taken off: more is near a dead point

}  // namespace

double JointBalance::push(const Model& model, State& state) const {
  if (mu_.size() == 0) return 0;
  const Vector change = model.M().solve(Vector(joint_rows(model, state).J * mu_));
  if (model.M().kinetic_energy(change) > kMostPush * taken_) return 0;
  const double before = model.M().kinetic_energy(state.u);
  state.u += change;
  return model.M().kinetic_energy(state.u) - before;
}

double JointBalance::settle(const Model& model, State& state, bool jumped) {
  const JointRows rows = joint_rows(model, state);
  const SparseMatrix MinvJ = model.M().solve(rows.J);
  const SparseMatrix G = rows.J.transpose() * MinvJ;
  const Vector nu = share_forces(G, rows.J.transpose() * state.u + rows.drift, {}).x;
  const Vector change = MinvJ * nu;
  const double before = model.M().kinetic_energy(state.u);
  state.u -= change;
  taken_ = model.M().kinetic_energy(change);
  if (jumped || !nu.allFinite())
    mu_.resize(0);
  else if (mu_.size() == 0)
    mu_ = 0.5 * nu;
  else
    mu_ = 0.5 * (nu + mu_);
  return model.M().kinetic_energy(state.u) - before;
}

}  // namespace carom::simulate
