#pragma once

#include <cstdint>
#include <string>

namespace carom::soak {

/// An ordinary scene as somebody might write it, drawn at random. The same seed gives the same text on every machine.
struct RandomScene {
  std::uint64_t seed = 0;
  std::string kind;    // "stack", "pendulum", ...
  std::string scheme;  // "event-driven" or "time-stepping"
  std::string law;
  int dimension = 2;
  double mu = 0, e = 0;
  std::string toml;
};

RandomScene random_scene(std::uint64_t seed);

}  // namespace carom::soak
