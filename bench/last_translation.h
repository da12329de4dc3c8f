#pragma once

#include "carom/simulate/run.h"

namespace carom::bench {

/// Keeps what the last recorded state has of translation [J], apart from spin: point contacts do not take the spin of a
/// ball about their normals, so a pile that rests may keep some for ever.
struct LastTranslation : NoObserver {
  void state(const Model& model, const State& now, const Ledger&) override {
    energy = 0;
    for (int body = 0; body < static_cast<int>(model.bodies().size()); ++body)
      if (model.bodies()[body].is_free())
        energy += 0.5 * model.bodies()[body].mass * model.twist(body, now).velocity.squaredNorm();
  }

  double energy = 0;
};

}  // namespace carom::bench
