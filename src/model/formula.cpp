#include "carom/model/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/base/error.h"
#include "carom/base/nearest_word.h"
#include "carom/base/number.h"

namespace carom {
namespace {

constexpr int kDeepestNesting = 64;
constexpr std::size_t kMostInstructions = 10'000;

struct Function {
  std::string_view name;
  Jet (*of_one)(const Jet&);
  Jet (*of_two)(const Jet&, const Jet&);  // one of the two is not null
};
constexpr std::array<Function, 16> kFunctions = {{{"sin", jets::sin, nullptr},
                                                  {"cos", jets::cos, nullptr},
                                                  {"tan", jets::tan, nullptr},
                                                  {"asin", jets::asin, nullptr},
                                                  {"acos", jets::acos, nullptr},
                                                  {"atan", jets::atan, nullptr},
                                                  {"sinh", jets::sinh, nullptr},
                                                  {"cosh", jets::cosh, nullptr},
                                                  {"tanh", jets::tanh, nullptr},
                                                  {"exp", jets::exp, nullptr},
                                                  {"log", jets::log, nullptr},
                                                  {"sqrt", jets::sqrt, nullptr},
                                                  {"abs", jets::abs, nullptr},
                                                  {"step", jets::step, nullptr},
                                                  {"min", nullptr, jets::min},
                                                  {"max", nullptr, jets::max}}};

const Function* function_named(std::string_view name) {
  const auto found =
      std::find_if(kFunctions.begin(), kFunctions.end(), [&](const Function& f) { return f.name == name; });
  return found == kFunctions.end() ? nullptr : &*found;
}

Jet negated(const Jet& x) {
  return -x;
}
Jet sum_of(const Jet& a, const Jet& b) {
  return a + b;
}
Jet difference_of(const Jet& a, const Jet& b) {
  return a - b;
}
Jet product_of(const Jet& a, const Jet& b) {
  return a * b;
}
Jet quotient_of(const Jet& a, const Jet& b) {
  return a / b;
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
  FormulaParser(std::string_view text, const Constants& constants, Formula::Time time, Formula& formula,
                const Formula::FindVariable* find = nullptr)
      : text_(text), constants_(constants), time_(time), formula_(formula), find_(find) {}

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
        emit(sum_of);
      } else if (take('-')) {
        term();
        emit(difference_of);
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
        emit(product_of);
      } else if (take('/')) {
        factor();
        emit(quotient_of);
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
      emit(negated);
    } else if (take('+')) {
      factor();
    } else {
      atom();
      if (take('^')) {
        factor();
        emit(jets::power);
      }
    }
    --depth_;
  }

  void atom() {
    if (at_end()) fail("the formula ends where a value is expected");
    if (is_digit(text_[position_]) || text_[position_] == '.') return number();
    if (is_letter(text_[position_])) return name();
    if (find_ && text_[position_] == '[') return bracketed();
    const std::size_t opening = position_;
    if (!take('(')) fail(fmt::format("{} where a value is expected", here()));
    sum();
    close(opening);
  }

  void number() {
    double value = 0;
    const char* const begin = text_.data() + position_;
    const auto [end, error] = read_number(begin, text_.data() + text_.size(), value);
    if (error != std::errc() || !std::isfinite(value)) fail(fmt::format("{} is not a number", here()));
    position_ += static_cast<std::size_t>(end - begin);
    if (!at_end() && (is_letter(text_[position_]) || text_[position_] == '.'))
      fail(fmt::format("{} directly after a number; write * between them", here()));
    emit_value({.constant = value});
    skip_blanks();
  }

  void name() {
    const std::size_t begin = position_;
    while (position_ < text_.size() && (is_letter(text_[position_]) || is_digit(text_[position_]))) ++position_;
    const std::string_view word = text_.substr(begin, position_ - begin);
    if (find_ && !at_end() && text_[position_] == '.') return variable(word, begin);
    skip_blanks();
    if (const Function* function = function_named(word)) return call(*function);
    if (const auto constant = constants_.find(word); constant != constants_.end())
      return emit_value({.constant = constant->second});
    if (word == "pi") return emit_value({.constant = std::numbers::pi});
    position_ = word == "t" && time_ == Formula::Time::allowed ? position_ : begin;
    if (position_ == begin) fail(unknown(word));
    emit_value({.time = true});
  }

  /// "[ball 1].x"
  void bracketed() {
    const std::size_t begin = position_, end = text_.find(']', begin);
    if (end == std::string_view::npos) fail("'[' without ']'; write [a name].x");
    position_ = end + 1;
    if (at_end() || text_[position_] != '.')
      fail("what of it? After a name in brackets follows a quantity, as in [a name].x");
    variable(text_.substr(begin + 1, end - begin - 1), begin);
  }

  /// The cursor is at the point between owner and quantity.
  void variable(std::string_view owner, std::size_t begin) {
    const std::size_t first = ++position_;
    while (!at_end() && (is_letter(text_[position_]) || is_digit(text_[position_]))) ++position_;
    const std::string_view quantity = text_.substr(first, position_ - first);
    int number = -1;
    try {
      number = (*find_)(owner, quantity);
    } catch (const InputError& error) {
      position_ = begin;
      fail(error.rule);
    }
    emit_value({.variable = number});
    skip_blanks();
  }

  void call(const Function& function) {
    const std::size_t opening = position_;
    if (!take('(')) fail(fmt::format("{} is a function; its argument follows in parentheses", function.name));
    sum();
    if (function.of_two) {
      if (!take(',')) fail(fmt::format("{} takes two arguments, separated by a comma", function.name));
      sum();
    }
    if (!at_end() && text_[position_] == ',')
      fail(fmt::format("{} takes {}", function.name, function.of_two ? "two arguments" : "one argument"));
    close(opening);
    if (function.of_one)
      emit(function.of_one);
    else
      emit(function.of_two);
  }

  void close(std::size_t opening) {
    if (take(')')) return;
    const std::string found = at_end() ? "the formula ends" : here();
    fail(fmt::format("{} where ')' is expected for the '(' at column {}", found, column(opening)));
  }

  std::string unknown(std::string_view word) const {
    if (word == "t") return "t is time, and this number does not change with it";
    std::vector<std::string_view> names;
    names.reserve(kFunctions.size() + constants_.size() + 2);
    for (const Function& function : kFunctions) names.push_back(function.name);
    names.emplace_back("pi");
    if (time_ == Formula::Time::allowed) names.emplace_back("t");
    for (const auto& [constant, value] : constants_) names.push_back(constant);
    const std::string shown(word.substr(0, 40));
    if (const std::string_view nearest = nearest_word(word, names); !nearest.empty())
      return fmt::format("unknown name \"{}\"; did you mean \"{}\"?", shown, nearest);
    return fmt::format("unknown name \"{}\"; known are {}", shown, fmt::join(names, ", "));
  }

  using Instruction = Formula::Instruction;
  void append(const Instruction& instruction) {
    if (formula_.program_.size() >= kMostInstructions)
      fail(fmt::format("a formula of more than {} numbers and operations", kMostInstructions));
    formula_.program_.push_back(instruction);
  }
  void emit_value(const Instruction& value) {
    append(value);
    formula_.deepest_ = std::max(formula_.deepest_, ++stacked_);
  }
  void emit(Jet (*function)(const Jet&)) { append({.of_one = function}); }
  void emit(Jet (*function)(const Jet&, const Jet&)) {
    append({.of_two = function});
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
  const Formula::FindVariable* find_;
  std::size_t position_ = 0, stacked_ = 0;
  int depth_ = 0;
};

Formula::Formula(std::string_view text, const Constants& constants, Time time) {
  FormulaParser(text, constants, time, *this).whole();
}

Formula::Formula(std::string_view text, const Constants& constants, const FindVariable& find) {
  FormulaParser(text, constants, Time::allowed, *this, &find).whole();
}

Jet Formula::at(double t, std::span<const double> variables) const {
  constexpr std::size_t few = 16;
  std::array<Jet, few> small;
  std::vector<Jet> large(deepest_ > few ? deepest_ : 0);
  Jet* const stack = deepest_ > few ? large.data() : small.data();
  std::size_t size = 0;
  for (const Instruction& instruction : program_) {
    if (instruction.of_one) {
      stack[size - 1] = instruction.of_one(stack[size - 1]);
    } else if (instruction.of_two) {
      --size;
      stack[size - 1] = instruction.of_two(stack[size - 1], stack[size]);
    } else {
      stack[size++] = instruction.time            ? Jet{t, 1, 0}
                      : instruction.variable >= 0 ? Jet{variables[instruction.variable], 0, 0}
                                                  : Jet{instruction.constant, 0, 0};
    }
  }
  return stack[0];
}

bool Formula::has_time() const {
  return std::any_of(program_.begin(), program_.end(), [](const Instruction& one) { return one.time; });
}

bool Formula::has_variables() const {
  return std::any_of(program_.begin(), program_.end(), [](const Instruction& one) { return one.variable >= 0; });
}

double evaluate(std::string_view formula, const Constants& constants) {
  const double value = Formula(formula, constants, Formula::Time::forbidden).at(0).value;
  if (std::isnan(value)) throw InputError("", "is not a number");
  if (!std::isfinite(value)) throw InputError("", fmt::format("is {}; numbers must be finite", value));
  return value;
}

bool is_taken_in_formulas(std::string_view name) {
  return name == "t" || name == "pi" || function_named(name);
}

}  // namespace carom
