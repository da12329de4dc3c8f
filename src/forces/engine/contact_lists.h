#pragma once

#include <vector>

#include "carom/forces/all.h"

namespace carom::forces {

template <class... F>
std::variant<std::vector<F>...> lists_of(const std::variant<F...>*);

/// The forces of all contacts, of one kind: who loops over contacts visits once and then calls inline functions.
using NormalList = decltype(lists_of(static_cast<const Normal*>(nullptr)));
using FrictionList = decltype(lists_of(static_cast<const Friction*>(nullptr)));

/// The list of the kind with number `index` with make(F(contact), i) for each contact.
template <class List, class Make>
List list_of_kind(std::size_t index, const std::vector<Contact>& contacts, Make&& make) {
  List result;
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    const auto fill = [&]<std::size_t i>(std::integral_constant<std::size_t, i>) {
      using F = typename std::variant_alternative_t<i, List>::value_type;
      std::vector<F> all;
      all.reserve(contacts.size());
      for (const Contact& contact : contacts) all.push_back(make(F(contact)));
      result = std::move(all);
    };
    (void)((k == index ? (fill(std::integral_constant<std::size_t, k>()), true) : false) || ...);
  }
  (std::make_index_sequence<std::variant_size_v<List>>{});
  return result;
}

}  // namespace carom::forces
