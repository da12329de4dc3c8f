#include "carom/scene/path.h"

namespace carom::scene {
namespace {

constexpr std::size_t kMostDigits = 18;  // of an index: fits 64 bits without a check

/// The step that starts at `position`, which is moved behind it; nothing if there is none in our notation.
std::optional<Step> take_step(std::string_view path, std::size_t& position) {
  Step step;
  step.begin = position;
  const std::string_view rest = path.substr(position);
  const char opening = rest.empty() ? '\0' : rest.front();
  if (opening == '[' || opening == '"') {
    const std::size_t end = rest.find(opening == '[' ? ']' : '"', 1);
    if (end == std::string_view::npos) return {};
    step.key = rest.substr(1, end - 1);
    position += end + 1;
    if (opening == '"') return step;
    step.every = step.key == "*";
    step.index = parse_index(step.key);
    return step.every || step.index ? std::optional(step) : std::nullopt;
  }
  step.key = rest.substr(0, rest.find_first_of(".[]\""));
  position += step.key.size();
  return step.key.empty() ? std::nullopt : std::optional(step);
}

}  // namespace

Steps parse_path(std::string_view path) {
  Steps parsed;
  for (std::size_t position = 0; position < path.size();) {
    const bool first = position == 0, dot = path[position] == '.' && !first;
    if (dot) ++position;
    const std::size_t begin = position;
    const bool bracket = path.substr(begin).starts_with('[');
    const bool separated = first || dot != bracket;
    std::optional<Step> step = separated ? take_step(path, position) : std::nullopt;
    if (!step) {
      parsed.broken_at = begin;
      return parsed;
    }
    parsed.steps.push_back(std::move(*step));
  }
  return parsed;
}

std::optional<std::size_t> parse_index(std::string_view digits) {
  if (digits.empty() || digits.size() > kMostDigits || (digits.size() > 1 && digits.front() == '0')) return {};
  std::size_t value = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9') return {};
    value = 10 * value + static_cast<std::size_t>(digit - '0');
  }
  return value;
}

}  // namespace carom::scene
