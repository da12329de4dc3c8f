// Contact forces of the papers, found by independent solvers (tests/data/contact_forces.json).

#include <cmath>
#include <fstream>

#include "carom/forces/viscous.h"
#include "json.h"
#include "support.h"

namespace carom::testing {
namespace {

using namespace forces;

/// One body on a wall.
ImpactProblem on_wall(double mass, double speed, Contact contact) {
  ImpactProblem result = problem(MassMatrix::diagonal(vector({mass})), vector({1}), vector({-speed}), vector({0}));
  contact.name = "wall";
  result.contacts = {std::move(contact)};
  return result;
}

double deepest(const Path& path) {
  double result = 0;
  for (const Path::State& state : path.states) result = std::max(result, state.indentation[0]);
  return result;
}

void check_hertz(const Json& in, const Json& out, double tol) {
  const double m = in["m"], v = in["v0"];
  const PowerLaw force(Contact{.k = in["k"], .eta = in["n"]});
  EXPECT_NEAR(force.deepest(v, m), out["delta_max"], tol);
  EXPECT_NEAR(force.law(force.deepest(v, m), 0, {}), out["F_max"], tol * out["F_max"].get<double>());
  EXPECT_NEAR(force.duration(v, m), out["duration"], tol);
  // Followed, with a damping of none.
  const ImpactOutcome outcome =
      solve(on_wall(m, v, {.k = in["k"], .eta = in["n"], .c = 0.0}), Compliant{.force = Compliant::Force::exact});
  EXPECT_NEAR(outcome.u_plus[0] / v, out["e"], tol);
  EXPECT_NEAR(*outcome.duration, out["duration"], tol);
  EXPECT_NEAR((*outcome.peak_force)[0], out["F_max"], tol * out["F_max"].get<double>());
}

void check_spring_dashpot(const Json& in, const Json& out, double tol) {
  for (const bool pulls : {false, true}) {
    const Compliant law{.force = Compliant::Force::spring_dashpot,
                        .end = pulls ? SpringDashpot::End::indentation : SpringDashpot::End::force};
    Path path;
    const ImpactOutcome outcome = solve(on_wall(in["m"], in["v0"], {.k = in["k"], .c = in["b"]}), law, &path);
    EXPECT_NEAR(outcome.u_plus[0] / in["v0"].get<double>(), out[pulls ? "e_delta0" : "e_F0"], tol);
    EXPECT_NEAR(outcome.restitution->obtained[0], out[pulls ? "e_delta0" : "e_F0"], tol);
    EXPECT_NEAR(*outcome.duration, out[pulls ? "t_delta0" : "t_F0"], tol);
    EXPECT_NEAR(deepest(path), out["delta_max"], tol);
    EXPECT_NEAR(path.states[0].force[0], out["F_initial"], tol);
  }
}

void check_hysteretic(const Json& in, const Json& out, double tol) {
  Hysteretic force(Contact{.e = out["e"], .k = in["k"], .eta = in["n"]});
  const double deep = in["delta_max"];
  const Memory turned = force.turn(deep, {});
  EXPECT_NEAR(turned.d_p, in["delta_p"], tol);
  EXPECT_NEAR(force.curve().loading.energy(deep) - force.stored(deep, turned), out["W_loss"], tol);
  const ImpactOutcome outcome = solve(on_wall(1, 1, {.e = out["e"], .k = in["k"], .eta = in["n"]}),
                                      Compliant{.force = Compliant::Force::hysteretic});
  EXPECT_NEAR(outcome.u_plus[0], out["e"], tol);
}

void check_hunt_crossley(const Json& out, double tol) {
  for (const Json& row : out["table"])
    if (row.contains("a_v0")) {
      EXPECT_NEAR(restitution_of_ratio(1.5 * row["a_v0"].get<double>()), row["e_exact"], tol);
    } else {
      const double e = row["e_nominal"];
      EXPECT_NEAR(HuntCrossley::ratio(e), row["d_HC"], tol);
      EXPECT_NEAR(LankaraniNikravesh::ratio(e), row["d_LN"], tol);
      EXPECT_NEAR(Exact::ratio(e), row["d_exact"], tol);
      EXPECT_NEAR(restitution_of_ratio(HuntCrossley::ratio(e)), row["e_HC"], tol);
      EXPECT_NEAR(restitution_of_ratio(LankaraniNikravesh::ratio(e)), row["e_LN"], tol);
    }
}

/// The bristle of a contact that is pressed with a constant force and dragged at given speeds, in small steps.
void check_bristle(const Json& in, const Json& out, double tol) {
  const Bristle bristle(Contact{.mu = in["mu"], .k_t = in["kf"]});
  const double most = bristle.mu * in["Fn"].get<double>(), k_t = bristle.stiffness(0);
  Json profile = in.contains("vt_profile") ? in["vt_profile"] : Json::array({Json::array({0, 1, in.value("vt", 0.0)})});
  for (const Json& at : out["Ft_at"]) {
    double T = 0;
    for (const Json& piece : profile) {
      const double from = piece[0], to = std::min(piece[1].get<double>(), at[0].get<double>());
      if (to > from) T = std::clamp(T - k_t * piece[2].get<double>() * (to - from), -most, most);
    }
    EXPECT_NEAR(-T, at[1], tol);
  }
}

void check_compliant(const Json& in, const Json& out, double tol) {
  Path path;
  const ImpactOutcome outcome = solve(on_wall(in["m"], in["v0"], {.k = in["k"], .eta = in["n"], .c = in["b"]}),
                                      Compliant{.force = Compliant::Force::hunt_crossley}, &path);
  EXPECT_NEAR(outcome.u_plus[0] / in["v0"].get<double>(), out["e"], tol);
  EXPECT_NEAR(*outcome.duration, out["duration"], tol);
  EXPECT_NEAR(deepest(path), out["delta_max"], tol);
}

void check_penalty(const Json& in, const Json& out, double tol) {
  for (std::size_t i = 0; i < in["k"].size(); ++i) {
    const PowerLaw force(Contact{.k = in["k"][i], .eta = 1});
    const double d = out["penetration"][i];
    EXPECT_NEAR(force.law(d, 0, {}), in["F"], tol * in["F"].get<double>());
    EXPECT_NEAR(force.stored(d, {}), out["stored_energy"][i], tol);
  }
}

TEST(ContactForces, EveryCaseOfThePapersIsReproduced) {
  std::ifstream file(CAROM_SOURCE_DIR "/tests/data/contact_forces.json");
  const Json data = Json::parse(file);
  for (const Json& test : data.at("cases")) {
    SCOPED_TRACE(test["id"].get<std::string>());
    const std::string kind = test["kind"];
    const Json &in = test["inputs"], &out = test["outputs"];
    const double tol = test["tol"];
    if (kind == "hertz")
      check_hertz(in, out, tol);
    else if (kind == "spring_dashpot")
      check_spring_dashpot(in, out, tol);
    else if (kind == "hysteretic_hertz")
      check_hysteretic(in, out, tol);
    else if (kind == "hunt_crossley")
      check_hunt_crossley(out, tol);
    else if (kind == "bristle")
      check_bristle(in, out, tol);
    else if (kind == "compliant_impact")
      check_compliant(in, out, tol);
    else if (kind == "penalty")
      check_penalty(in, out, tol);
    else
      ADD_FAILURE() << "unknown kind " << kind;
  }
  EXPECT_EQ(data["cases"].size(), 16U);
}

/// Two spheres or one and a rigid plane, Hertz: k from the moduli, d_max, F_max and duration.
TEST(ContactForces, ChungAndOoisSpheresIndentAsHertzSays) {
  struct Row {
    double k, mass, speed, deepest, force, duration;
  };
  const double pi = 3.14159265358979323846;
  const auto pair = [&](double E, double nu, double rho, double r, double speed) {
    const double modulus = E / (2 * (1 - nu * nu)), radius = r / 2, m = rho * 4 / 3 * pi * r * r * r;
    return Row{4.0 / 3 * modulus * std::sqrt(radius), m / 2, 2 * speed, 0, 0, 0};
  };
  const auto plane = [&](double E, double nu, double rho, double r, double speed) {
    return Row{4.0 / 3 * E / (1 - nu * nu) * std::sqrt(r), rho * 4 / 3 * pi * r * r * r, speed, 0, 0, 0};
  };
  const auto check = [](Row row, double d, double F, double tau) {
    Path path;
    const ImpactOutcome outcome =
        solve(on_wall(row.mass, row.speed, {.k = row.k, .c = 0.0}), Compliant{.force = Compliant::Force::exact}, &path);
    EXPECT_NEAR(deepest(path) / d, 1, 3e-4);
    EXPECT_NEAR((*outcome.peak_force)[0] / F, 1, 3e-4);
    EXPECT_NEAR(*outcome.duration / tau, 1, 3e-4);
  };
  check(pair(48e9, 0.2, 2800, 0.01, 10), 274.11e-6, 10.697e3, 40.34e-6);
  check(pair(20e9, 0.25, 2500, 0.01, 10), 368.30e-6, 7.108e3, 54.20e-6);
  check(plane(70e9, 0.3, 2699, 0.1, 0.2), 49.72e-6, 11.370e3, 731.7e-6);
  check(plane(40e9, 0.35, 1800, 0.1, 0.2), 52.12e-6, 7.233e3, 767.1e-6);
}

}  // namespace
}  // namespace carom::testing
