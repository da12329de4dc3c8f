#pragma once

#include <array>
#include <string_view>

#include "carom/scene/draft.h"

namespace carom::scene {

/// The keys of a joint that say how far it goes and what drives it.
constexpr std::array<std::string_view, 8> kDriveKeys = {"start", "limits", "e", "k", "eta", "arm", "damping", "motor"};

/// `start`, `limits` with e, k, eta and arm, `damping` and `motor` of a revolute or prismatic joint; none of them is
/// for other joints. Angles are in degrees, and rates in rad/s.
void read_drive(const Draft& draft, const Field& table, Joint& joint);

}  // namespace carom::scene
