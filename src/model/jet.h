#pragma once

namespace carom {

/// A quantity at one instant with its first and second derivative in time.
struct Jet {
  double value = 0, rate = 0, acceleration = 0;
};

}  // namespace carom
