#pragma once

#include "model/forces.h"
#include "simulate/contact_search.h"
#include "simulate/impacts.h"

namespace carom {

/// What every scheme has: the model and its state, who may touch, the impacts, and the books.
class Moving {
 protected:
  Moving(const Model& model, const State& start, const ImpactLaw& law, double rest, const RunOptions& options,
         Observer& observer)
      : model_(model),
        options_(options),
        observer_(observer),
        state_(start),
        rules_(model),
        search_(model, rules_),
        impacts_(model, rules_, law, rest, observer, summary_) {
    summary_.books.start = model.M().kinetic_energy(start.u) + potential_energy(model, start);
  }

  RunSummary finished() {
    impacts_.finish();
    summary_.t_end = state_.t;
    summary_.end = state_;
    return std::move(summary_);
  }

  const Model& model_;
  const RunOptions& options_;
  Observer& observer_;
  RunSummary summary_;
  State state_;
  ContactRules rules_;
  ContactSearch search_;
  Impacts impacts_;
};

}  // namespace carom
