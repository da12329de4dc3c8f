#pragma once

#include <array>

#include "carom/impact/contact_turns.h"
#include "carom/impact/law.h"
#include "carom/laws/one_contact/impact.h"

namespace carom {

/// One contact after the other, as if impacts were never simultaneous: again and again one contact that closes has its
/// impact alone, until none closes.
///   first = fastest   the one that closes fastest (slowest: the other end)
///   order = ["b", "a"]  round and round through this list of contacts, by their names or their numbers from 0; those
///                       that are not in it have their turn by speed, when none of it closes
/// Alone, a contact follows its normal impulse with Coulomb friction (the law keller), and ends
///   newton   at  c_n = -e c_n-          poisson  at  P_n = (1 + e) P_c          stronge  at  W_r = -e^2 W_c.
/// Contacts that close equally fast and move each other have no order: they are one impact under Newton's law, so that
/// the answer depends neither on their numbers nor on a mirror image, and u+ is not claimed to be unique. A chain of
/// impacts that never ends is followed until closing speeds are rounding; one that does not get there is ended without
/// restitution and the status says so. Where the other end of the queue leads elsewhere, a remark says how far.
/// Newton's cradle is right with it and most else is a matter of the order; it is the rival that multiple impact laws
/// are compared with.         [Han, Gilmore 1993; Ivanov 1995; Liu, Zhao, Brogliato 2008, section 2, gamma -> 0]
struct Sequential {
  static constexpr std::string_view name = "sequential";
  static constexpr std::string_view summary = "one contact after the other until none closes, each by itself";
  static constexpr std::string_view source = "Han & Gilmore 1993; Liu, Zhao & Brogliato 2008, section 2";
  static constexpr std::string_view limits =
      "the outcome depends on the order; may need infinitely many impacts; restitution newton may create energy";
  static constexpr std::array<std::string_view, 4> reads = {"e", "mu", "mu_s", "mu_2"};

  enum class First { fastest, slowest };
  friend constexpr std::array<std::string_view, 2> words_of(First) { return {"fastest", "slowest"}; }

  First first = First::fastest;
  ContactTurns order = {};  // each contact at most once; names that no contact has are skipped; empty = by speed
  double most = 0;          // impacts; 0 = 2000, and 200 a contact
  one_contact::Restitution restitution = one_contact::Restitution::stronge;
  double tolerance = 1e-9;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("first", self.first, "which of several closing contacts comes first, by its closing speed");
    visit("order", self.order, "instead: contacts by name or number from 0, round and round; others after them");
    visit("most", self.most, "impacts to follow before what is left is taken at once; 0: 2000, and 200 a contact");
    visit("restitution", self.restitution, "what e relates: velocities (newton), impulses (poisson), work (stronge)");
    visit("tolerance", self.tolerance, "relative error of u+ where slip curves, from 1e-12 to 0.1");
  }

  Impulses impulses(const ContactProblem& problem) const;
};

}  // namespace carom
