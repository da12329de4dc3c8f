#include "carom/scene/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "carom/base/number.h"
#include "carom/scene/error.h"
#include "carom/scene/input.h"
#include "carom/scene/json_string.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

constexpr std::size_t kFewMembers = 16;  // up to here keys are compared pair by pair, beyond they are sorted

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Of a nonzero number out of the range of a double: whether it is too small for it, not too large. Adds the exponent
/// to the place of the first digit that is not zero.
bool is_below_one(std::string_view literal) {
  constexpr std::int64_t far = 2'000'000'000;  // beyond the digits that fit the input
  const std::size_t e = std::min(literal.find_first_of("eE"), literal.size());
  const std::string_view mantissa = literal.substr(0, e);
  std::string_view power = literal.substr(std::min(e + 1, literal.size()));
  if (power.starts_with('+')) power.remove_prefix(1);
  std::int64_t exponent = 0;
  if (std::from_chars(power.data(), power.data() + power.size(), exponent).ec == std::errc::result_out_of_range)
    return power.starts_with('-');
  const auto point = static_cast<std::int64_t>(std::min(mantissa.find('.'), mantissa.size()));
  const auto leading = static_cast<std::int64_t>(mantissa.find_first_of("123456789"));
  return std::clamp(exponent, -far, far) + point - leading <= 0;
}

/// Recursive descent, one character ahead; each function reads one thing of the grammar at the cursor.
class JsonParser {
 public:
  JsonParser(std::string_view text, const Document& document, Position start)
      : cursor_{text, 0, start.line, -static_cast<std::ptrdiff_t>(start.column) + 1}, document_(document) {}

  Node whole() {
    skip_blanks();
    if (cursor_.at_end()) fail("there is nothing here; expected a JSON value");
    Node root = value(0);
    skip_blanks();
    if (!cursor_.at_end()) fail(fmt::format("{} after the end of the document; nothing may follow", word_here()));
    return root;
  }

 private:
  Node value(int depth) {
    const Position at = cursor_.position();
    if (++values_ > most_values) fail(fmt::format("more than {} values, the most that are read", most_values));
    switch (cursor_.peek()) {
      case '{':
        return object(depth);
      case '[':
        return array(depth);
      case '"':
        return {at, string()};
      case 't':
        return word("true", {at, true});
      case 'f':
        return word("false", {at, false});
      case 'n':
        return word("null", {at, std::monostate{}});
      default:
        return number();
    }
  }

  Node array(int depth) {
    const Position at = open(depth);
    Node::Array values;
    skip_blanks();
    if (!take(']')) {
      do {
        skip_blanks();
        if (cursor_.peek() == ']') fail("a comma before ']'; JSON has no trailing commas");
        values.push_back(value(depth + 1));
        skip_blanks();
      } while (take(','));
      close(']', "list", at);
    }
    values.shrink_to_fit();
    return {at, std::move(values)};
  }

  Node object(int depth) {
    const Position at = open(depth);
    Node::Object members;
    skip_blanks();
    if (!take('}')) {
      do {
        skip_blanks();
        if (cursor_.peek() == '}') fail("a comma before '}'; JSON has no trailing commas");
        members.push_back(member(depth));
        skip_blanks();
      } while (take(','));
      close('}', "object", at);
    }
    members.shrink_to_fit();
    require_distinct_keys(members);
    return {at, std::move(members)};
  }

  Member member(int depth) {
    Member member;
    member.key_at = cursor_.position();
    if (cursor_.at_end()) fail("the input ends where a key is expected");
    if (cursor_.peek() != '"') fail(fmt::format("{} where a key is expected; keys are in double quotes", word_here()));
    member.key = string();
    skip_blanks();
    if (!take(':')) fail(fmt::format("{} after the key {}; expected ':'", word_here(), in_quotes(member.key)));
    skip_blanks();
    member.value = value(depth + 1);
    return member;
  }

  Position open(int depth) {
    const Position at = cursor_.position();
    if (depth >= deepest_nesting)
      fail(fmt::format("lists and objects nested deeper than {}, the most that is read", deepest_nesting));
    ++cursor_.offset;
    return at;
  }

  void close(char bracket, std::string_view what, Position opened) {
    if (take(bracket)) return;
    const std::string from = fmt::format("the {} opened at {}:{}", what, opened.line, opened.column);
    if (cursor_.at_end()) fail(fmt::format("the input ends inside {}; expected '{}'", from, bracket));
    fail(fmt::format("{} in {}; expected ',' or '{}'", word_here(), from, bracket));
  }

  void require_distinct_keys(const Node::Object& members) const {
    const Member *first = nullptr, *again = nullptr;
    if (members.size() <= kFewMembers) {
      for (auto later = members.begin(); later != members.end() && !again; ++later)
        for (auto earlier = members.begin(); earlier != later && !again; ++earlier)
          if (earlier->key == later->key) first = &*earlier, again = &*later;
    } else {
      std::vector<const Member*> sorted;
      for (const Member& member : members) sorted.push_back(&member);
      std::stable_sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->key < b->key; });
      const auto twice =
          std::adjacent_find(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->key == b->key; });
      if (twice != sorted.end()) first = twice[0], again = twice[1];
    }
    if (again)
      scene::fail(document_, again->key_at,
                  fmt::format("the key {} is here for the second time, first at {}:{}; keys of an object are distinct",
                              in_quotes(again->key), first->key_at.line, first->key_at.column));
  }

  std::string string() {
    JsonString read = read_json_string(cursor_);
    if (!read.error.empty()) fail(read.error);
    return std::move(read.text);
  }

  Node word(std::string_view expected, Node node) {
    if (const std::string_view found = cursor_.word(); found != expected) fail_at_word(found);
    cursor_.offset += expected.size();
    return node;
  }

  /// -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
  Node number() {
    const Position at = cursor_.position();
    const std::string_view literal = cursor_.word();
    std::size_t i = literal.starts_with('-') ? 1 : 0;
    const auto digits = [&] {
      const std::size_t begin = i;
      while (i < literal.size() && is_digit(literal[i])) ++i;
      return i > begin;
    };
    const std::size_t whole_part = i;
    if (!digits()) fail_at_word(literal);
    if (literal[whole_part] == '0' && i > whole_part + 1) fail_in_number(literal, "numbers have no leading zeros");
    if (i < literal.size() && literal[i] == '.' && (++i, !digits()))
      fail_in_number(literal, "digits must follow the decimal point");
    if (i < literal.size() && (literal[i] == 'e' || literal[i] == 'E')) {
      ++i;
      if (i < literal.size() && (literal[i] == '+' || literal[i] == '-')) ++i;
      if (!digits()) fail_in_number(literal, "digits must follow the exponent sign");
    }
    if (i < literal.size()) fail_in_number(literal, "a number is digits, a decimal point and an exponent");
    cursor_.offset += literal.size();
    return {at, rounded(literal, at)};
  }

  double rounded(std::string_view literal, Position at) const {
    double value = 0;
    const auto result = read_number(literal.data(), literal.data() + literal.size(), value);
    if (result.ec == std::errc{}) return value;
    if (is_below_one(literal)) return literal.starts_with('-') ? -0.0 : 0.0;
    scene::fail(document_, at,
                fmt::format("{} is too large; numbers are at most 1.7976931348623157e308", shortened(literal)));
  }

  bool take(char expected) {
    if (cursor_.peek() != expected || cursor_.at_end()) return false;
    ++cursor_.offset;
    return true;
  }

  void skip_blanks() {
    for (; !cursor_.at_end(); ++cursor_.offset) {
      const char c = cursor_.peek();
      if (c == '\n')
        cursor_.new_line();
      else if (c != ' ' && c != '\t' && c != '\r')
        break;
    }
    const char c = cursor_.peek();
    if (c == '/' || c == '#') fail("a comment; JSON has no comments");
  }

  std::string word_here() const { return cursor_.at_end() ? "the end of the input" : in_quotes(cursor_.word()); }

  [[noreturn]] void fail_in_number(std::string_view literal, std::string_view rule) const {
    fail(fmt::format("{} is not a number of JSON; {}", shortened(literal), rule));
  }

  [[noreturn]] void fail_at_word(std::string_view word) const {
    if (cursor_.at_end()) fail("the input ends where a value is expected");
    std::string lowered(word.substr(word.starts_with('-') || word.starts_with('+') ? 1 : 0));
    for (char& c : lowered) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (lowered == "nan" || lowered == "inf" || lowered == "infinity")
      fail(fmt::format("{} is not a number of JSON; every number must be finite", shortened(word)));
    if (word.starts_with('\''))
      fail(fmt::format("{} is in single quotes; strings are in double quotes", shortened(word)));
    if (word.starts_with('+')) fail_in_number(word, "numbers have no plus sign");
    if (word.starts_with('.') || word.starts_with("-.")) fail_in_number(word, "a digit must precede the decimal point");
    if (lowered == "true" || lowered == "false" || lowered == "null")
      fail(fmt::format("{} is not a value; it is written {} in JSON", in_quotes(word), lowered));
    fail(fmt::format("{} is not a value; expected a number, a string, a list, an object, true, false or null",
                     in_quotes(word)));
  }

  [[noreturn]] void fail(std::string_view text) const { scene::fail(document_, cursor_.position(), text); }

  JsonCursor cursor_;
  const Document& document_;
  std::size_t values_ = 0;
};

}  // namespace

Document parse_json(std::string_view text, std::string file) {
  Document document{.file = std::move(file), .root = {}, .options = {}};
  document.root = JsonParser(text, document, {}).whole();
  return document;
}

Document read_json(const std::string& path) {
  return parse_json(read_input(path, '{'), input_name(path));
}

Node parse_json_value(std::string_view text, const Document& document, Position start) {
  return JsonParser(text, document, start).whole();
}

Node option_value(std::string_view text, const Document& document, Position start) {
  std::string one_line(text);
  std::replace(one_line.begin(), one_line.end(), '\n', ' ');
  try {
    return parse_json_value(one_line, document, start);
  } catch (const ReadError&) {
    return {start, std::string(text)};
  }
}

}  // namespace carom::scene
