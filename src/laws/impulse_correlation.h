#pragma once

#include <array>

#include "carom/impact/law.h"

namespace carom {

/// Neighbouring impulses in a given ratio: while a primary contact i is compressed and restored, each closed contact j
/// that moves it gets a share of its impulse,
///   dP_j = ratio_ij dP_i,    dgamma = G dP,    dE_j = -gamma_j dP_j  (/ e_j^2 while it expands),   E_j >= 0.
/// Primary is the contact that closes fastest (all of those that close equally fast); where none closes but energy is
/// stored, the one that stores most of it. It stays so until it has given back e^2 of the energy it was compressed
/// with, what it took in as a neighbour included; then the next one is, until none closes and nothing is stored. A
/// neighbour that has opened or given back its energy gets nothing until it closes. Exact: velocities are linear in
/// P_i between events and energies quadratic.
/// ratio [-] >= 0, the impulse correlation ratio, measured between triples: 0.17 of steel balls to 0.34; one number or
/// a matrix. ratio = 0 is the law `sequential`. e [-] energetic, in [0, 1]; E0 [J]. No friction. Never creates energy.
/// A ratio so large that neighbours press the primary contact together has no end: no solution.
///     [Ceanga, Hurmuzlu 2001; Liu, Zhao, Brogliato 2008, Table 1 and (55) on where a constant ratio is justified]
struct ImpulseCorrelation {
  static constexpr std::string_view name = "impulse-correlation";
  static constexpr std::string_view summary =
      "while one contact is compressed and restored its neighbours get a given share of its impulse";
  static constexpr std::string_view source = "Ceanga & Hurmuzlu 2001; Liu, Zhao & Brogliato 2008, Table 1";
  static constexpr std::string_view limits =
      "no friction; the ratio is measured, not predicted; too large a ratio has no solution";
  static constexpr std::array<std::string_view, 2> reads = {"e", "E0"};

  double ratio = 0.167;
  Matrix ratios = {};  // (m x m) of contact j while i is primary; empty = `ratio` for all neighbours

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("ratio", self.ratio, "impulse of a neighbour per impulse of the primary contact, >= 0");
    visit("ratios", self.ratios, "instead: (m x m), that of contact j while contact i is primary");
  }

  Impulses impulses(const ContactProblem& problem) const;
};

}  // namespace carom
