#include "model/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>

#include "impact/error.h"
#include "impact/nearest_word.h"

namespace carom {
namespace {

constexpr int kDeepestNesting = 64;
constexpr std::size_t kMostInstructions = 10'000;

enum class Operation : std::uint8_t {
  constant,
  time,
  negate,
  add,
  subtract,
  multiply,
  divide,
  power,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  step,
  min,
  max
};
constexpr auto kFirstFunction = static_cast<std::uint8_t>(Operation::sin);
constexpr std::array<std::string_view, 16> kFunctions = {"sin",  "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
                                                         "tanh", "exp", "log", "sqrt", "abs",  "step", "min",  "max"};

int arguments_of(Operation function) {
  return function == Operation::min || function == Operation::max ? 2 : 1;
}

/// Slopes may be infinite (sqrt at 0); where nothing moves they do not count.
double along(double slope, double rate) {
  return rate == 0 ? 0 : slope * rate;
}

/// f(x) with the chain rule, from f, f' and f'' at x.
Jet chain(const Jet& x, double f, double slope, double bend) {
  return {f, along(slope, x.rate), along(bend, x.rate * x.rate) + along(slope, x.acceleration)};
}

Jet product(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.rate * b.value + a.value * b.rate,
          a.acceleration * b.value + 2 * a.rate * b.rate + a.value * b.acceleration};
}

Jet inverse(const Jet& x) {
  const double f = 1 / x.value;
  return chain(x, f, -f * f, 2 * f * f * f);
}

Jet exponential(const Jet& x) {
  const double f = std::exp(x.value);
  return chain(x, f, f, f);
}

Jet logarithm(const Jet& x) {
  const double f = 1 / x.value;
  return chain(x, std::log(x.value), f, -f * f);
}

/// n x^(n-1), also where n = 0 and x = 0.
double power_slope(double x, double n) {
  return n == 0 ? 0 : n * std::pow(x, n - 1);
}

Jet power(const Jet& a, const Jet& b) {
  if (b.rate != 0 || b.acceleration != 0) return exponential(product(b, logarithm(a)));
  const double n = b.value;
  return chain(a, std::pow(a.value, n), power_slope(a.value, n), n == 0 ? 0 : n * power_slope(a.value, n - 1));
}

Jet function_of(Operation function, const Jet& x) {
  const double v = x.value;
  switch (function) {
    case Operation::sin:
      return chain(x, std::sin(v), std::cos(v), -std::sin(v));
    case Operation::cos:
      return chain(x, std::cos(v), -std::sin(v), -std::cos(v));
    case Operation::tan: {
      const double f = std::tan(v), slope = 1 + f * f;
      return chain(x, f, slope, 2 * f * slope);
    }
    case Operation::asin: {
      const double slope = 1 / std::sqrt(1 - v * v);
      return chain(x, std::asin(v), slope, v * slope * slope * slope);
    }
    case Operation::acos: {
      const double slope = -1 / std::sqrt(1 - v * v);
      return chain(x, std::acos(v), slope, v * slope * slope * slope);
    }
    case Operation::atan: {
      const double slope = 1 / (1 + v * v);
      return chain(x, std::atan(v), slope, -2 * v * slope * slope);
    }
    case Operation::sinh:
      return chain(x, std::sinh(v), std::cosh(v), std::sinh(v));
    case Operation::cosh:
      return chain(x, std::cosh(v), std::sinh(v), std::cosh(v));
    case Operation::tanh: {
      const double f = std::tanh(v), slope = 1 - f * f;
      return chain(x, f, slope, -2 * f * slope);
    }
    case Operation::exp:
      return exponential(x);
    case Operation::log:
      return logarithm(x);
    case Operation::sqrt: {
      const double f = std::sqrt(v);
      return chain(x, f, 0.5 / f, -0.25 / (f * v));
    }
    case Operation::abs:
      return v < 0 ? Jet{-x.value, -x.rate, -x.acceleration} : x;
    case Operation::negate:
      return {-x.value, -x.rate, -x.acceleration};
    default:
      return {v > 0 ? 1.0 : 0.0, 0, 0};  // step
  }
}

Jet combined(Operation operation, const Jet& a, const Jet& b) {
  switch (operation) {
    case Operation::add:
      return {a.value + b.value, a.rate + b.rate, a.acceleration + b.acceleration};
    case Operation::subtract:
      return {a.value - b.value, a.rate - b.rate, a.acceleration - b.acceleration};
    case Operation::multiply:
      return product(a, b);
    case Operation::divide:
      return product(a, inverse(b));
    case Operation::power:
      return power(a, b);
    case Operation::min:
      return b.value < a.value ? b : a;
    default:
      return b.value > a.value ? b : a;  // max
  }
}

bool takes_two(Operation operation) {
  return (operation >= Operation::add && operation <= Operation::power) || operation >= Operation::min;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

/// Recursive descent; each function appends the program of one thing of the grammar.
///   sum: term {(+|-) term}   term: factor {(*|/) factor}   factor: (+|-) factor | power   power: atom [^ factor]
class FormulaParser {
 public:
  FormulaParser(std::string_view text, const Constants& constants, Formula::Time time, Formula& formula)
      : text_(text), constants_(constants), time_(time), formula_(formula) {}

  void whole() {
    skip_blanks();
    if (at_end()) fail("the formula is empty");
    sum();
    if (!at_end()) fail(fmt::format("{} where an operator or the end is expected", here()));
  }

 private:
  void sum() {
    term();
    for (;;) {
      if (take('+')) {
        term();
        emit(Operation::add);
      } else if (take('-')) {
        term();
        emit(Operation::subtract);
      } else {
        break;
      }
    }
  }

  void term() {
    factor();
    for (;;) {
      if (take('*')) {
        factor();
        emit(Operation::multiply);
      } else if (take('/')) {
        factor();
        emit(Operation::divide);
      } else {
        break;
      }
    }
  }

  void factor() {
    if (++depth_ > kDeepestNesting)
      fail(fmt::format("more than {} parentheses or signs inside each other", kDeepestNesting));
    if (take('-')) {
      factor();
      emit(Operation::negate);
    } else if (take('+')) {
      factor();
    } else {
      atom();
      if (take('^')) {
        factor();
        emit(Operation::power);
      }
    }
    --depth_;
  }

  void atom() {
    if (at_end()) fail("the formula ends where a value is expected");
    if (is_digit(text_[position_]) || text_[position_] == '.') return number();
    if (is_letter(text_[position_])) return name();
    const std::size_t opening = position_;
    if (!take('(')) fail(fmt::format("{} where a value is expected", here()));
    sum();
    close(opening);
  }

  void number() {
    double value = 0;
    const char* const begin = text_.data() + position_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc() || !std::isfinite(value)) fail(fmt::format("{} is not a number", here()));
    position_ += static_cast<std::size_t>(end - begin);
    if (!at_end() && (is_letter(text_[position_]) || text_[position_] == '.'))
      fail(fmt::format("{} directly after a number; write * between them", here()));
    emit(Operation::constant, value);
    skip_blanks();
  }

  void name() {
    const std::size_t begin = position_;
    while (position_ < text_.size() && (is_letter(text_[position_]) || is_digit(text_[position_]))) ++position_;
    const std::string_view word = text_.substr(begin, position_ - begin);
    skip_blanks();
    if (const auto known = std::find(kFunctions.begin(), kFunctions.end(), word); known != kFunctions.end())
      return call(word, static_cast<Operation>(kFirstFunction + (known - kFunctions.begin())));
    if (const auto constant = constants_.find(word); constant != constants_.end())
      return emit(Operation::constant, constant->second);
    if (word == "pi") return emit(Operation::constant, std::numbers::pi);
    position_ = word == "t" && time_ == Formula::Time::allowed ? position_ : begin;
    if (position_ == begin) fail(unknown(word));
    emit(Operation::time);
  }

  void call(std::string_view word, Operation function) {
    const std::size_t opening = position_;
    if (!take('(')) fail(fmt::format("{} is a function; its argument follows in parentheses", word));
    for (int i = 0; i < arguments_of(function); ++i) {
      if (i > 0 && !take(','))
        fail(fmt::format("{} takes {} arguments, separated by a comma", word, arguments_of(function)));
      sum();
    }
    if (!at_end() && text_[position_] == ',')
      fail(fmt::format("{} takes {}", word, arguments_of(function) == 1 ? "one argument" : "two arguments"));
    close(opening);
    emit(function);
  }

  void close(std::size_t opening) {
    if (take(')')) return;
    const std::string found = at_end() ? "the formula ends" : here();
    fail(fmt::format("{} where ')' is expected for the '(' at column {}", found, column(opening)));
  }

  std::string unknown(std::string_view word) const {
    if (word == "t") return "t is time, and this number does not change with it";
    std::vector<std::string_view> names(kFunctions.begin(), kFunctions.end());
    names.push_back("pi");
    if (time_ == Formula::Time::allowed) names.push_back("t");
    for (const auto& [constant, value] : constants_) names.push_back(constant);
    const std::string shown(word.substr(0, 40));
    if (const std::string_view nearest = nearest_word(word, names); !nearest.empty())
      return fmt::format("unknown name \"{}\"; did you mean \"{}\"?", shown, nearest);
    return fmt::format("unknown name \"{}\"; known are {}", shown, fmt::join(names, ", "));
  }

  void emit(Operation operation, double constant = 0) {
    if (formula_.program_.size() >= kMostInstructions)
      fail(fmt::format("a formula of more than {} numbers and operations", kMostInstructions));
    formula_.program_.push_back({static_cast<std::uint8_t>(operation), constant});
    if (operation == Operation::constant || operation == Operation::time)
      formula_.deepest_ = std::max(formula_.deepest_, ++stacked_);
    else if (takes_two(operation))
      --stacked_;
  }

  bool at_end() const { return position_ >= text_.size(); }
  void skip_blanks() {
    while (!at_end() && (text_[position_] == ' ' || text_[position_] == '\t' || text_[position_] == '\n')) ++position_;
  }
  bool take(char c) {
    if (at_end() || text_[position_] != c) return false;
    ++position_;
    skip_blanks();
    return true;
  }

  std::string here() const {  // the word or the character at the cursor
    std::size_t end = position_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]) || text_[end] == '.')) ++end;
    if (end > position_)
      return fmt::format("\"{}\"", text_.substr(position_, std::min<std::size_t>(end - position_, 40)));
    const char c = text_[position_];
    return c > ' ' && c < 0x7F ? fmt::format("'{}'", c) : fmt::format("'\\x{:02X}'", static_cast<unsigned char>(c));
  }
  std::size_t column(std::size_t position) const {  // in characters
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
    return 1 + position -
           static_cast<std::size_t>(
               std::count_if(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(position), continues));
  }
  [[noreturn]] void fail(std::string rule) const {
    throw InputError(std::to_string(column(position_)), std::move(rule));
  }

  std::string_view text_;
  const Constants& constants_;
  Formula::Time time_;
  Formula& formula_;
  std::size_t position_ = 0, stacked_ = 0;
  int depth_ = 0;
};

Formula::Formula(std::string_view text, const Constants& constants, Time time) {
  FormulaParser(text, constants, time, *this).whole();
}

Jet Formula::at(double t) const {
  constexpr std::size_t few = 16;
  std::array<Jet, few> small;
  std::vector<Jet> large(deepest_ > few ? deepest_ : 0);
  Jet* const stack = deepest_ > few ? large.data() : small.data();
  std::size_t size = 0;
  for (const Instruction& instruction : program_) {
    const auto operation = static_cast<Operation>(instruction.operation);
    if (operation == Operation::constant)
      stack[size++] = {instruction.constant, 0, 0};
    else if (operation == Operation::time)
      stack[size++] = {t, 1, 0};
    else if (takes_two(operation)) {
      --size;
      stack[size - 1] = combined(operation, stack[size - 1], stack[size]);
    } else
      stack[size - 1] = function_of(operation, stack[size - 1]);
  }
  return stack[0];
}

double evaluate(std::string_view formula, const Constants& constants) {
  const double value = Formula(formula, constants, Formula::Time::forbidden).at(0).value;
  if (std::isnan(value)) throw InputError("", "is not a number");
  if (!std::isfinite(value)) throw InputError("", fmt::format("is {}; numbers must be finite", value));
  return value;
}

bool is_taken_in_formulas(std::string_view name) {
  return name == "t" || name == "pi" || std::find(kFunctions.begin(), kFunctions.end(), name) != kFunctions.end();
}

}  // namespace carom
