#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/model/jet.h"

namespace carom {

/// Names that a formula may use for numbers.
using Constants = std::map<std::string, double, std::less<>>;

/// An expression of time as a short program for a stack of jets, so that its derivatives are exact where they exist.
///   + - * / ^ and parentheses (-t^2 is -(t^2), a^b^c is a^(b^c)), numbers, pi, t and the given constants,
///   sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs step, min(a, b) max(a, b); step(x) is 1 where x > 0,
///   else 0. At kinks (abs, min, max) the derivative is one of the two one-sided ones.
/// Where variables are known, `owner.quantity` is one, or `[an owner].quantity` where its name is more than letters and
/// digits.
class Formula {
 public:
  enum class Time { allowed, forbidden };

  /// Throws InputError whose place is the column, counted from 1.
  explicit Formula(std::string_view text, const Constants& constants = {}, Time time = Time::allowed);

  /// The same with variables: `find` gives the number of one, from 0, and throws InputError, whose place does not
  /// count, if there is none.
  using FindVariable = std::function<int(std::string_view owner, std::string_view quantity)>;
  Formula(std::string_view text, const Constants& constants, const FindVariable& find);

  Jet at(double t, std::span<const double> variables = {}) const;
  bool has_time() const;       // whether t occurs in it
  bool has_variables() const;  // whether a variable does

  /// The first time in (from, to] at which the formula takes another branch, abs, step, min or max, or the argument of
  /// sqrt, asin, acos or a broken power reaches the end of its range, which makes a kink as in sqrt(t^2). It is the
  /// first number there that belongs to the new branch. Also branches that a value around them hides are found.
  /// Arguments are sampled until polynomials follow them; what changes faster than that is missed.
  std::optional<double> next_kink(double from, double to) const;

 private:
  friend class FormulaParser;
  friend class KinkSearch;
  struct Instruction {  // a function of the last one or two of the stack; or, without function, a jet to put there
    Jet (*of_one)(const Jet&) = nullptr;
    Jet (*of_two)(const Jet&, const Jet&) = nullptr;
    bool time = false;
    double constant = 0;
    int variable = -1;
  };
  /// What decides about a branch, or about the end of a range, at one time.
  struct Switch {
    enum class Kind { below_zero, above_zero, end_of_range };  // what is another branch: s < 0; s > 0; s = 0 is a kink
    Kind kind = Kind::below_zero;
    Jet s;
    double noise = 0;  // what rounding may have done to s

    bool on() const { return kind == Kind::above_zero ? s.value > 0 : s.value < 0; }
  };
  std::vector<Switch> switches(double t) const;

  std::vector<Instruction> program_;
  std::size_t deepest_ = 0;  // entries of the stack
};

/// The value of a formula without t. Throws InputError whose place is the column, counted from 1; empty if the formula
/// as a whole is not finite.
double evaluate(std::string_view formula, const Constants& constants = {});

/// Whether formulas have a meaning for that name, so that no constant may have it.
bool is_taken_in_formulas(std::string_view name);

}  // namespace carom
