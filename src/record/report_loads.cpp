#include "carom/record/report_loads.h"

#include "carom/model/state_value.h"

namespace carom::record {
namespace {

constexpr std::size_t kMostLoads = 100;

void append_load(std::vector<float>& values, Dimension dimension, const Vector3& force, const Vector3& torque) {
  for (Index axis = 0; axis < static_cast<Index>(dimension); ++axis) values.push_back(static_cast<float>(force[axis]));
  if (dimension == Dimension::plane) values.push_back(static_cast<float>(torque.z()));
  if (dimension == Dimension::space)
    for (const double value : torque) values.push_back(static_cast<float>(value));
}

}  // namespace

std::vector<Anchor> loads_to_see(const Model& model) {
  const Description& all = model.description();
  std::vector<Anchor> places;
  if (all.loads.size() + all.state_loads.size() > kMostLoads) return places;
  for (const Load& load : all.loads) places.push_back(load.at);
  for (const StateLoad& load : all.state_loads) places.push_back(load.at);
  return places;
}

std::vector<float> load_values(const Model& model, const State& state) {
  std::vector<float> values;
  if (loads_to_see(model).empty()) return values;
  const auto vector_of = [](auto&& component) {
    return Vector3(component(std::size_t{0}), component(std::size_t{1}), component(std::size_t{2}));
  };
  for (const Load& load : model.description().loads)
    append_load(values, model.dimension(), vector_of([&](std::size_t i) { return load.force[i].at(state.t).value; }),
                vector_of([&](std::size_t i) { return load.torque[i].at(state.t).value; }));
  const auto read = [&](const std::optional<StateFormula>& formula) {
    return formula ? value_at(*formula, model, state) : 0.0;
  };
  for (const StateLoad& load : model.description().state_loads)
    append_load(values, model.dimension(), vector_of([&](std::size_t i) { return read(load.force[i]); }),
                vector_of([&](std::size_t i) { return read(load.torque[i]); }));
  return values;
}

}  // namespace carom::record
