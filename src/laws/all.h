#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include "carom/impact/solve.h"
#include "carom/laws/brach.h"
#include "carom/laws/compliant.h"
#include "carom/laws/generalized_kinematic.h"
#include "carom/laws/impulse_correlation.h"
#include "carom/laws/kane_levinson.h"
#include "carom/laws/keller.h"
#include "carom/laws/lzb.h"
#include "carom/laws/moreau.h"
#include "carom/laws/newton.h"
#include "carom/laws/poisson.h"
#include "carom/laws/sequential.h"
#include "carom/laws/smith.h"
#include "carom/laws/tangential_restitution.h"
#include "carom/laws/whittaker.h"

namespace carom {

/// Every impact law. A new law is one more name here.
using ImpactLaw = std::variant<Newton, Poisson, Moreau, GeneralizedKinematic, Keller, Brach, Smith, Whittaker,
                               KaneLevinson, TangentialRestitution, Lzb, Compliant, Sequential, ImpulseCorrelation>;

/// Calls visit(law) with a default value of each law, in the order of the list.
template <class Visitor>
void for_each_law(Visitor&& visit) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (visit(std::variant_alternative_t<i, ImpactLaw>{}), ...);
  }
  (std::make_index_sequence<std::variant_size_v<ImpactLaw>>{});
}

/// The law of that name with its default parameters; nothing if there is none.
std::optional<ImpactLaw> law_by_name(std::string_view name);

std::string_view name_of(const ImpactLaw& law);

/// Whether the law can tell what happens inside the impact.
bool has_path(const ImpactLaw& law);

/// Whether the law looks at that field of the contacts, with these parameters.
bool reads(const ImpactLaw& law, std::string_view contact_field);

/// The law with its matrices in the numbering of a problem.
ImpactLaw renumbered(const ImpactLaw& law, const ContactOrder& order);

ImpactOutcome solve(const ImpactProblem& problem, const ImpactLaw& law, Path* path = nullptr,
                    const SolveOptions& options = {});

}  // namespace carom
