#pragma once

#include <string>
#include <vector>

namespace carom::bench {

/// Balls in a row, each touching the next.
struct BallRow {
  std::vector<double> masses, velocities;  // (n)
  std::vector<double> e, k, eta;           // (n - 1)
};

struct SiconosAnswer {
  std::vector<double> u_plus;  // (n) empty if it failed
  double seconds = 0;          // of MultipleImpact::compute alone
  std::string failure;
};

/// Siconos' `MultipleImpact` (OSNSMultipleImpact before 4.3): bi-stiffness, Euler steps of fixed size dP in the impulse
/// of the contact that holds most energy. Apart from the rest because Siconos' headers are not C++20.
SiconosAnswer siconos_lzb(const BallRow& row, double dP);

}  // namespace carom::bench
