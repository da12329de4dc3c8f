#include "carom/laws/relations.h"

#include <algorithm>

namespace carom {
namespace {

template <class... Laws>
bool all_among(const std::vector<ImpactLaw>& laws) {
  return std::all_of(laws.begin(), laws.end(),
                     [](const ImpactLaw& law) { return (std::holds_alternative<Laws>(law) || ...); });
}

}  // namespace

std::string why_same(const std::vector<ImpactLaw>& laws, double e) {
  if (e == 0 && all_among<Newton, Poisson, Moreau>(laws))
    return "without friction and with e = 0 each of them is the plastic impact";
  if (all_among<Newton, Moreau>(laws)) return "without friction and with one e for all contacts they are one law";
  if (e == 1 && all_among<Lzb>(laws)) return "with e = 1 loading and unloading are one spring, bi or mono";
  if (e == 1 && all_among<Lzb, Compliant>(laws))
    return "with e = 1 they are the same springs until a contact closes again";
  return "";
}

}  // namespace carom
