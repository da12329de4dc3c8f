#pragma once

#include <optional>
#include <span>

#include "carom/laws/all.h"
#include "carom/scene/field.h"

namespace carom::scene {

/// A law from {"name": ..., parameters} or from its name alone. Parameters left out keep their defaults. What
/// parameters there are, each law's fields() says; nothing here knows a law by name. `beside`: keys of the table that
/// are no parameters.
ImpactLaw read_law(const Field& field, std::span<const std::string_view> beside = {});

/// The law of that name: `own`, with its parameters, if it is the same law, else with its defaults. Throws ReadError if
/// there is no such law.
ImpactLaw law_for(const std::optional<ImpactLaw>& own, std::string_view name);

/// What to say of a name that no law has.
std::string unknown_law(std::string_view name);

}  // namespace carom::scene
