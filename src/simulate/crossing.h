#pragma once

#include <vector>

#include "carom/simulate/contact_search.h"
#include "carom/simulate/journal.h"
#include "carom/simulate/scales.h"

namespace carom::simulate {

/// Time steps that lead across what events cannot resolve: one, or where it is far as many as keep each of them short.
class Crossing {
 public:
  Crossing(const Model& model, const ContactRules& rules, const ContactSearch& search, const ImpactLaw& law,
           Journal& journal);

  /// `way` [s] is to be crossed, `unit` [s] is the time in which a body moves by its size.
  void begin(double way, double unit);
  bool is_under_way() const { return left_ > 0; }
  double step() const { return h_; }  // [s] each is so long
  void end();

  /// After the next step, or `most` [s] of it, without the overlaps that it leaves. `touching`: those of the state;
  /// `closed`: those that events did not resolve.
  State after(const State& state, double most, double unit, const std::vector<ContactPair>& touching,
              const std::vector<ContactPair>& closed);

  /// All have come to rest on the way. Said once: where no forces are found for it, another step finds none either.
  bool comes_to_rest(const State& state, const Scales& scales);

  void archived(Archive& archive) { archive& left_& h_& carried_& tried_at_rest_; }

 private:
  bool overlaps(const State& state) const;

  const Model& model_;
  const ContactRules& rules_;
  const ContactSearch& search_;
  const ImpactLaw law_;
  Journal& journal_;
  long left_ = 0;               // steps
  double h_ = 0;                // [s] of each
  RunMemory carried_;           // from one to the next
  bool tried_at_rest_ = false;  // all rest, but no forces were found
};

}  // namespace carom::simulate
