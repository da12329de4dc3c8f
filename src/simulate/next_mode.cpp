#include "carom/simulate/next_mode.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/impact/joints.h"
#include "carom/simulate/mode_search.h"

namespace carom::simulate {
namespace {

constexpr double kSlowSlip = 1e-9;    // of the speeds
constexpr double kTogether = 100;     // of slow slip: contacts that may come to rest with one that does
constexpr double kNoSlip = 1e-13;     // of the speeds: rounding, where slip changes its sign
constexpr double kNoForce = 1e-9;     // of the largest force: what a contact may seem to pull
constexpr double kFaint = 1e-3;       // of the typical force: floor of the largest
constexpr double kNoGain = 1e-12;     // of the accelerations around: those below it are none
constexpr double kJammed = 1e-3;      // response of a contact, relative, at which forces grow beyond all bounds
constexpr double kUnsure = 10;        // times the residual of the forces: neither
constexpr std::size_t kChanges = 3;   // of a contact where a mode is amended: it sticks, slips, opens
constexpr Index kRowsFromModes = 12;  // more of them are looked for from the modes before

/// The contacts at the level of accelerations.
struct Setting {
  ForceProblem problem;
  std::vector<Tangents> tangents;  // (pairs)
};

/// Friction that depends on the direction: along scaled tangents it does not.
void make_cones_round(const Mode& touching, ContactRows& rows, Vector& bias) {
  const auto is_round = [](const TangentialState& one) { return one.scale == Eigen::Vector2d(1, 1); };
  if (std::all_of(touching.tangential.begin(), touching.tangential.end(), is_round)) return;
  Vector scale = Vector::Ones(bias.size());
  for (std::size_t i = 0; i < touching.closed.size(); ++i)
    if (!is_round(touching.tangential[i])) scale.segment<2>(rows.row[i] + 1) = touching.tangential[i].scale;
  rows.W = SparseMatrix(rows.W * scale.asDiagonal());
  bias = bias.cwiseProduct(scale);
}

Setting setting_of(const Model& model, const State& state, const Mode& touching) {
  Setting result;
  std::vector<char> along;
  for (const TangentialState& tangential : touching.tangential) along.push_back(tangential.mu > 0);
  const Reactions free = react(model, state, {});
  ContactRows rows = contact_rows(model, state, touching.closed, along);
  Vector bias = contact_bias(model, state, touching.closed, along);
  make_cones_round(touching, rows, bias);
  const Joints joints(model.M(), joint_rows(model, state).J);
  result.problem.G = rows.W.transpose() * joints.project(model.M().solve(rows.W));
  result.problem.terms = rows.W.cwiseAbs().transpose() * free.acceleration.cwiseAbs() + bias.cwiseAbs();
  result.problem.b = rows.W.transpose() * free.acceleration + bias;
  for (std::size_t i = 0; i < touching.closed.size(); ++i) {
    const TangentialState& tangential = touching.tangential[i];
    numerics::FrictionCone cone{.row = rows.row[i], .tangents = 0, .mu = tangential.bound(), .least = 0, .slide = {}};
    result.tangents.push_back(tangents_of(touching.closed[i], model.dimension()));
    if (tangential.mu > 0) cone.tangents = static_cast<int>(result.tangents.back().cols());
    if (tangential.mu > 0 && tangential.mode == ContactMode::slip) {
      const TangentialState::Along heading =
          tangential.scaled_slip(result.tangents.back(), slip_direction(model, state, touching.closed[i], tangential))
              .normalized();
      for (Index t = 0; t < heading.size(); ++t) cone.slide[t] = heading[t];
    }
    result.problem.cones.push_back(cone);
  }
  return result;
}

/// The forces of the mode before, for the same contacts.
Vector carried(const Model& model, const State& state, const Mode& before, const Mode& touching,
               const Setting& setting) {
  Vector guess = Vector::Zero(setting.problem.b.size());
  if (before.empty()) return {};
  const Mode there = follow(model, state, before).mode;
  const Reactions reactions = react(model, state, there);
  if (!reactions.contacts.allFinite()) return {};
  for (std::size_t i = 0; i < touching.closed.size(); ++i)
    for (std::size_t j = 0; j < before.closed.size(); ++j) {
      if (!before.closed[j].same_as(touching.closed[i])) continue;
      const numerics::FrictionCone& cone = setting.problem.cones[i];
      guess[cone.row] = std::max(0.0, reactions.contacts[static_cast<Index>(j)]);
      if (cone.tangents > 0)
        guess.segment(cone.row + 1, cone.tangents) =
            touching.tangential[i].scaled_force(setting.tangents[i], reactions.friction[j]);
    }
  return guess;
}

/// The contact pairs that do not part, each at rest or slipping: at rest where its slip is slower than `slow`.
Mode candidates(const Model& model, const ContactRules& rules, const State& state,
                const std::vector<ContactPair>& touching, double parting, double slow) {
  Mode result;
  for (const ContactPair& pair : touching) {
    if (normal_velocity(model, state, pair) > parting) continue;
    TangentialState tangential = rubbing(rules.properties(pair.parts), pair, model.dimension());
    if (tangential.mu > 0) {
      const Vector3 slip = slip_velocity(model, state, pair);
      tangential = slip.norm() > slow ? tangential.slipping(slip.normalized(), false) : tangential.sticking();
    }
    result.add(pair, tangential);
  }
  return result;
}

/// Slip that is hardly one and turns round by `ahead`, if nothing changes, stops here.
void stop_turning(const Model& model, const State& state, const State& ahead, double together, Mode& mode) {
  if (model.dimension() != Dimension::plane || !(ahead.t > state.t)) return;
  const Tracked there = follow(model, ahead, mode);
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    if (mode.tangential[i].mode != ContactMode::slip || there.here[i] == 0) continue;
    const Vector3 slip = slip_velocity(model, state, mode.closed[i]);
    if (slip.norm() <= together && slip.dot(slip_velocity(model, ahead, there.mode.closed[i])) < 0)
      mode.tangential[i] = mode.tangential[i].sticking();
  }
}

struct Trial {
  FoundForces forces;
  Mode mode;
  State state;
  bool all_hold = false;  // every contact that was at rest stays so
};

double no_gain(const Setting& setting, const FoundForces& forces) {
  return std::max(kNoGain, kUnsure * forces.residual) * setting.problem.terms.maxCoeff();
}

/// Contacts at rest that even their holding friction mu_s does not hold slip, with mu. True if there are any: then the
/// others have other forces.
bool let_go(const Mode& touching, Setting& setting, const FoundForces& forces) {
  if (forces.kind != FoundForces::Kind::found) return false;
  bool some = false;
  for (std::size_t i = 0; i < touching.closed.size(); ++i) {
    numerics::FrictionCone& cone = setting.problem.cones[i];
    const TangentialState& tangential = touching.tangential[i];
    if (tangential.mode != ContactMode::stick || !(cone.mu > tangential.mu)) continue;
    if (forces.acceleration.segment(cone.row + 1, cone.tangents).norm() <= no_gain(setting, forces)) continue;
    cone.mu = tangential.mu;
    some = true;
  }
  return some;
}

/// The modes from which forces of many contacts are looked for: those before, and all others closed.
std::vector<ForceMode> modes_before(const Mode& touching, const Mode& before) {
  std::vector<ForceMode> result(touching.closed.size());
  for (std::size_t i = 0; i < result.size(); ++i)
    if (touching.tangential[i].mode == ContactMode::slip) result[i].kind = ForceMode::Kind::slips;
  if (before.empty()) return result;
  for (std::size_t i = 0; i < result.size(); ++i)
    if (std::none_of(before.closed.begin(), before.closed.end(),
                     [&](const ContactPair& pair) { return pair.same_as(touching.closed[i]); }))
      result[i].kind = ForceMode::Kind::open;
  return result;
}

/// Forces, and where they were found with the modes these.
struct ForcesAndModes {
  FoundForces forces;
  std::vector<ForceMode> modes;  // (pairs) or empty
};

ForcesAndModes forces_of(const Setting& setting, const Vector& guess) {
  return {find_forces(setting.problem, guess), {}};
}

ForcesAndModes forces_from_modes(Setting& setting, const Mode& touching, const Mode& before) {
  std::vector<ForceMode> start = modes_before(touching, before);
  for (;;) {
    std::optional<ForceModes> found = find_force_modes(setting.problem, start);
    if (!found) return {};
    ForcesAndModes result{{FoundForces::Kind::found, std::move(found->lambda), std::move(found->acceleration), 0},
                          std::move(found->modes)};
    if (!let_go(touching, setting, result.forces)) return result;
    start = result.modes;
  }
}

/// What forces found by iteration say of a contact.
ForceMode mode_of(const Setting& setting, const FoundForces& forces, std::size_t i, bool at_rest, double none) {
  const numerics::FrictionCone& cone = setting.problem.cones[i];
  if (forces.acceleration[cone.row] > none + setting.problem.G.coeff(cone.row, cone.row) * forces.lambda[cone.row])
    return {ForceMode::Kind::open};
  if (!at_rest) return {};
  const Vector gain = forces.acceleration.segment(cone.row + 1, cone.tangents);
  if (!(gain.norm() > none)) return {};
  ForceMode result{ForceMode::Kind::slips};
  result.along.head(gain.size()) = gain.normalized();
  return result;
}

/// Lets forces decide, and removes what is left of the velocities of contacts that come to rest.
Trial attempt(const Model& model, const State& state, const State& ahead, const Mode& touching, const Mode& before) {
  Trial result;
  const Tracked there = follow(model, ahead, touching);
  const State where = there.lost ? project_velocity(model, state, touching) : ahead;
  Setting setting = setting_of(model, where, there.lost ? touching : there.mode);
  ForcesAndModes found;
  if (setting.problem.b.size() > kRowsFromModes) found = forces_from_modes(setting, touching, before);
  if (found.modes.empty()) {
    const Vector guess = carried(model, where, before, touching, setting);
    found = forces_of(setting, guess);
    while (let_go(touching, setting, found.forces)) found = forces_of(setting, guess);
  }
  result.forces = std::move(found.forces);
  const double none = no_gain(setting, result.forces);
  result.all_hold = true;
  for (std::size_t i = 0; i < touching.closed.size(); ++i) {
    TangentialState tangential = touching.tangential[i];
    const bool at_rest = tangential.mode == ContactMode::stick;
    const ForceMode mode = found.modes.empty() ? mode_of(setting, result.forces, i, at_rest, none) : found.modes[i];
    if (mode.kind == ForceMode::Kind::open) {
      result.all_hold = result.all_hold && !at_rest;
      continue;
    }
    if (at_rest && mode.kind == ForceMode::Kind::slips) {
      const Index tangents = setting.tangents[i].cols();
      tangential = tangential.slipping(tangential.direction(setting.tangents[i], mode.along.head(tangents)), true);
      result.all_hold = false;
    }
    result.mode.add(touching.closed[i], tangential);
  }
  // Of those alone that stay at rest: where a mechanism is at its dead point, stopping a slip that is hardly one stops
  // or turns it all.
  result.state = project_velocity(model, state, result.mode);
  return result;
}

bool has_slower(const Model& model, const State& state, const Mode& mode, double slow, double together) {
  return std::any_of(mode.closed.begin(), mode.closed.end(), [&](const ContactPair& pair) {
    const double slip = slip_velocity(model, state, pair).norm();
    return slip > slow && slip <= together;
  });
}

/// What a unit of normal force does to the contact that answers least, with the friction of its slip, relative to what
/// it does without. At or below 0 friction presses the contact as fast as the normal force opens it: then there may be
/// no forces, or several.
double least_response(const ForceProblem& problem) {
  double least = 1;
  for (const numerics::FrictionCone& cone : problem.cones) {
    const double alone = problem.G.coeff(cone.row, cone.row);
    if (!cone.slides() || !(alone > 0)) continue;
    double response = alone;
    for (int t = 0; t < cone.tangents; ++t)
      response -= cone.mu * cone.slide[t] * problem.G.coeff(cone.row, cone.row + 1 + t);
    least = std::min(least, response / alone);
  }
  return least;
}

}  // namespace

double slow_slip(const Scales& scales) {
  return kSlowSlip * scales.speed;
}

double slip_of_rest(const Scales& scales) {
  return kTogether * slow_slip(scales);
}

NextMode next_mode(const Model& model, const ContactRules& rules, const State& state, const State& ahead,
                   const std::vector<ContactPair>& touching, const Mode& before, const Scales& scales, double slow) {
  const double stopped = slow_slip(scales), together = slip_of_rest(scales);
  Mode touching_now = candidates(model, rules, state, touching, slow, stopped);
  stop_turning(model, state, ahead, together, touching_now);
  NextMode result{FoundForces::Kind::found, {}, state, 0, false, false};
  if (touching_now.empty()) return result;
  Trial trial;
  bool decided = false;
  if (has_slower(model, state, touching_now, stopped, together)) {
    trial = attempt(model, state, ahead, candidates(model, rules, state, touching, slow, together), before);
    decided = trial.all_hold && trial.forces.kind == FoundForces::Kind::found;
  }
  if (!decided) trial = attempt(model, state, ahead, touching_now, before);
  result.kind = trial.forces.kind;
  result.slides = std::any_of(touching_now.tangential.begin(), touching_now.tangential.end(),
                              [](const TangentialState& tangential) { return tangential.mode == ContactMode::slip; });
  result.residual = trial.forces.residual;
  if (result.kind == FoundForces::Kind::none) return result;
  result.mode = std::move(trial.mode);
  result.state = std::move(trial.state);
  const Setting setting = setting_of(model, result.state, touching_now);
  if (least_response(setting.problem) <= 0 && enumerable(setting.problem))
    result.ambiguous = solve_by_modes(setting.problem).size() > 1;
  return result;
}

bool is_jamming(const Model& model, const State& state, const Mode& mode) {
  return !mode.empty() &&
         least_response(setting_of(model, state, follow(model, state, mode).found()).problem) <= kJammed;
}

Margins margins(const Model& model, const State& state, const Mode& mode, const Scales& scales, ForceOrder& order) {
  Margins result;
  BodyMotions bodies(model, state);
  const Tracked there = follow(model, state, bodies, mode);
  result.lost = there.lost;
  const Reactions reactions = react(model, state, bodies, there.mode, {}, order);
  const double largest = std::max(reactions.contacts.cwiseAbs().maxCoeff(), kFaint * scales.force());
  result.value.resize(2 * static_cast<Index>(mode.closed.size()));
  for (std::size_t i = 0; i < mode.closed.size(); ++i) {
    const Index k = 2 * static_cast<Index>(i);
    const TangentialState& tangential = mode.tangential[i];
    double inside = reactions.contacts[static_cast<Index>(i)];
    if (tangential.mode == ContactMode::stick)
      inside =
          tangential.mu_s * inside -
          tangential.scaled_force(tangents_of(there.mode.closed[i], model.dimension()), reactions.friction[i]).norm();
    result.value[k] = inside / largest + kNoForce;
    result.value[k + 1] = 1;
    if (tangential.mode != ContactMode::slip) continue;
    if (tangential.starting || model.dimension() == Dimension::plane)
      result.value[k + 1] = slip_velocity(model, state, there.mode.closed[i]).dot(tangential.heading) / scales.speed +
                            (tangential.starting ? kTogether * kSlowSlip : kNoSlip);
  }
  result.friction = reactions.friction;
  if (!result.value.allFinite()) result.lost = true;
  return result;
}

namespace {

bool is_lost(const Model& model, const State& state, const Mode& mode, std::size_t i) {
  return follow(model, state, {{mode.closed[i]}, {mode.tangential[i]}}).lost;
}

}  // namespace

std::optional<Mode> amended(const Model& model, const State& state, Mode mode, const Scales& scales) {
  std::vector<char> let_go(mode.closed.size(), 0);  // could not hold on
  const std::size_t most = kChanges * mode.closed.size();
  ForceOrder order;
  for (std::size_t change = 0; change <= most; ++change) {
    if (mode.empty()) return mode;
    Margins now = margins(model, state, mode, scales, order);
    if (!now.value.allFinite()) return std::nullopt;
    for (std::size_t k = 0; k < let_go.size(); ++k)
      if (let_go[k] != 0) now.value[2 * static_cast<Index>(k) + 1] = 1;
    if (now.least() >= 0) return mode;
    Index worst = 0;
    now.value.minCoeff(&worst);
    const std::size_t i = static_cast<std::size_t>(worst / 2);
    const auto release = [&](std::size_t k) {
      mode.closed.erase(mode.closed.begin() + static_cast<std::ptrdiff_t>(k));
      mode.tangential.erase(mode.tangential.begin() + static_cast<std::ptrdiff_t>(k));
      let_go.erase(let_go.begin() + static_cast<std::ptrdiff_t>(k));
    };
    if (now.lost) {
      std::size_t k = 0;
      while (k < mode.closed.size() && !is_lost(model, state, mode, k)) ++k;
      if (k == mode.closed.size()) return std::nullopt;
      release(k);
      continue;
    }
    TangentialState& tangential = mode.tangential[i];
    const double friction = now.friction[i].norm();
    if (worst % 2 == 1) {
      tangential = tangential.sticking();
    } else if (tangential.mode == ContactMode::stick && friction > 0) {
      const Tangents tangents = tangents_of(follow(model, state, mode).mode.closed[i], model.dimension());
      tangential = tangential.slipping(tangential.slip_against(tangents, now.friction[i]), true);
      let_go[i] = 1;
    } else {
      release(i);
    }
  }
  return std::nullopt;
}

}  // namespace carom::simulate
