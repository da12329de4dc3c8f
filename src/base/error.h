#pragma once

#include <stdexcept>
#include <string>

namespace carom {

/// What the caller can fix. `place` is the path of the offending field in the notation of a problem file,
/// `contacts[2].e` or `M[0][1]`; readers turn it into file:line:column. what() reads "place: value and rule".
class InputError : public std::runtime_error {
 public:
  InputError(std::string place_, std::string rule_)
      : std::runtime_error(place_.empty() ? rule_ : place_ + ": " + rule_),
        place(std::move(place_)),
        rule(std::move(rule_)) {}

  std::string place;  // may be empty: the input as a whole
  std::string rule;   // what is wrong, with the value, and the rule it breaks
};

/// A file that cannot be written; `place` is its name.
class OutputError : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace carom
