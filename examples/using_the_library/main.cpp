#include <carom/carom.h>

#include <iostream>

// Newton's cradle: three equal balls that touch, hit from the left with 1 m/s.
int main() {
  carom::ImpactProblem cradle;
  cradle.M = carom::MassMatrix::diagonal(carom::Vector::Ones(3));
  cradle.u_minus = carom::Vector::Unit(3, 0);
  cradle.W = carom::Matrix{{-1, 0}, {1, -1}, {0, 1}}.sparseView();  // one column per contact, opening is positive
  cradle.contacts = {{.name = "12", .e = 1}, {.name = "23", .e = 1}};
  const carom::ImpactOutcome outcome = carom::solve(cradle, carom::Newton{});
  std::cout << "u+ = " << outcome.u_plus.transpose() << '\n';
}
