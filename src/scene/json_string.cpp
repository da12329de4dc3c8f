#include "carom/scene/json_string.h"

#include <fmt/format.h>

#include <optional>

#include "carom/scene/words.h"

namespace carom::scene {
namespace {

constexpr std::string_view kEscapes = "\"\\/bfnrt", kEscaped = "\"\\/\b\f\n\r\t";

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

/// The code unit of the \uXXXX at the start of `text`; nothing if it is none.
std::optional<std::uint32_t> code_unit(std::string_view text) {
  if (text.size() < 6 || !text.starts_with("\\u")) return {};
  std::uint32_t unit = 0;
  for (const char c : text.substr(2, 4)) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return {};
    unit = 16 * unit + static_cast<std::uint32_t>(digit);
  }
  return unit;
}

void append_utf8(std::string& text, std::uint32_t code) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0 | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0 | (code >> 12));
    tail(6), tail(0);
  } else {
    text += static_cast<char>(0xF0 | (code >> 18));
    tail(12), tail(6), tail(0);
  }
}

/// Appends what the \u escape at the cursor, or the pair of them, stands for; returns an error or nothing.
std::string take_unicode_escape(JsonCursor& cursor, std::string& text) {
  const std::string_view rest = cursor.text.substr(cursor.offset);
  const std::optional<std::uint32_t> first = code_unit(rest);
  if (!first)
    return fmt::format("{} is not an escape; four hexadecimal digits follow \\u", in_quotes(rest.substr(0, 6)));
  if (*first < 0xD800 || *first >= 0xE000) {
    append_utf8(text, *first);
    cursor.offset += 6;
    return {};
  }
  const std::optional<std::uint32_t> second = code_unit(rest.substr(6));
  if (*first >= 0xDC00 || !second || *second < 0xDC00 || *second >= 0xE000)
    return fmt::format("{} is half of a surrogate pair; the halves come in pairs, high before low",
                       in_quotes(rest.substr(0, 6)));
  append_utf8(text, 0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00));
  cursor.offset += 12;
  return {};
}

std::string take_escape(JsonCursor& cursor, std::string& text) {
  const std::string_view rest = cursor.text.substr(cursor.offset);
  if (rest.size() < 2) return "the input ends inside a string";
  if (rest[1] == 'u') return take_unicode_escape(cursor, text);
  const std::size_t which = kEscapes.find(rest[1]);
  if (which == std::string_view::npos)
    return fmt::format("{} is not an escape; JSON has \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX",
                       in_quotes(rest.substr(0, 2)));
  text += kEscaped[which];
  cursor.offset += 2;
  return {};
}

/// A character beyond ASCII, or one that may not stand in a string.
std::string take_character(JsonCursor& cursor, std::string& text) {
  const std::string_view rest = cursor.text.substr(cursor.offset);
  const auto byte = static_cast<unsigned char>(rest.front());
  if (byte == '\n' || byte == '\r') return "a line break inside a string; close the string or write \\n";
  if (byte < 0x20)
    return fmt::format("the control character \\x{:02X} inside a string; write it as \\u{:04X}", byte, byte);
  const std::size_t length = utf8_length(rest);
  if (length == 0) return fmt::format("the byte \\x{:02X} is not UTF-8; the input must be UTF-8", byte);
  text += rest.substr(0, length);
  cursor.offset += length;
  cursor.line_start += static_cast<std::ptrdiff_t>(length) - 1;
  return {};
}

}  // namespace

std::string_view JsonCursor::word() const {
  const std::string_view rest = text.substr(offset);
  const std::size_t end = rest.find_first_of(" \t\r\n,:[]{}\"");
  return rest.substr(0, end == 0 ? 1 : end);
}

JsonString read_json_string(JsonCursor& cursor) {
  const Position opened = cursor.position();
  JsonString read;
  ++cursor.offset;
  while (read.error.empty()) {
    const std::size_t begin = cursor.offset;
    while (!cursor.at_end() && is_plain(cursor.peek())) ++cursor.offset;
    read.text += cursor.text.substr(begin, cursor.offset - begin);
    if (cursor.at_end()) {
      read.error = fmt::format("the input ends inside the string opened at column {}", opened.column);
    } else if (cursor.peek() == '"') {
      ++cursor.offset;
      return read;
    } else {
      read.error = cursor.peek() == '\\' ? take_escape(cursor, read.text) : take_character(cursor, read.text);
    }
  }
  return read;
}

}  // namespace carom::scene
