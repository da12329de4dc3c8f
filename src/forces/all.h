#pragma once

#include <utility>
#include <variant>

#include "carom/forces/bi_stiffness.h"
#include "carom/forces/bristle.h"
#include "carom/forces/coulomb.h"
#include "carom/forces/exact.h"
#include "carom/forces/hunt_crossley.h"
#include "carom/forces/hysteretic.h"
#include "carom/forces/lankarani_nikravesh.h"
#include "carom/forces/lee_wang.h"
#include "carom/forces/mindlin.h"
#include "carom/forces/power_law.h"
#include "carom/forces/regularised.h"
#include "carom/forces/spring_dashpot.h"

namespace carom::forces {

/// Every normal force, and every friction force. A new one is one more name here.
using Normal =
    std::variant<PowerLaw, SpringDashpot, HuntCrossley, LankaraniNikravesh, LeeWang, Exact, Hysteretic, BiStiffness>;
using Friction = std::variant<Coulomb, Regularised, Bristle, Mindlin>;

template <class... F>
constexpr bool are_normal_forces(const std::variant<F...>*) {
  return (NormalForce<F> && ...);
}
template <class... F>
constexpr bool are_friction_forces(const std::variant<F...>*) {
  return (FrictionForce<F> && ...);
}
static_assert(are_normal_forces(static_cast<const Normal*>(nullptr)));
static_assert(are_friction_forces(static_cast<const Friction*>(nullptr)));

/// The names of a list, in its order.
template <class Variant>
constexpr auto names() {
  return []<std::size_t... i>(std::index_sequence<i...>) {
    return std::array<std::string_view, sizeof...(i)>{std::variant_alternative_t<i, Variant>::name...};
  }
  (std::make_index_sequence<std::variant_size_v<Variant>>{});
}

/// Calls visit(force) with a default value of each, in the order of the list.
template <class Variant, class Visitor>
void for_each_force(Visitor&& visit) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (visit(std::variant_alternative_t<i, Variant>{}), ...);
  }
  (std::make_index_sequence<std::variant_size_v<Variant>>{});
}

/// The force number `i` of the list, made by make(type) from a default value.
template <class Variant>
Variant force_by_index(std::size_t index, const Contact& contact) {
  Variant result;
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (void)((i == index ? (result = std::variant_alternative_t<i, Variant>(contact), true) : false) || ...);
  }
  (std::make_index_sequence<std::variant_size_v<Variant>>{});
  return result;
}

}  // namespace carom::forces
