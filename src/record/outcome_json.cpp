#include "carom/record/outcome_json.h"

namespace carom::record {
namespace {

Json residuals(const Certificate::Residuals& residuals) {
  return {{"dynamics", residuals.dynamics},   {"kinematic", residuals.kinematic},
          {"kinetic", residuals.kinetic},     {"complementarity", residuals.complementarity},
          {"energetic", residuals.energetic}, {"ledger", residuals.ledger}};
}

Json certificate(const ImpactOutcome& outcome) {
  Json result = residuals(outcome.certificate.absolute);
  const bool answered = outcome.u_plus.size() > 0;
  for (const char* key : {"dynamics", "kinematic", "kinetic", "complementarity", "energetic", "ledger"})
    if (!answered) result[key] = nullptr;
  result["consistent"] = outcome.certificate.consistent;
  if (!answered) return result;
  result["relative"] = residuals(outcome.certificate.relative);
  result["tolerance"] = outcome.certificate.tolerance;
  return result;
}

Json energy(const ImpactOutcome& outcome) {
  const Energy& energy = outcome.energy;
  Json result = {{"before", energy.before}, {"after", nullptr}, {"stored_before", energy.stored_before}};
  if (outcome.u_plus.size() == 0) {
    for (const char* key : {"wall_work", "dissipated", "dissipated_normal", "dissipated_friction"})
      result[key] = nullptr;
    return result;
  }
  result["after"] = energy.after;
  result["wall_work"] = energy.wall_work;
  result["dissipated"] = to_json(Vector(energy.dissipated_normal + energy.dissipated_friction));
  result["dissipated_normal"] = to_json(energy.dissipated_normal);
  result["dissipated_friction"] = to_json(energy.dissipated_friction);
  result["smooth_work"] = energy.smooth_work;
  result["dissipated_joints"] = energy.dissipated_joints;
  result["dissipated_generalized"] = energy.dissipated_generalized;
  return result;
}

/// One list per contact; empty if it is frictionless.
Json tangential_impulses(const ImpactOutcome& outcome, const std::vector<Contact>& contacts) {
  Json result = Json::array();
  for (std::size_t i = 0; i < outcome.row.size(); ++i) {
    const Vector along = outcome.tangential(outcome.Lambda, i);
    const bool smooth = i < contacts.size() && contacts[i].mu == 0 && along.isZero(0);
    result.push_back(smooth ? Json::array() : to_json(along));
  }
  return result;
}

}  // namespace

Json to_json(const Vector& values) {
  Json result = Json::array();
  for (const double value : values) result.push_back(value);
  return result;
}

Json to_json(const Matrix& values) {
  Json result = Json::array();
  for (Index i = 0; i < values.rows(); ++i) result.push_back(to_json(Vector(values.row(i))));
  return result;
}

namespace {

Json impulses(ImpactOutcome outcome, const Vector& Lambda, const Vector& u_plus, const std::vector<Contact>& contacts) {
  outcome.Lambda = Lambda;
  return {{"u_plus", to_json(u_plus)},
          {"impulse", to_json(outcome.normal(Lambda))},
          {"tangential_impulse", tangential_impulses(outcome, contacts)}};
}

Json solutions(const ImpactOutcome& outcome, const std::vector<Contact>& contacts) {
  Json result = Json::array();
  for (const SolutionSet& set : outcome.solutions) {
    Json one = impulses(outcome, set.Lambda, set.u_plus, contacts);
    one["modes"] = set.modes;
    if (!set.vertices.empty()) {
      one["vertices"] = Json::array();
      for (const SolutionSet::Corner& corner : set.vertices)
        one["vertices"].push_back(impulses(outcome, corner.Lambda, corner.u_plus, contacts));
      one["bounded"] = set.bounded;
    }
    result.push_back(std::move(one));
  }
  return result;
}

}  // namespace

Json to_json(const ImpactOutcome& outcome, const std::vector<Contact>& contacts) {
  const bool answered = outcome.u_plus.size() > 0;
  const auto answer = [&](const Vector& values) { return answered ? to_json(values) : Json(nullptr); };
  Json result = {{"format", "carom-outcome/1"},
                 {"law", outcome.law},
                 {"status", to_string(outcome.status)},
                 {"message", outcome.message}};
  result["u_plus"] = answer(outcome.u_plus);
  result["gamma_minus"] = to_json(outcome.normal(outcome.gamma_minus));
  result["gamma_plus"] = answer(outcome.normal(outcome.gamma_plus));
  result["impulse"] = answer(outcome.normal(outcome.Lambda));
  result["tangential_impulse"] = answered ? tangential_impulses(outcome, contacts) : Json(nullptr);
  if (outcome.generalized_impulse.size() > 0) result["generalized_impulse"] = to_json(outcome.generalized_impulse);
  const auto unique = [&](Claim claim) { return answered && claim.is_known() ? Json(bool(claim)) : Json(nullptr); };
  result["unique"] = {{"u_plus", unique(outcome.unique.u_plus)},
                      {"impulse", unique(outcome.unique.impulse)},
                      {"tangential_impulse", unique(outcome.unique.tangential_impulse)}};
  if (!outcome.solutions.empty()) result["solutions"] = solutions(outcome, contacts);
  result["energy"] = energy(outcome);
  result["certificate"] = certificate(outcome);
  result["duration"] = or_null(outcome.duration);
  result["peak_force"] = outcome.peak_force ? to_json(*outcome.peak_force) : Json(nullptr);
  result["events"] = or_null(outcome.events);
  if (outcome.history) {
    result["compressions"] = outcome.history->compressions;
    result["reimpacts"] = outcome.history->reimpacts;
    result["peak_time"] = to_json(outcome.history->peak_time);
    result["collapsed"] = outcome.history->collapsed;
  }
  if (!outcome.mode.empty()) result["mode"] = outcome.mode;
  if (outcome.phases) {
    result["compression"] = {{"impulse", outcome.phases->compression_impulse},
                             {"work", outcome.phases->compression_work}};
    result["restitution"] = {{"impulse", outcome.phases->restitution_impulse},
                             {"work", outcome.phases->restitution_work}};
  }
  if (outcome.works)
    result["work"] = {{"compression", to_json(outcome.works->compression)},
                      {"restitution", to_json(outcome.works->restitution)}};
  if (outcome.e_used.size() > 0) result["e_used"] = answer(outcome.e_used);
  if (outcome.restitution) {
    result["e_asked"] = Json::array();
    for (const std::optional<double>& asked : outcome.restitution->asked) result["e_asked"].push_back(or_null(asked));
    result["e_obtained"] = to_json(outcome.restitution->obtained);
  }
  if (outcome.effective_restitution) result["effective_restitution"] = *outcome.effective_restitution;
  if (outcome.losses)
    result["losses"] = {{"damping", to_json(outcome.losses->damping)},
                        {"loops", to_json(outcome.losses->loops)},
                        {"friction", to_json(outcome.losses->friction)}};
  if (!outcome.remarks.empty()) result["remarks"] = outcome.remarks;
  result["cost"] = {{"evaluations", outcome.cost.evaluations},
                    {"iterations", outcome.cost.iterations},
                    {"seconds", outcome.cost.seconds}};
  return result;
}

}  // namespace carom::record
