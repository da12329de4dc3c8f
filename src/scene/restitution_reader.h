#pragma once

#include <utility>

#include "carom/impact/restitution_function.h"
#include "carom/scene/field.h"

namespace carom::scene {

/// Restitution as an author gives it: a number, or a function, then with its largest value as the number.
struct GivenRestitution {
  double e = 0;
  SharedRestitution e_of = {};
};

/// A number; {alpha, m}, {speeds, values}, {works, values} or {yield_speed}; or a list of these, of which the smallest
/// holds. Numbers are not checked here.
GivenRestitution read_restitution(const Field& field);
/// The same with numbers from 0 to 1.
GivenRestitution read_unit_restitution(const Field& field);

/// Both parts into an owner that has `e` and `e_of`.
template <auto reader, class T>
void into_restitution(const Field& field, T& value) {
  GivenRestitution given = reader(field);
  value.e = given.e;
  value.e_of = std::move(given.e_of);
}

}  // namespace carom::scene
