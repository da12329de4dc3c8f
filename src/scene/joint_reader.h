#pragma once

#include "carom/scene/draft.h"

namespace carom::scene {

/// [[joint]], [[spring]] and [[torsion]]. Points and axes are given in the world as it is at the start.
void read_joints(Draft& draft, const Field& root);
void read_springs(Draft& draft, const Field& root);
void read_torsion_springs(Draft& draft, const Field& root);

/// A massless string or rod between two points.
void add_distance(Draft& draft, const Field& origin, std::string name, const Anchor& a, const Anchor& b,
                  std::optional<double> length);

/// What a key of a spring, and one of a torsion spring, means; empty if it is none.
std::string_view meaning_of_spring_key(std::string_view key);
std::string_view meaning_of_torsion_key(std::string_view key);

}  // namespace carom::scene
