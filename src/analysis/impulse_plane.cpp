#include "carom/analysis/impulse_plane.h"

#include <fmt/format.h>

#include <cmath>

#include "carom/laws/one_contact/closing_contact.h"

namespace carom::analysis {
namespace {

using Line = ImpulsePlane::Line;
using Point = ImpulsePlane::Point;

constexpr double kParallel = 1e-13;  // of a determinant, relative to its terms
constexpr double kCentral = 1e-13;   // of B_nt, relative to sqrt(B_nn B_tt)

std::optional<Point> intersection(const Line& a, const Line& b) {
  const double first = a[1] * b[2], second = a[2] * b[1], determinant = first - second;
  if (std::abs(determinant) <= kParallel * (std::abs(first) + std::abs(second))) return std::nullopt;
  return Point{(a[2] * b[0] - a[0] * b[2]) / determinant, (a[0] * b[1] - a[1] * b[0]) / determinant};
}

one_contact::ClosingContact planar_contact(const ContactProblem& problem) {
  const std::optional<one_contact::ClosingContact> contact =
      one_contact::closing_or_tangential_contact(problem, "the impulse plane");
  if (!contact) throw InputError("contacts", "none closes; the impulse plane shows the impact of one closing contact");
  if (contact->tangents != 1)
    throw InputError(fmt::format("contacts[{}].tangents", contact->contact),
                     fmt::format("has {} directions; the impulse plane needs one", contact->tangents));
  return *contact;
}

ImpactClass classify(const one_contact::ClosingContact& contact) {
  const double scale = std::sqrt(contact.B_nn() * contact.B(1, 1));
  return {.central = std::abs(contact.B(0, 1)) <= kCentral * scale,
          .direct = contact.c[1] == 0,
          .tangential = one_contact::is_tangential_impact(contact)};
}

/// The ratios r = P_t/P_n with Newton's e that create no energy, the r around 0 with
///   r^2 (2 c_t B_nt + B_tt d) + r (2 c_t B_nn + B_nt d + (1 - e) c_n B_nt) + (1 - e) c_n B_nn <= 0,  d = -(1 + e) c_n,
/// among those that press: B_nn + B_nt r > 0.
void add_energy_bounds(const one_contact::ClosingContact& contact, ImpulsePlane& plane) {
  const double c_n = contact.c_n(), c_t = contact.c[1], e = contact.e, d = -(1 + e) * c_n;
  const double B_nn = contact.B_nn(), B_nt = contact.B(0, 1), B_tt = contact.B(1, 1);
  const double a = 2 * c_t * B_nt + B_tt * d, b = 2 * c_t * B_nn + B_nt * d + (1 - e) * c_n * B_nt;
  const double c = (1 - e) * c_n * B_nn;  // <= 0
  const double square = b * b - 4 * a * c;
  if (square >= 0 && (a != 0 || b != 0)) {
    const double q = -0.5 * (b + std::copysign(std::sqrt(square), b));
    const double first = a != 0 ? q / a : 0, second = q != 0 ? c / q : 0;
    if (a > 0) {
      plane.least_ratio = std::min(first, second);
      plane.largest_ratio = std::max(first, second);
    } else {  // the parabola opens downwards: only the root next to 0 bounds, and only on its side
      const double nearest = a == 0 || std::abs(second) < std::abs(first) ? second : first;
      const bool above = nearest != 0 ? nearest > 0 : b > 0;
      (above ? plane.largest_ratio : plane.least_ratio) = nearest;
    }
  }
  if (B_nt == 0) return;
  const double presses = -B_nn / B_nt;  // beyond this the impulse would press without end
  if (presses > 0 && (!plane.largest_ratio || *plane.largest_ratio > presses)) plane.largest_ratio = presses;
  if (presses < 0 && (!plane.least_ratio || *plane.least_ratio < presses)) plane.least_ratio = presses;
}

/// Where the line of limiting friction that the impact starts on meets the sticking line: before or after compression.
std::optional<int> region_of(const ImpulsePlane& plane) {
  const ImpulsePlane::Path& newton = plane.paths[0];
  if (plane.kind.direct || !newton.solved) return std::nullopt;
  const std::string& mode = newton.mode;
  return mode.starts_with("C-") ? 3 : mode.starts_with("R-") ? 2 : 1;
}

Line termination_of(const ImpulsePlane& plane, const ImpulsePlane::Path& path) {
  if (path.restitution == one_contact::Restitution::newton) return plane.termination_newton;
  return {-path.end[0], 1, 0};  // P_n as at the end
}

ImpulsePlane::Path path_of(const one_contact::ClosingContact& contact, const ImpulsePlane& plane,
                           one_contact::Restitution restitution) {
  const one_contact::OneContactImpact impact =
      one_contact::integrate_impact(contact, {.restitution = restitution, .record = true});
  ImpulsePlane::Path path;
  path.restitution = restitution;
  if (impact.wedged) return path;
  const auto point = [](const one_contact::SlipState& state) { return Point{state.P[0], state.P[1]}; };
  path.solved = true;
  path.mode = impact.mode;
  for (const one_contact::SlipState& state : impact.states)
    if (path.corners.empty() || path.corners.back() != point(state)) path.corners.push_back(point(state));
  path.compressed = point(impact.compressed);
  path.end = point(impact.end);
  path.termination = termination_of(plane, path);
  const double W_c = impact.compressed.work, W_r = impact.end.work - W_c;
  if (contact.c_minus[0] < 0) path.e_newton = -impact.end.c[0] / contact.c_minus[0];
  if (path.compressed[0] > 0) path.e_poisson = path.end[0] / path.compressed[0] - 1;
  if (W_c < 0) path.e_stronge = std::sqrt(std::max(0.0, -W_r / W_c));
  return path;
}

}  // namespace

ImpulsePlane impulse_plane(const ImpactProblem& problem) {
  const ContactProblem reduced = reduce(problem);
  const one_contact::ClosingContact contact = planar_contact(reduced);
  ImpulsePlane plane;
  plane.contact = problem.contacts[contact.contact].name;
  plane.kind = classify(contact);
  plane.B_nn = contact.B_nn();
  plane.B_nt = contact.B(0, 1);
  plane.B_tt = contact.B(1, 1);
  plane.c_minus = {contact.c_n(), contact.c[1]};
  plane.e = contact.e;
  plane.mu = contact.mu;
  plane.sticking = {contact.c[1], plane.B_nt, plane.B_tt};
  plane.compression = {contact.c_n(), plane.B_nn, plane.B_nt};
  plane.friction = {Line{0, plane.mu, 1}, Line{0, -plane.mu, 1}};
  plane.termination_newton = {contact.c_n() - contact.rebound(), plane.B_nn, plane.B_nt};
  plane.sticks_compressed = intersection(plane.sticking, plane.compression);
  plane.sticks_at_end = intersection(plane.sticking, plane.termination_newton);
  plane.sticking_ratio = plane.B_tt > 0 ? std::abs(plane.B_nt) / plane.B_tt : 0;
  if (plane.sticks_at_end && (*plane.sticks_at_end)[0] != 0)
    plane.critical_ratio = (*plane.sticks_at_end)[1] / (*plane.sticks_at_end)[0];
  add_energy_bounds(contact, plane);
  for (const auto restitution :
       {one_contact::Restitution::newton, one_contact::Restitution::poisson, one_contact::Restitution::stronge})
    plane.paths.push_back(path_of(contact, plane, restitution));
  plane.region = region_of(plane);
  return plane;
}

}  // namespace carom::analysis
