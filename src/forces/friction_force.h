#pragma once

#include <concepts>
#include <optional>
#include <string_view>

#include "carom/forces/normal_force.h"

namespace carom::forces {

/// How a friction force works:
/// - holding: a contact sticks, held by whatever force that takes up to mu_s F_n, or slides against mu F_n
/// - smooth: a function of the slip velocity
/// - elastic: a tangential spring with a force T that follows the slip, cut at mu F_n
enum class FrictionKind { holding, smooth, elastic };

/// A friction force of one contact: a plain value with `name`, `summary`, `source`, `kind`, `mu` and `fields()`, made
/// from a Contact. A smooth one has `share(speed)`, the part of mu F_n at that slip speed over the speed [s/m]; an
/// elastic one `stiffness(k_n)` [N/m] and `scaling(growth)`: T' = -k_t v + T scaling(k_t'/k_t).
template <class F>
concept FrictionForce = std::constructible_from<F, const Contact&> && requires(const F& f, double x) {
  { F::name } -> std::convertible_to<std::string_view>;
  { F::summary } -> std::convertible_to<std::string_view>;
  { F::source } -> std::convertible_to<std::string_view>;
  { F::kind } -> std::convertible_to<FrictionKind>;
  F::fields(f, [](std::string_view, const auto&, std::string_view) {});
  { f.mu } -> std::convertible_to<double>;
  { f.mu_s } -> std::convertible_to<double>;
  { f.fault() } -> std::same_as<std::optional<Fault>>;
  requires(F::kind != FrictionKind::smooth) || requires {
    { f.share(x) } -> std::same_as<double>;
  };
  requires(F::kind != FrictionKind::elastic) || requires {
    { f.stiffness(x) } -> std::same_as<double>;
    { f.scaling(x) } -> std::same_as<double>;
  };
};

}  // namespace carom::forces
