#include "carom/simulate/end_of_bounces.h"

#include <algorithm>
#include <cmath>

namespace carom::simulate {
namespace {

constexpr double kRegular = 0.02;           // two ratios of intervals that differ by less belong to one sequence
constexpr double kDistinguishable = 1e-10;  // of the time: shorter intervals are rounding
constexpr int kBounces = 100'000;           // one by one; what follows is summed as an integral
constexpr double kNoBounce = 1e-15;         // of the first speed: the rest is nothing
constexpr double kSameLoss = 1e-9;          // of an exponent: next to 1 there is no end

}  // namespace

double end_of_sequence(const std::vector<double>& times) {
  for (std::size_t last = times.size(); last-- > 3;) {
    const double c = times[last] - times[last - 1], b = times[last - 1] - times[last - 2],
                 a = times[last - 2] - times[last - 3];
    if (!(c > kDistinguishable * std::abs(times[last])) || !(b > c) || !(a > b)) continue;
    const double ratio = c / b;
    if (std::abs(ratio - b / a) > kRegular * (1 - ratio)) continue;
    return std::max(times[last] + c * ratio / (1 - ratio), times.back());
  }
  return times.back();
}

std::optional<double> rest_of_bounces(const RestitutionFunction& e_of, double v_0, double inverse_mass) {
  const auto e_at = [&](double v) { return e_of.at(v, inverse_mass > 0 ? 0.5 * v * v / inverse_mass : 0); };
  double sum = 0, v = v_0;
  for (int k = 0; k < kBounces; ++k) {
    v *= e_at(v);
    if (v <= kNoBounce * v_0) return sum;
    sum += v / v_0;
  }
  // 1 - e = a v^m from here on: dv/dk = -a v^(m+1), and the sum of v is the integral less half the first term.
  const double loss = 1 - e_at(v), loss_later = 1 - e_at(0.5 * v);
  if (!(loss > 0) || !(loss_later > 0)) return std::nullopt;
  const double m = std::log2(loss / loss_later);
  if (!(m < 1 - kSameLoss)) return std::nullopt;
  return sum + v / v_0 * (1 / (loss * (1 - m)) - 0.5);
}

std::optional<double> end_of_bounces(const std::vector<double>& times, const ImpactProblem& problem) {
  if (problem.contacts.size() != 1 || !problem.contacts[0].e_of) return end_of_sequence(times);
  const ContactProblem contact = reduce(problem);
  const double v = -contact.gamma_minus[0], last = times[times.size() - 1] - times[times.size() - 2];
  if (!(v > 0)) return times.back();
  const std::optional<double> rest = rest_of_bounces(*problem.contacts[0].e_of, v, contact.G.coeff(0, 0));
  if (!rest) return std::nullopt;
  return times.back() + *rest * last;
}

}  // namespace carom::simulate
