#include "carom/record/restart_json.h"

#include "carom/record/run_csv.h"
#include "carom/simulate/summary_fields.h"

namespace carom::record {
namespace {

Json list_of(const Vector3& v) {
  return Json{v.x(), v.y(), v.z()};
}

Json feature_list(const geometry::Feature& feature) {
  Json list = Json::array();
  for (const geometry::Element& one : {feature.a, feature.b}) {
    list.push_back(static_cast<int>(one.kind));
    list.push_back(one.first);
    list.push_back(one.second);
  }
  return list;
}

Json states_of_bodies(const Model& model, const State& state) {
  const Dimension dimension = model.dimension();
  const Index positions = dimension == Dimension::line ? 1 : dimension == Dimension::plane ? 3 : 7;
  const Index velocities = dimension == Dimension::space ? 6 : positions;
  Json bodies = Json::array();
  for (int i = 0; i < static_cast<int>(model.bodies().size()); ++i) {
    const Body& body = model.bodies()[i];
    Json one{{"name", body.name}, {"moves", moves(body)}};
    if (body.is_free()) {
      one["q"] = Json(Vector(state.q.segment(model.first_position(i), positions)));
      one["u"] = Json(Vector(state.u.segment(model.first_velocity(i), velocities)));
    }
    bodies.push_back(std::move(one));
  }
  return bodies;
}

Json memory_json(const RunMemory& memory) {
  Json carried = Json::array();
  for (const CarriedImpulse& one : memory.carried) {
    const PartPair& parts = one.parts;
    carried.push_back({{"parts", {parts.body_a, parts.part_a, parts.body_b, parts.part_b, parts.stop}},
                       {"feature", feature_list(one.feature)},
                       {"impulse", list_of(one.impulse)}});
  }
  return {{"speed", memory.speed},
          {"approach", memory.approach},
          {"stored", memory.stored},
          {"joint_balance", Json(memory.joint_balance)},
          {"joint_energy", memory.joint_energy},
          {"carried", std::move(carried)}};
}

Json so_far_json(const RunSummary& summary) {
  Json ledger = Json::object(), counts = Json::object(), losses = Json::array();
  simulate::for_each_energy(summary.ledger, [&](std::string_view name, double value) { ledger[name] = value; });
  simulate::for_each_count(summary, [&](std::string_view name, auto value) { counts[name] = Json(value); });
  for (const PairLoss& loss : summary.losses)
    losses.push_back({{"bodies", {loss.body_a, loss.body_b}},
                      {"joint", loss.joint},
                      {"impacts", loss.impacts},
                      {"dissipated", loss.dissipated}});
  return {{"ledger", std::move(ledger)},
          {"counts", std::move(counts)},
          {"losses", std::move(losses)},
          {"accumulation_times", Json(summary.accumulation_times)}};
}

Json sizes_json(const std::map<std::string, std::uint64_t>& sizes) {
  Json all = Json::object();
  for (const auto& [file, size] : sizes) all[file] = static_cast<double>(size);
  return all;
}

}  // namespace

Json restart_json(const RunTitle& title, const Model& model, const Restart& restart, const RunSummary& summary) {
  Json whole = {{"format", "carom-restart/1"},
                {"scene", title.scene},
                {"scheme", name_of(title.scheme)},
                {"dimension", static_cast<int>(model.dimension())},
                {"begin", restart.begin},
                {"interval", restart.interval},
                {"of", restart.of},
                {"earlier", sizes_json(restart.earlier)},
                {"t", summary.t_end},
                {"bodies", states_of_bodies(model, summary.end)},
                {"joints", static_cast<long>(model.description().joints.size())},
                {"memory", memory_json(summary.memory)},
                {"so_far", so_far_json(summary)}};
  if (restart.beginning)
    whole["beginning"] = {
        {"t", restart.beginning->t}, {"q", Json(restart.beginning->q)}, {"u", Json(restart.beginning->u)}};
  return whole;
}

}  // namespace carom::record
