#include "carom/laws/all.h"

namespace carom {

std::optional<ImpactLaw> law_by_name(std::string_view name) {
  std::optional<ImpactLaw> found;
  for_each_law([&](auto law) {
    if (law.name == name) found = law;
  });
  return found;
}

std::string_view name_of(const ImpactLaw& law) {
  return std::visit([](const auto& value) { return std::string_view(value.name); }, law);
}

bool has_path(const ImpactLaw& law) {
  return std::visit([]<class L>(const L&) { return LawWithPath<L>; }, law);
}

bool reads(const ImpactLaw& law, std::string_view contact_field) {
  return std::visit([&](const auto& value) { return reads_with(value, contact_field); }, law);
}

ImpactLaw renumbered(const ImpactLaw& law, const ContactOrder& order) {
  return std::visit(
      [&](const auto& value) -> ImpactLaw {
        if constexpr (requires { value.renumbered(order); })
          return value.renumbered(order);
        else
          return value;
      },
      law);
}

ImpactOutcome solve(const ImpactProblem& problem, const ImpactLaw& law, Path* path, const SolveOptions& options) {
  return std::visit([&](const auto& value) { return solve(problem, value, path, options); }, law);
}

}  // namespace carom
