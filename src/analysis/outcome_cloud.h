#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/word.h"
#include "carom/laws/all.h"

namespace carom::analysis {

/// What is not known exactly of an impact.
enum class Unknown { order, stiffness, gaps, coefficients };
constexpr std::array<std::string_view, 4> words_of(Unknown) {
  return {"order", "stiffness", "gaps", "coefficients"};
}

struct CloudOptions {
  std::vector<Unknown> unknowns = {Unknown::order, Unknown::stiffness, Unknown::gaps, Unknown::coefficients};
  int samples = 200;      // of each
  double stiffness = 10;  // each k is multiplied by a factor between 1/stiffness and stiffness, >= 1
  double gap = 0;         // [m] largest gap; 0: as far as a contact that closes alone would be indented
  double e = 0.1;         // each e is changed by at most this, within [0, 1]; one that depends on the impact is
                          // multiplied so that its largest value is
  double mu = 0.1;        // and each mu, >= 0
  std::uint64_t seed = 1;
};

/// One outcome that may be.
struct CloudPoint {
  Unknown unknown;
  Vector u_plus, gamma_plus;  // (n), (rows)
  double energy = 0;          // [J] kinetic
};

/// What came of one unknown.
struct CloudPart {
  Unknown unknown = Unknown::order;
  std::string law = {};                         // and how it was used
  int tried = 0, solved = 0;                    // samples
  std::string why = {};                         // why the last of those that have no outcome has none
  Vector least = {}, largest = {};              // (n) of u+; empty: none was solved
  double least_energy = 0, largest_energy = 0;  // [J]
};

/// The outcomes of an impact whose order, stiffnesses, gaps or coefficients are not known exactly.
struct OutcomeCloud {
  std::vector<CloudPart> parts;
  std::vector<CloudPoint> points;
  Vector least, largest;  // (n) of u+ over all parts; empty: there is no point
  bool cancelled = false;

  /// By how much the velocities may differ, relative to the largest speed among them, in the kinetic metric: 0 is an
  /// impact that does not care.
  double spread = 0;
};

/// Samples it:
///   order         the law sequential, any contact that closes being the next: all courses, or if there are more than
///                 samples, as many at random
///   stiffness     lzb, each k times a random factor
///   gaps          compliant, each contact that far from touching (one of them touches); e by the force `exact`
///   coefficients  the given law, e and mu of each contact changed by a random amount
/// The first sample of each is the problem as it is (order: the fastest first). A fixed pseudo-random sequence for each
/// seed. Throws InputError for a bad problem or option; samples that a law refuses or cannot solve are counted.
OutcomeCloud outcome_cloud(const ImpactProblem& problem, const ImpactLaw& law, const CloudOptions& options,
                           const std::function<bool(double share)>& goes_on = {});

}  // namespace carom::analysis
