// Outcomes of the papers' examples, found by independent solvers (tests/data/laws.json).

#include <Eigen/Eigenvalues>
#include <fstream>
#include <numbers>

#include "carom/analysis/admissible_set.h"
#include "carom/analysis/impulse_plane.h"
#include "carom/analysis/kinetic_metric.h"
#include "carom/analysis/restitution_matrix.h"
#include "carom/numerics/lcp.h"
#include "json.h"
#include "laws/one_contact_support.h"
#include "numerics/lemke.h"
#include "support.h"

namespace carom::testing {
namespace {

ImpactProblem problem_of(const Json& inputs) {
  const Matrix W = to_matrix(inputs.at("W"));
  Vector e = Vector::Zero(W.cols());
  if (inputs.contains("eps"))
    e = inputs["eps"].is_array() ? to_vector(inputs["eps"]) : Vector::Constant(W.cols(), inputs["eps"]);
  ImpactProblem result = problem(MassMatrix::dense(to_matrix(inputs.at("M"))), W, to_vector(inputs.at("u_minus")), e);
  if (inputs.contains("w_hat")) result.drift = to_vector(inputs["w_hat"]);
  return result;
}

void expect_outcome(const ImpactOutcome& outcome, const Json& expected, double tol) {
  ASSERT_TRUE(outcome.solved()) << outcome.message;
  EXPECT_VECTOR_NEAR(outcome.u_plus, to_vector(expected.at("u_plus")), tol);
  if (expected.contains("gamma_plus")) EXPECT_VECTOR_NEAR(outcome.gamma_plus, to_vector(expected["gamma_plus"]), tol);
  if (expected.contains("gamma_minus"))
    EXPECT_VECTOR_NEAR(outcome.gamma_minus, to_vector(expected["gamma_minus"]), tol);
  if (expected.contains("Lambda")) EXPECT_VECTOR_NEAR(outcome.Lambda, to_vector(expected["Lambda"]), tol);
  if (expected.contains("p")) EXPECT_VECTOR_NEAR(outcome.Lambda, to_vector(expected["p"]), tol);
  EXPECT_NEAR(outcome.energy.before, expected.at("T_minus"), tol);
  EXPECT_NEAR(outcome.energy.after, expected.at("T_plus"), tol);
}

void check_two_balls(const Json& inputs, const Json& outputs, double tol) {
  const ImpactOutcome outcome =
      solve(chain(vector({inputs["m1"], inputs["m2"]}), vector({inputs["v1"], inputs["v2"]}), inputs["eps"]), Newton{});
  EXPECT_VECTOR_NEAR(outcome.u_plus, to_vector(outputs["v_plus"]), tol);
  EXPECT_NEAR(outcome.Lambda[0], outputs["Lambda"], tol);
  EXPECT_NEAR(outcome.energy.after - outcome.energy.before, outputs["dT"], tol);
  EXPECT_NEAR(-outcome.energy.dissipated(), outputs["dT_eq8"], tol);
}

void check_newton_and_poisson(const Json& inputs, const Json& outputs, double tol) {
  if (inputs.contains("m1")) return check_two_balls(inputs, outputs, tol);
  ImpactProblem given = problem_of(inputs);
  if (!outputs.contains("newton") && !outputs.contains("inequality_form")) {
    expect_outcome(solve(given, Newton{}), outputs, tol);
    const ContactProblem reduced = reduce(given);
    EXPECT_NEAR(analysis::kinetic_angles(reduced)(0, 1), outputs.at("kinetic_angle"), tol);
    EXPECT_NEAR(reduced.G.coeff(0, 1), outputs.at("G12"), tol);
    return;
  }
  if (outputs.contains("newton")) expect_outcome(solve(given, Newton{}), outputs["newton"], tol);
  if (outputs.contains("poisson")) expect_outcome(solve(given, Poisson{}), outputs["poisson"], tol);
  if (outputs.contains("inequality_form")) expect_outcome(solve(given, Poisson{}), outputs["inequality_form"], tol);
  if (outputs.contains("newton_equal_eps1")) {
    for (Contact& contact : given.contacts) contact.e = 1;
    expect_outcome(solve(given, Newton{}), outputs["newton_equal_eps1"], tol);
  }
}

void check_moreau(const Json& inputs, const Json& outputs, double tol) {
  const ImpactProblem given = problem_of(inputs);
  expect_outcome(solve(given, Moreau{}), outputs, tol);
  expect_outcome(solve(given, Moreau{.e = inputs["eps"].get<double>()}), outputs, tol);
  EXPECT_VECTOR_NEAR(analysis::AdmissibleSet(given).max_dissipation(), to_vector(outputs["v"]), tol);
}

void check_generalized_kinematic(const Json& inputs, const Json& outputs, double tol) {
  const ImpactProblem given = problem_of(inputs);
  const Matrix E_n = to_matrix(inputs["E_n"]);
  const ImpactOutcome outcome = solve(given, GeneralizedKinematic{.E_n = E_n, .E_tan = {}});
  expect_outcome(outcome, outputs, tol);
  const ContactProblem reduced = reduce(given);
  EXPECT_VECTOR_NEAR(analysis::kinetic_normal_velocities(reduced, outcome.gamma_minus),
                     to_vector(outputs["qnorm_minus"]), tol);
  EXPECT_VECTOR_NEAR(analysis::kinetic_normal_velocities(reduced, outcome.gamma_plus), to_vector(outputs["qnorm_plus"]),
                     tol);
  if (outputs.contains("kinematic")) {
    EXPECT_EQ(outcome.certificate.relative.kinematic <= 1e-9, outputs["kinematic"].get<bool>());
    EXPECT_EQ(outcome.certificate.relative.kinetic <= 1e-9, outputs["kinetic"].get<bool>());
    EXPECT_EQ(outcome.certificate.relative.energetic <= 1e-9, outputs["energetic"].get<bool>());
  }
  if (outputs.contains("spectral_radius")) {
    const double radius = Eigen::EigenSolver<Matrix>(E_n).eigenvalues().cwiseAbs().maxCoeff();
    EXPECT_NEAR(radius, outputs["spectral_radius"], tol);
    EXPECT_FALSE(analysis::dissipativity(reduced, E_n).dissipative) << "a spectral radius below 1 is not enough";
  }
}

/// The rocking block: q = (x, y, theta), contact 1 at +L/2, contact 2 at -L/2, both at the bottom, and both tangents.
ImpactProblem block(double l, double L, double m) {
  Matrix W(3, 4);  // n1 t1 n2 t2
  W << 0, 1, 0, 1, 1, 0, 1, 0, L / 2, l / 2, -L / 2, l / 2;
  ImpactProblem result;
  result.M = MassMatrix::diagonal(vector({m, m, m * (l * l + L * L) / 12}));
  result.W = W.sparseView();
  result.contacts = {{.name = "B", .tangents = 1}, {.name = "A", .tangents = 1}};
  return result;
}

void check_generalized_kinematic_tan(const Json& inputs, const Json& outputs, double tol) {
  const double L = inputs["L"];
  ImpactProblem given = block(inputs["l_over_L"].get<double>() * L, L, inputs["m"]);
  given.u_minus = to_vector(outputs["u_minus"]);
  const Matrix E = to_matrix(inputs["E"]);
  const GeneralizedKinematic law{.E_n = E.topLeftCorner(2, 2), .E_tan = E.bottomRightCorner(1, 1)};
  const ImpactOutcome outcome = solve(given, law);
  EXPECT_VECTOR_NEAR(outcome.u_plus, to_vector(outputs["u_plus"]), tol);
  EXPECT_NEAR(outcome.Lambda[0], outputs["pn1"], tol);
  EXPECT_NEAR(outcome.Lambda[2], outputs["pn2"], tol);
  EXPECT_NEAR(outcome.Lambda[1] + outcome.Lambda[3], outputs["pt"], tol);
  EXPECT_NEAR(outcome.Lambda[1], outcome.Lambda[3], tol) << "two equal tangents share their impulse";
  EXPECT_FALSE(outcome.unique.tangential_impulse);
  EXPECT_TRUE(outcome.unique.impulse);
  EXPECT_LE(outcome.generalized_impulse.cwiseAbs().maxCoeff(), tol) << "the tangents carry all of it";
  EXPECT_NEAR(outcome.energy.before, outputs["T_minus"], tol);
  EXPECT_NEAR(outcome.energy.after, outputs["T_plus"], tol);
  EXPECT_NEAR(outcome.gamma_plus[3], outputs["vt_plus"], tol);

  // The same without tangents: the jump is a generalized impulse along x, and the velocities are the same.
  given.W = SparseMatrix(Matrix(given.W)(Eigen::all, std::vector<Index>{0, 2}).sparseView());
  for (Contact& contact : given.contacts) contact.tangents = 0;
  const ImpactOutcome generalized = solve(given, law);
  EXPECT_VECTOR_NEAR(generalized.u_plus, outcome.u_plus, tol);
  EXPECT_NEAR(generalized.generalized_impulse[0], outputs["pt"], tol);
  EXPECT_LE(generalized.certificate.relative.ledger, 1e-14);
}

void check_hybrid(const Json& inputs, const Json& outputs, double tol) {
  const double x = inputs["x"], m = inputs["m"], L = inputs["L"], e = inputs["eps_h"];
  const double b = inputs["beta1L"].get<double>() / L, sigma = inputs["sigma1"];
  const double mode = std::cosh(b * x) + std::cos(b * x) - sigma * (std::sinh(b * x) + std::sin(b * x));
  // A free beam with its first bending mode: coordinates height, tilt, mode.
  const ImpactProblem flexible = problem(MassMatrix::diagonal(vector({m, m * L * L / 12, m})),
                                         vector({1, x - L / 2, mode}), vector({-1, 0, 0}), vector({e}));
  const ImpactOutcome outcome = solve(flexible, Newton{});
  const double rigid_before = -1, rigid_after = outcome.u_plus[0] + (x - L / 2) * outcome.u_plus[1];
  EXPECT_NEAR(-rigid_after / rigid_before, outputs["eps_r"], tol);
  const double G_r = 1 / m + (x - L / 2) * (x - L / 2) * 12 / (m * L * L), G_f = mode * mode / m;
  EXPECT_NEAR(G_r, outputs["G_r"], tol);
  EXPECT_NEAR(G_f, outputs["G_f"], tol);
  EXPECT_NEAR(analysis::rigid_restitution(e, G_r, G_f), outputs["eps_r"], tol);
}

void check_admissible_set(const Json& inputs, const Json& outputs, double tol) {
  const ImpactProblem given = problem_of(inputs);
  const analysis::AdmissibleSet set(given);
  for (const auto& [name, expected] : outputs.items()) {
    SCOPED_TRACE(name);
    const analysis::Judgement judged = set.judge(to_vector(expected["u_plus"]));
    EXPECT_EQ(judged.kinematic, expected["kinematic"].get<bool>());
    EXPECT_EQ(judged.kinetic, expected["kinetic"].get<bool>());
    EXPECT_EQ(judged.energetic, expected["energetic"].get<bool>());
    EXPECT_VECTOR_NEAR(judged.impulse, to_vector(expected["Lambda"]), tol);
  }
  EXPECT_VECTOR_NEAR(set.max_dissipation(), to_vector(outputs["max_dissipation"]["u_plus"]), tol);
}

void check_lcp(const Json& inputs, const Json& outputs, double tol) {
  const Matrix A = to_matrix(inputs["A"]);
  const Vector b = to_vector(inputs["b"]);
  for (const numerics::LcpSolution& solution :
       {numerics::solve_lcp(A, b), numerics::solve_lcp(SparseMatrix(A.sparseView()), b), solve_lemke(A, b)}) {
    ASSERT_EQ(solution.status, numerics::LcpStatus::solved);
    EXPECT_VECTOR_NEAR(solution.x, to_vector(outputs["lam"]), tol);
    EXPECT_VECTOR_NEAR(solution.w, to_vector(outputs["y"]), tol);
  }
}

/// One contact with friction, from masses and directions or from its own matrix B alone.
ImpactProblem friction_problem(const Json& inputs) {
  const double mu = inputs.value("mu", 0.0), e = inputs["e"];
  if (inputs.contains("B")) return contact_alone(to_matrix(inputs["B"]), to_vector(inputs["c_minus"]), mu, e);
  ImpactProblem result;
  result.M = MassMatrix::dense(to_matrix(inputs["M"]));
  result.W = to_matrix(inputs["W"]).sparseView();
  result.u_minus = to_vector(inputs["u_minus"]);
  result.contacts = {{.name = "1", .tangents = 1, .e = e, .mu = mu}};
  return result;
}

void expect_impulse(const ImpactOutcome& outcome, const Json& expected, double tol) {
  ASSERT_TRUE(outcome.solved()) << outcome.message;
  EXPECT_VECTOR_NEAR(outcome.Lambda, vector({expected["Pn"], expected["Pt"]}), tol);
  EXPECT_VECTOR_NEAR(outcome.gamma_plus, to_vector(expected["c_plus"]), tol);
  EXPECT_NEAR(outcome.energy.after - outcome.energy.before, expected["dT"], tol);
}

void expect_course(const ImpactOutcome& outcome, const analysis::ImpulsePlane::Path& path, const Json& expected,
                   double tol) {
  ASSERT_TRUE(outcome.solved()) << outcome.message;
  EXPECT_VECTOR_NEAR(outcome.Lambda, vector({expected["Pn"], expected["Pt"]}), tol);
  EXPECT_VECTOR_NEAR(outcome.gamma_plus, vector({expected["cn"], expected["ct"]}), tol);
  if (expected.contains("u_plus")) EXPECT_VECTOR_NEAR(outcome.u_plus, to_vector(expected["u_plus"]), tol);
  EXPECT_NEAR(outcome.phases->compression_impulse, expected["Pc"], tol);
  EXPECT_NEAR(outcome.phases->compression_work, expected["Wc"], tol);
  EXPECT_NEAR(outcome.phases->restitution_work, expected["Wr"], tol);
  EXPECT_NEAR(-outcome.energy.dissipated_friction[0], expected["W_tangential"], tol);
  EXPECT_NEAR(outcome.energy.after - outcome.energy.before, expected["dT"], tol);
  const std::string mode = expected["mode"];
  EXPECT_EQ(outcome.mode, mode.substr(0, mode.find(' ')));

  EXPECT_EQ(path.mode, outcome.mode);
  EXPECT_NEAR(path.end[1], expected["Pt"], tol);
  EXPECT_EQ(path.e_newton.has_value(), !expected["e_N"].is_null());
  if (path.e_newton) {
    EXPECT_NEAR(*path.e_newton, expected["e_N"], tol);
  }
  EXPECT_NEAR(path.e_poisson.value(), expected["e_P"], tol);
  EXPECT_NEAR(path.e_stronge.value(), expected["e_S"], tol);
}

void check_planar_friction(const Json& inputs, const Json& outputs, double tol) {
  const ImpactProblem given = friction_problem(inputs);
  const analysis::ImpulsePlane plane = analysis::impulse_plane(given);
  for (const analysis::ImpulsePlane::Path& path : plane.paths) {
    const std::string name(word(path.restitution));
    SCOPED_TRACE(name);
    if (outputs.contains(name))
      expect_course(solve(given, Keller{.restitution = path.restitution}), path, outputs[name], tol);
  }
  if (outputs.contains("whittaker")) expect_impulse(solve(given, Whittaker{}), outputs["whittaker"], tol);
  if (outputs.contains("kane_levinson")) expect_impulse(solve(given, KaneLevinson{}), outputs["kane_levinson"], tol);
  if (outputs.contains("smith")) {
    ASSERT_EQ(outputs["smith"].size(), 1U);
    expect_impulse(solve(given, Smith{}), outputs["smith"][0], tol);
  }
  if (outputs.contains("brach_at_-mu")) {
    expect_impulse(solve(given, Brach{.capped = false, .moment = {}, .moment_directions = {}}), outputs["brach_at_-mu"],
                   tol);
    EXPECT_NEAR(plane.critical_ratio.value(), outputs["brach_at_-mu"]["mu_critical"], tol);
  }
}

void check_impulse_plane(const Json& inputs, const Json& outputs, double tol) {
  const analysis::ImpulsePlane plane = analysis::impulse_plane(friction_problem(inputs));
  const auto expect = [&](const auto& actual, const char* key) {
    for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], outputs[key][i], tol) << key;
  };
  expect(plane.sticking, "LS");
  expect(plane.compression, "LM");
  expect(plane.termination_newton, "LT_newton");
  expect(plane.sticks_compressed.value(), "point_B_LS_LM");
  expect(plane.sticks_at_end.value(), "point_A_LS_LTnewton");
}

/// A pendulum whose end hits a wall at an angle: its normal and its tangent are the same direction.
void check_friction_1dof(const Json& inputs, const Json& outputs, double tol) {
  const double alpha = inputs["alpha_deg"].get<double>() * std::numbers::pi / 180, l = inputs["l"];
  Matrix W(1, 2);
  W << l * std::sin(alpha), l * std::cos(alpha);
  ImpactProblem given;
  given.M = MassMatrix::diagonal(vector({inputs["Theta"]}));
  given.W = W.sparseView();
  given.u_minus = vector({inputs["phid_minus"]});
  given.contacts = {{.name = "1", .tangents = 1, .e = inputs["eps"], .mu = inputs["mu"]}};
  const bool jams = outputs["poisson"]["jam"];
  for (const auto restitution :
       {one_contact::Restitution::newton, one_contact::Restitution::poisson, one_contact::Restitution::stronge}) {
    const ImpactOutcome outcome = solve(given, Keller{.restitution = restitution});
    const Json& expected = outputs[std::string(word(restitution))];
    EXPECT_EQ(outcome.mode == "jam", jams);
    EXPECT_NEAR(outcome.u_plus[0], expected["phid_plus"], tol);
    EXPECT_NEAR(outcome.energy.after, expected["T_plus"], tol);
    if (!expected.contains("Lambda_Nc")) continue;
    EXPECT_NEAR(outcome.phases->compression_impulse, expected["Lambda_Nc"], tol);
    EXPECT_NEAR(outcome.phases->restitution_impulse, expected["Lambda_Ne"], tol);
  }
}

void check_tangential_restitution(const Json& inputs, const Json& outputs, double tol) {
  ImpactProblem given = friction_problem(inputs);
  given.contacts[0].e_t = inputs["e_t"];
  const ImpactOutcome outcome = solve(given, TangentialRestitution{});
  EXPECT_VECTOR_NEAR(outcome.Lambda, to_vector(outputs["P"]), tol);
  EXPECT_VECTOR_NEAR(outcome.gamma_plus, to_vector(outputs["c_plus"]), tol);
  EXPECT_NEAR(outcome.energy.after - outcome.energy.before, outputs["dT"], tol);
}

void check_moment_impulse(const Json& inputs, const Json& outputs, double tol) {
  const double m = inputs["m"], x = inputs["r"][0], y = inputs["r"][1];
  Matrix W(3, 2), rotation(1, 3);
  W << 0, 1, 1, 0, x, -y;
  rotation << 0, 0, 1;
  ImpactProblem given;
  given.M = MassMatrix::diagonal(vector({m, m, inputs["I"]}));
  given.W = W.sparseView();
  given.u_minus = to_vector(inputs["u_minus"]);
  given.contacts = {{.name = "1", .tangents = 1, .e = inputs["e"], .mu = std::abs(inputs["mu_ratio"].get<double>())}};
  const ImpactOutcome outcome =
      solve(given, Brach{.capped = false, .moment = vector({inputs["e_m"]}), .moment_directions = rotation});
  EXPECT_VECTOR_NEAR(outcome.Lambda, vector({outputs["Pn"], outputs["Pt"]}), tol);
  EXPECT_VECTOR_NEAR(outcome.generalized_impulse, vector({0, 0, outputs["M"]}), tol);
  EXPECT_VECTOR_NEAR(outcome.u_plus, to_vector(outputs["u_plus"]), tol);
  EXPECT_NEAR(outcome.energy.after - outcome.energy.before, outputs["dT"], tol);

  // The same velocities by restitution in all three directions.
  given.contacts[0].e_t = -outcome.gamma_plus[1] / outcome.gamma_minus[1];
  const ImpactOutcome same =
      solve(given, TangentialRestitution{.moment = vector({inputs["e_m"]}), .moment_directions = rotation});
  EXPECT_VECTOR_NEAR(same.u_plus, outcome.u_plus, tol);
  EXPECT_VECTOR_NEAR(same.generalized_impulse, outcome.generalized_impulse, tol);
}

TEST(Reference, EveryCaseOfThePapersIsReproduced) {
  std::ifstream file(CAROM_SOURCE_DIR "/tests/data/laws.json");
  const Json data = Json::parse(file);
  int count = 0;
  for (const Json& test : data.at("cases")) {
    SCOPED_TRACE(test["id"].get<std::string>());
    const std::string kind = test["kind"];
    const Json &inputs = test["inputs"], &outputs = test["outputs"];
    const double tol = test["tol"];
    ++count;
    if (kind == "newton" || kind == "poisson" || kind == "newton+poisson")
      check_newton_and_poisson(inputs, outputs, tol);
    else if (kind == "moreau")
      check_moreau(inputs, outputs, tol);
    else if (kind == "fremond")
      expect_outcome(solve(problem_of(inputs), Newton{.matrix = to_matrix(inputs["E"])}), outputs, tol);
    else if (kind == "generalized_kinematic")
      check_generalized_kinematic(inputs, outputs, tol);
    else if (kind == "generalized_kinematic_tan")
      check_generalized_kinematic_tan(inputs, outputs, tol);
    else if (kind == "hybrid_restitution")
      check_hybrid(inputs, outputs, tol);
    else if (kind == "admissible_set")
      check_admissible_set(inputs, outputs, tol);
    else if (kind == "lcp")
      check_lcp(inputs, outputs, tol);
    else if (kind == "planar_friction" || kind == "planar_friction_B")
      check_planar_friction(inputs, outputs, tol);
    else if (kind == "impulse_plane")
      check_impulse_plane(inputs, outputs, tol);
    else if (kind == "friction_1dof")
      check_friction_1dof(inputs, outputs, tol);
    else if (kind == "tangential_restitution")
      check_tangential_restitution(inputs, outputs, tol);
    else if (kind == "moment_impulse")
      check_moment_impulse(inputs, outputs, tol);
    else
      ADD_FAILURE() << "unknown kind " << kind;
  }
  EXPECT_EQ(count, 105);
}

}  // namespace
}  // namespace carom::testing
