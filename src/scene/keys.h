#pragma once

#include <array>
#include <vector>

#include "carom/scene/field.h"

namespace carom::scene {

/// A key of a table: what it means, and how its value goes into a T. Tables list their keys once; what is known, read
/// and missing follows from the list.
template <class T>
struct Key {
  std::string_view name;
  std::string_view meaning;                              // with its unit; what an error says of a key that is missing
  void (*read)(const Field& field, T& value) = nullptr;  // none: it is read with others, where it is looked for
  bool required = false;
};

/// The value that `reader` makes of a field, into a member: into<&Spring::k, read_not_negative>.
template <auto place, auto reader, class T>
void into(const Field& field, T& value) {
  value.*place = reader(field);
}

template <class Keys>
std::vector<std::string_view> names_of(const Keys& keys) {
  std::vector<std::string_view> names;
  names.reserve(std::size(keys));
  for (const auto& key : keys) names.push_back(key.name);
  return names;
}

/// What a key of the list means; empty if it is none.
template <class Keys>
std::string_view meaning_in(const Keys& keys, std::string_view name) {
  for (const auto& key : keys)
    if (key.name == name) return key.meaning;
  return {};
}

/// Reads all keys of the list that the table has. Throws ReadError if one that is required is missing.
template <class T, std::size_t n>
void read_keys(const Field& table, const std::array<Key<T>, n>& keys, T& value) {
  for (const Key<T>& key : keys) {
    const std::optional<Field> given = member(table, key.name);
    if (!given && key.required) required_member(table, key.name, key.meaning);
    if (given && key.read) key.read(*given, value);
  }
}

/// The same, and every key of the table must be one of the list.
template <class T, std::size_t n>
void read_table(const Field& table, const std::array<Key<T>, n>& keys, T& value) {
  require_known_keys(table, names_of(keys));
  read_keys(table, keys, value);
}

/// A value that lists its own parameters in fields(), such as a law, and its name. `beside`: keys of the table that are
/// read elsewhere.
template <class T>
void read_fields(const Field& table, T& value, std::span<const std::string_view> beside = {}) {
  std::vector<std::string_view> keys = {"name"};
  keys.insert(keys.end(), beside.begin(), beside.end());
  T::fields(value, [&](std::string_view key, auto&, std::string_view) { keys.push_back(key); });
  require_known_keys(table, keys);
  T::fields(value, [&](std::string_view key, auto& parameter, std::string_view) {
    if (const std::optional<Field> given = member(table, key)) read(*given, parameter);
  });
}

}  // namespace carom::scene
