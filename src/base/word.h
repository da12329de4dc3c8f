#pragma once

#include <string_view>

namespace carom {

/// A parameter that is one of a few words is an enumeration with `words_of(E)`, a function that returns the words as an
/// array in the order of the enumerators; files, help texts and documents use the words.
template <class E>
concept Word = requires(E value) {
  words_of(value);
};

template <Word E>
constexpr std::string_view word(E value) {
  return words_of(value)[static_cast<int>(value)];
}

}  // namespace carom
