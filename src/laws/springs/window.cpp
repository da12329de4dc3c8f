#include "carom/laws/springs/window.h"

#include <algorithm>

namespace carom::springs {

std::array<double, 8> Drive::shifted(double t) const {
  std::array<double, 8> result = powers;
  for (std::size_t from = 0; from + 1 < result.size(); ++from)
    for (std::size_t k = result.size() - 1; k-- > from;) result[k] += t * result[k + 1];
  return result;
}

const Drive* Window::drive_of(Index l) const {
  const auto found = std::lower_bound(drives.begin(), drives.end(), l, [](const Drive& a, Index b) { return a.l < b; });
  return found != drives.end() && found->l == l ? &*found : nullptr;
}

void Window::resize(Index n) {
  for (std::vector<double>* array : {&k, &eta, &phi_in, &phi_out, &base, &gamma, &gamma_start, &latest})
    array->resize(n);
  y.assign(2 * n, 0.0);
  weight.resize(2 * n);
  start.assign(1, 0);
  column.clear();
  value.clear();
}

void Window::set_phase(Index l, const Spring& spring, const SpringState& state) {
  const Phase phase = state.phase;
  weight[l] = 1 / (allowed * spring.slack(state) * spring.depth);
  double in = 1, out = 1;
  if (!spring.moves()) {
    in = out = 0;
  } else if (!spring.keeps_gap && phase == Phase::open) {
    out = 0;
  } else {
    if (!located || phase == Phase::expansion) out = spring.rate(state);
    if (located && phase == Phase::expansion) in = spring.rate(state);
  }
  if (phi_in[l] == in && phi_out[l] == out) return;
  phi_in[l] = in;
  phi_out[l] = out;
  changed = true;
}

}  // namespace carom::springs
