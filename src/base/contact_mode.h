#pragma once

#include <string_view>

namespace carom {

/// What a contact does.
enum class ContactMode : char {
  open,          // it has no force
  closed,        // it presses, without friction
  stick,         // it presses and does not slip
  slip,          // friction opposes its slip
  slip_onset,    // slips so slowly as yet that it goes where friction lets it go
  slip_aligned,  // an elastic one that slips under so small a force that its spring points against the slip
};

constexpr std::string_view word_for(ContactMode mode) {
  switch (mode) {
    case ContactMode::open:
      return "open";
    case ContactMode::closed:
      return "closed";
    case ContactMode::stick:
      return "stick";
    case ContactMode::slip:
    case ContactMode::slip_onset:
    case ContactMode::slip_aligned:
      break;
  }
  return "slip";
}

}  // namespace carom
