#pragma once

#include <span>
#include <string>
#include <string_view>

namespace carom::scene {

/// Bytes of the UTF-8 character at the start of `text`, which is not empty; 0 if these bytes are no such character.
std::size_t utf8_length(std::string_view text);

/// Text of the user's on one line of a message: control characters and bytes that are no UTF-8 become a backslash, x
/// and two digits.
std::string printable(std::string_view text);
std::string shortened(std::string_view text);  // printable, and cut with "..." after some 60 bytes
std::string in_quotes(std::string_view text);  // shortened, in double quotes

/// A list for a message: "e", "mu", "k".
std::string listed(std::span<const std::string_view> words);

/// `did you mean "mass"?` if one of the known words is near, else `known are "mass", "u"`, introduced by `known_are`.
std::string suggestion(std::string_view word, std::span<const std::string_view> known, std::string_view known_are);

}  // namespace carom::scene
