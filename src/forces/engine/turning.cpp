#include "carom/forces/engine/turning.h"

#include <algorithm>

namespace carom::forces {
namespace {

Turning::Pair cut(const Turning::Pair& value, double most) {
  const double size = value.norm();
  return size > most ? Turning::Pair(value * (most / size)) : value;
}

}  // namespace

Turning::Pair Turning::moment(const Pair& S, const Pair& w, double force, double k_n) const {
  const double most = resistance.most(force);
  if (!gives) return cut(S - RollingResistance::damping(resistance.stiffness(k_n), inertia) * w, most);
  if (axes == 1) return {-most * heading, 0};
  const double speed = w.norm();
  return speed > 0 ? Pair(-most / speed * w) : Pair(0, 0);
}

double Turning::spring_left(double force, double k_n, double paid) const {
  return std::min(resistance.most(force), std::sqrt(2 * resistance.stiffness(k_n) * std::max(paid, 0.0)));
}

double Turning::stored(const Pair& S, double force, double k_n, double paid) const {
  const double k = resistance.stiffness(k_n);
  if (!(k > 0)) return 0;
  const double size = gives ? spring_left(force, k_n, paid) : S.norm();
  return 0.5 * size * size / k;
}

}  // namespace carom::forces
