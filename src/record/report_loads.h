#pragma once

#include <vector>

#include "carom/model/model.h"

namespace carom::record {

/// Where the loads of a scene act, those that read the state behind the others; too many for a page: none.
std::vector<Anchor> loads_to_see(const Model& model);

/// Force and torque of each at a state, in the columns that joints have: fx | fx, fy, tz | fx, fy, fz, tx, ty, tz.
std::vector<float> load_values(const Model& model, const State& state);

}  // namespace carom::record
