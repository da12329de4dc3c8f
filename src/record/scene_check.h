#pragma once

#include <string>
#include <vector>

#include "carom/model/model.h"
#include "carom/record/json.h"

namespace carom::record {

/// What a scene is, before it moves.
struct SceneCheck {
  /// One kind of contact that may occur.
  struct Kind {
    std::string body_a, body_b;  // of one of its contacts; a stop has its joint for the first, and no second
    double e = 0, mu = 0, e_t = 0;
    std::optional<double> mu_2, e_t_2;             // across the grain; none: the same
    std::string e_of;                              // where e depends on the impact, in words; `e` is the largest then
    std::string stiffness;                         // where k comes from: given, Hertz, not given
    std::optional<double> k;                       // [N/m^eta] as the scene starts, where it is known
    double eta = 1.5;                              // [-]
    std::optional<double> depth, force, duration;  // [m], [N], [s] of an elastic impact with 1 m/s
  };
  std::vector<Kind> kinds;
  Index velocities = 0;       // unknowns of motion
  Index equations = 0;        // of the joints
  std::optional<Index> rank;  // how many of these are independent at the start; not computed for very many
  std::vector<std::string> hints;

  std::optional<Index> mobility() const { return rank ? std::optional(velocities - *rank) : std::nullopt; }
};
SceneCheck check_scene(const Model& model, const State& start, std::vector<std::string> hints = {});

std::string check_text(const SceneCheck& check);
Json check_json(const std::string& scene, const SceneCheck& check);  // "carom-check/1"

}  // namespace carom::record
