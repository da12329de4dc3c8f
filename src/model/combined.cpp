#include "carom/model/combined.h"

namespace carom {
namespace {

constexpr double kTwoPi = 6.283185307179586477;

}  // namespace

double pressure_stiffness(double pR_a, double pR_b) {
  if (pR_a == 0 || pR_b == 0) return kTwoPi * (pR_a + pR_b);
  return kTwoPi / (1 / pR_a + 1 / pR_b);
}

double series_restitution(double e_a, double e_b) {
  return e_a > 0 && e_b > 0 ? e_a * e_b / (e_a + e_b) : 0;
}

}  // namespace carom
