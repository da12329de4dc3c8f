#pragma once

#include <span>
#include <string_view>

namespace carom {

/// The known word that is most like the given one, for messages; empty if none is near: up to a third of the letters
/// may be missing, superfluous, wrong or swapped. Upper and lower case count alike.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> known);

}  // namespace carom
