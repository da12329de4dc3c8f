#include "carom/scene/recorded_run.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "carom/base/error.h"
#include "carom/model/joint_rows.h"
#include "carom/scene/words.h"

namespace carom::scene {
namespace {

constexpr std::size_t kMostNames = 5;

std::string listed_names(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMostNames; ++i) text += (i == 0 ? "" : ", ") + in_quotes(names[i]);
  return names.size() <= kMostNames ? text : text + fmt::format(" and {} more", names.size() - kMostNames);
}

/// Where each recorded body is in the model. Free ones must be there, and free.
std::vector<int> matched(const RecordedRun& recorded, const Model& model) {
  std::map<std::string_view, int> by_name;
  for (int i = 0; i < static_cast<int>(model.bodies().size()); ++i) by_name.emplace(model.bodies()[i].name, i);
  std::vector<int> body_of;
  std::vector<std::string> missing, held;
  for (const RecordedRun::BodyState& body : recorded.bodies) {
    const auto found = by_name.find(body.name);
    body_of.push_back(found == by_name.end() ? -1 : found->second);
    if (body.q.size() == 0) continue;
    if (body_of.back() < 0)
      missing.push_back(body.name);
    else if (!model.bodies()[body_of.back()].is_free())
      held.push_back(body.name);
  }
  if (!missing.empty())
    throw InputError("start", fmt::format("{} has bodies that this scene has not: {}; every free body of the recorded "
                                          "run must be here, by its name",
                                          printable(recorded.folder), listed_names(missing)));
  if (!held.empty())
    throw InputError("start", fmt::format("{} has bodies that are free there and not in this scene: {}",
                                          printable(recorded.folder), listed_names(held)));
  return body_of;
}

/// What contacts carried, between the same bodies in the model's numbers. Stops are numbered by joints.
std::vector<CarriedImpulse> renumbered(const RecordedRun& recorded, const Model& model,
                                       const std::vector<int>& body_of) {
  const bool same_joints = recorded.joints == static_cast<long>(model.description().joints.size());
  std::vector<CarriedImpulse> all;
  for (CarriedImpulse one : recorded.memory.carried) {
    PartPair& parts = one.parts;
    if (parts.is_stop() && !same_joints) continue;
    parts.body_a = body_of[parts.body_a];
    parts.body_b = body_of[parts.body_b];
    if (parts.body_a < 0 || parts.body_b < 0) continue;
    if (parts.body_a > parts.body_b) {
      std::swap(parts.body_a, parts.body_b);
      std::swap(parts.part_a, parts.part_b);
      one.feature = one.feature.exchanged();
      one.impulse = -one.impulse;
    }
    all.push_back(one);
  }
  return all;
}

}  // namespace

GoingOn going_on(const RecordedRun& recorded, const Model& model, const State& placed) {
  if (recorded.dimension != model.dimension())
    throw InputError("start", fmt::format("{} has dimension {}, this scene {}", printable(recorded.folder),
                                          static_cast<int>(recorded.dimension), static_cast<int>(model.dimension())));
  GoingOn on{placed, recorded.memory, matched(recorded, model)};
  on.state.t = recorded.t;
  on.memory.known.assign(model.bodies().size(), 0);
  for (std::size_t i = 0; i < recorded.bodies.size(); ++i) {
    const int body = on.body_of[i];
    if (body < 0) continue;
    const RecordedRun::BodyState& state = recorded.bodies[i];
    const bool free = model.bodies()[body].is_free();
    on.memory.known[body] = (state.q.size() > 0) == free;
    if (!free || state.q.size() == 0) continue;
    on.state.q.segment(model.first_position(body), state.q.size()) = state.q;
    on.state.u.segment(model.first_velocity(body), state.u.size()) = state.u;
  }
  on.memory.carried = renumbered(recorded, model, on.body_of);
  if (on.memory.joint_balance.size() != joint_rows(model, on.state).J.cols()) on.memory.joint_balance.resize(0);
  return on;
}

}  // namespace carom::scene
