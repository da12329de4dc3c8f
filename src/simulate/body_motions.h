#pragma once

#include <vector>

#include "carom/model/contact_block.h"

namespace carom::simulate {

/// Where bodies are and how they move at one state, each looked at once.
class BodyMotions {
 public:
  BodyMotions(const Model& model, const State& state)
      : model_(model), state_(state), known_(model.bodies().size(), 0), motions_(model.bodies().size()) {}

  const BodyMotion& of(int body) {
    if (known_[body] == 0) {
      known_[body] = 1;
      motions_[body] = body_motion(model_, state_, body);
    }
    return motions_[body];
  }

 private:
  const Model& model_;
  const State& state_;
  std::vector<char> known_;
  std::vector<BodyMotion> motions_;
};

}  // namespace carom::simulate
