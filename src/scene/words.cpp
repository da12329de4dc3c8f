#include "carom/scene/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "carom/base/nearest_word.h"

namespace carom::scene {
namespace {

constexpr std::size_t kMostBytesShown = 60;

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xC2 && first < 0xE0   ? 2
                             : (first & 0xF0) == 0xE0        ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  if (!std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length), is_continuation)) return 0;
  const unsigned second = byte(1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool surrogate = first == 0xED && second >= 0xA0, beyond = first == 0xF4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const auto byte = static_cast<unsigned char>(text.front());
    if (length == 0 || byte < 0x20 || byte == 0x7F)
      shown += fmt::format("\\x{:02X}", byte);
    else
      shown += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown;
}

std::string shortened(std::string_view text) {
  if (text.size() <= kMostBytesShown) return printable(text);
  std::size_t end = kMostBytesShown;
  while (end > kMostBytesShown - 4 && is_continuation(text[end])) --end;
  return printable(text.substr(0, end)) + "...";
}

std::string in_quotes(std::string_view text) {
  return '"' + shortened(text) + '"';
}

std::string listed(std::span<const std::string_view> words) {
  std::string list;
  for (const std::string_view word : words) list += (list.empty() ? "" : ", ") + in_quotes(word);
  return list;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> known, std::string_view known_are) {
  const std::string_view nearest = nearest_word(word, known);
  if (!nearest.empty()) return fmt::format("did you mean {}?", in_quotes(nearest));
  return fmt::format("{} {}", known_are, known.empty() ? "none" : listed(known));
}

}  // namespace carom::scene
