// LZB and its compliant counterpart: outcomes of the paper's examples found by two independent integrators
// (tests/data/lzb.json), closed forms, and what must hold for every impact.

#include <fstream>
#include <numbers>

#include "json.h"
#include "support.h"

namespace carom::testing {
namespace {

ImpactProblem paper_problem(const Json& inputs) {
  const Matrix W = -to_matrix(inputs.at("W_approach"));
  ImpactProblem result = problem(MassMatrix::diagonal(to_vector(inputs.at("M"))), W, to_vector(inputs.at("v0")),
                                 to_vector(inputs.at("e")));
  for (std::size_t i = 0; i < result.contacts.size(); ++i) {
    result.contacts[i].k = inputs.at("K")[i];
    result.contacts[i].eta = inputs.at("eta")[i];
    result.contacts[i].E0 = inputs.at("E0")[i];
  }
  return result;
}

ImpactLaw law_of(const std::string& model, double tolerance) {
  if (model.starts_with("compliant")) return Compliant{.tolerance = tolerance};
  return Lzb{.stiffness = model.ends_with("mono-stiffness") ? Lzb::Stiffness::mono : Lzb::Stiffness::bi,
             .tolerance = tolerance};
}

class PaperExamples : public ::testing::TestWithParam<double> {};

TEST_P(PaperExamples, AreReproduced) {
  const double tolerance = GetParam();
  const double allowed = 10 * tolerance;
  Json document;
  std::ifstream(CAROM_SOURCE_DIR "/tests/data/lzb.json") >> document;
  ASSERT_EQ(document.at("cases").size(), 101U);
  for (const Json& given : document["cases"]) {
    SCOPED_TRACE(given.at("name").get<std::string>());
    const Json& expected = given.at("outputs");
    const ImpactProblem problem = paper_problem(given.at("inputs"));
    const ImpactOutcome outcome = solve(problem, law_of(given.at("model"), tolerance));
    ASSERT_TRUE(outcome.solved()) << outcome.message;
    EXPECT_TRUE(outcome.certificate.consistent);
    EXPECT_LE(outcome.certificate.relative.ledger, 1e-12);
    const Vector u = to_vector(expected["v_post"]), Lambda = to_vector(expected["P"]);
    const double speed = std::max(u.cwiseAbs().maxCoeff(), problem.u_minus.cwiseAbs().maxCoeff());
    EXPECT_VECTOR_NEAR(outcome.u_plus, u, allowed * speed);
    EXPECT_VECTOR_NEAR(outcome.Lambda, Lambda, allowed * Lambda.maxCoeff());
    EXPECT_VECTOR_NEAR(outcome.energy.dissipated_normal, to_vector(expected["dissipated"]),
                       allowed * outcome.energy.before);
    if (expected.at("collapsed")) {  // then the rest depends on where the infinite sequence is cut
      EXPECT_TRUE(outcome.history->collapsed || tolerance > 1e-6);
      continue;
    }
    const Vector peak = to_vector(expected["peak_force"]);
    EXPECT_VECTOR_NEAR(outcome.peak_force->cwiseQuotient(peak), Vector::Ones(peak.size()), allowed);
    if (tolerance > 1e-8) continue;
    const Vector peak_time = to_vector(expected["t_peak"]);
    EXPECT_VECTOR_NEAR(outcome.history->peak_time.cwiseQuotient(peak_time), Vector::Ones(peak.size()), 1e-7);
    EXPECT_NEAR(*outcome.duration, expected["duration"], 1e-7 * expected["duration"].get<double>());
    EXPECT_EQ(outcome.history->compressions, expected["n_compressions"].get<std::vector<long>>());
    EXPECT_EQ(outcome.history->reimpacts, expected["n_reimpacts"].get<std::vector<long>>());
  }
}

INSTANTIATE_TEST_SUITE_P(Lzb, PaperExamples, ::testing::Values(1e-9, 1e-6, 1e-3));

/// Three equal balls with linear contacts, the first hits the others at speed 1: modes of frequencies w and sqrt(3) w
/// until the contact of the first two opens, one mode after it.
TEST(Lzb, ThreeLinearBallsHaveAClosedForm) {
  const double k = 2.5, m = 1.7, w = std::sqrt(k / m), r = std::numbers::sqrt3;
  const auto s12 = [&](double t) { return (std::sin(w * t) + std::sin(r * w * t) / r) / (2 * w); };
  const auto s23 = [&](double t) { return (std::sin(w * t) - std::sin(r * w * t) / r) / (2 * w); };
  double low = 2 / w, high = 3 / w;  // the root of s12: sin a + sin(sqrt(3) a) / sqrt(3) = 0 at a = 2.5548
  for (int i = 0; i < 200; ++i) (s12(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
  const double opens = low;
  const double rate12 = (std::cos(w * opens) + std::cos(r * w * opens)) / 2;
  const double rate23 = (std::cos(w * opens) - std::cos(r * w * opens)) / 2;
  const double momentum = 1;  // u1 + u2 + u3
  const double u1 = (momentum + 2 * rate12 + rate23) / 3, u2 = u1 - rate12, u3 = u2 - rate23;
  // The last two part at once with sqrt(2) w: their relative motion keeps its energy.
  const double parting = std::sqrt(rate23 * rate23 + 2 * w * w * s23(opens) * s23(opens));
  const Vector expected = vector({u1, (u2 + u3 - parting) / 2, (u2 + u3 + parting) / 2});

  ImpactProblem given = chain(vector({m, m, m}), vector({1, 0, 0}), 1);
  for (Contact& contact : given.contacts) {
    contact.k = k;
    contact.eta = 1;
  }
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    const ImpactOutcome outcome = solve(given, Lzb{.tolerance = tolerance});
    EXPECT_VECTOR_NEAR(outcome.u_plus, expected, tolerance);
    EXPECT_VECTOR_NEAR(solve(given, Compliant{.tolerance = tolerance}).u_plus, expected, tolerance);
    const double phase = std::atan2(-rate23, std::numbers::sqrt2 * w * s23(opens));
    EXPECT_NEAR(*outcome.duration, opens + (std::numbers::pi / 2 - phase) / (std::numbers::sqrt2 * w), 1e2 * tolerance);
  }
}

TEST(Lzb, TwoHertzBallsHaveTheForceAndDurationOfHertz) {
  ImpactProblem given = chain(vector({0.3, 0.7}), vector({2, -1}), 1);
  given.contacts[0].k = 1e9;
  const double mass = 0.3 * 0.7, speed = 3;  // reduced
  const double depth = std::pow(5 * mass * speed * speed / (4 * 1e9), 0.4);
  const ImpactOutcome outcome = solve(given, Lzb{});
  EXPECT_NEAR((*outcome.peak_force)[0], 1e9 * std::pow(depth, 1.5), 1e-8 * (*outcome.peak_force)[0]);
  EXPECT_NEAR(*outcome.duration, 2.94327518431 * depth / speed, 1e-9 * *outcome.duration);
  EXPECT_VECTOR_NEAR(outcome.u_plus, vector({2 - 2 * 0.7 * speed, -1 + 2 * 0.3 * speed}), 1e-8);
}

TEST(Lzb, OneContactReturnsESquaredOfItsEnergyWhateverItsStiffness) {
  for (const double e : {0.0, 0.01, 0.5, 0.99, 1.0})
    for (const double eta : {1.0, 1.5, 2.2, 3.0})
      for (const Lzb::Stiffness stiffness : {Lzb::Stiffness::bi, Lzb::Stiffness::mono}) {
        ImpactProblem given = chain(vector({1, 2}), vector({1, 0}), e);
        given.contacts[0].eta = eta;
        const ImpactOutcome outcome = solve(given, Lzb{.stiffness = stiffness});
        EXPECT_NEAR(outcome.gamma_plus[0], e, 1e-9) << e << " " << eta;
        EXPECT_NEAR(outcome.energy.dissipated_normal[0], (1 - e * e) / 3, 1e-9);
      }
}

TEST(Lzb, AlmostPlasticIsNearlyPlastic) {
  for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
    const auto after = [&](double e) {
      const ImpactOutcome outcome = solve(chain(Vector::Ones(4), Vector::Unit(4, 0), e), Lzb{.tolerance = tolerance});
      EXPECT_TRUE(outcome.solved() && outcome.certificate.consistent) << e << " " << tolerance;
      return outcome.u_plus;
    };
    const Vector plastic = after(0);
    for (const double e : {1e-4, 1e-7, 1e-10, 1e-12, 1e-300})
      EXPECT_VECTOR_NEAR(after(e), plastic, 10 * (e + tolerance));
  }
}

TEST(Lzb, StoredEnergyIsReleased) {
  // A compressed contact between two bodies at rest: energy E0 drives them apart, less what e keeps.
  for (const Lzb::Stiffness stiffness : {Lzb::Stiffness::bi, Lzb::Stiffness::mono}) {
    ImpactProblem given = chain(vector({1, 1}), vector({0, 0}), 0.8);
    given.contacts[0].E0 = 2;
    const ImpactOutcome outcome = solve(given, Lzb{.stiffness = stiffness});
    EXPECT_NEAR(outcome.gamma_plus[0], 2 * 0.8 * std::sqrt(2.0), 1e-8);
    EXPECT_NEAR(outcome.energy.stored_before, 2, 0);
    EXPECT_NEAR(outcome.energy.dissipated(), 2 * (1 - 0.64), 1e-8);
    EXPECT_TRUE(outcome.certificate.consistent);
  }
}

TEST(Lzb, WavesThatMeetLeaveTheMiddleBallAtRest) {
  for (const Index balls : {5, 15, 101}) {
    Vector u = Vector::Zero(balls);
    u[0] = 1;
    u[balls - 1] = -1;
    for (const double e : {1.0, 0.9, 0.5, 0.0}) {
      if (balls > 15 && e < 0.9) continue;  // a cluster rattles there for long
      const ImpactOutcome outcome = solve(chain(Vector::Ones(balls), u, e), Lzb{.tolerance = 1e-8});
      ASSERT_TRUE(outcome.solved()) << outcome.message;
      EXPECT_LE(std::abs(outcome.u_plus[balls / 2]), 1e-14);
      EXPECT_LE((outcome.u_plus + outcome.u_plus.reverse()).cwiseAbs().maxCoeff(), 1e-14);
    }
  }
}

TEST(Lzb, LongChainCarriesTheSolitaryWave) {
  // Only the contacts near the front are followed; the last balls take what the wave of a shorter chain brought.
  const auto last = [](Index balls, double tolerance) {
    Vector u = Vector::Zero(balls);
    u[0] = 1;
    const ImpactOutcome outcome = solve(chain(Vector::Ones(balls), u, 1), Lzb{.tolerance = tolerance});
    EXPECT_TRUE(outcome.solved() && outcome.certificate.consistent);
    EXPECT_LE(outcome.cost.evaluations, 400 * balls);
    return Vector(outcome.u_plus.tail(3));
  };
  const Vector expected = last(60, 1e-10);
  EXPECT_VECTOR_NEAR(last(60, 1e-6), expected, 1e-6);
  EXPECT_VECTOR_NEAR(last(400, 1e-6), expected, 1e-6);
  EXPECT_VECTOR_NEAR(last(5000, 1e-6), expected, 1e-6);
}

/// What a wave leaves behind is followed with longer steps than the wave itself; with a path, everything with one step.
TEST(Lzb, LongRowsWithManyRatesAgreeWithOneRate) {
  constexpr double kTolerance = 1e-6;
  const auto expect_agreement = [&](const ImpactProblem& given) {
    const Lzb law{.tolerance = kTolerance};
    Path path;
    const ImpactOutcome many = solve(given, law), one = solve(given, law, &path);
    EXPECT_TRUE(many.solved() && many.certificate.consistent);
    EXPECT_TRUE(one.solved() && one.certificate.consistent);
    EXPECT_VECTOR_NEAR(many.u_plus, one.u_plus, kTolerance);
    EXPECT_VECTOR_NEAR(many.Lambda, one.Lambda, 10 * kTolerance);
    EXPECT_VECTOR_NEAR(many.energy.dissipated_normal, one.energy.dissipated_normal, kTolerance);
    EXPECT_VECTOR_NEAR(*many.peak_force, *one.peak_force, 1e-3 * one.peak_force->maxCoeff());
  };
  const Index balls = 301;
  const Vector falling = Vector::LinSpaced(balls, 1, 0.5);  // leaves a row of slightly compressed contacts
  expect_agreement(chain(falling, Vector::Unit(balls, 0), 1));
  expect_agreement(chain(falling.reverse(), Vector::Unit(balls, 0), 1));
  expect_agreement(chain(Vector::Ones(151), Vector::Unit(151, 0), 0.95));  // leaves a rattling cluster
}

/// A long row of equal balls, struck at one end, and some velocities found by following all of its impacts to 1e-8.
struct FollowedRow {
  Index balls;
  double e, first, middle, last;
};

TEST(Lzb, ALongRowThatCollapsesEndsAsIfAllItsImpactsWereFollowed) {
  const double together = 1.0 / 101;
  for (const FollowedRow& row :
       {FollowedRow{101, 0.8, together, together, together},
        FollowedRow{201, 0.9, -0.008670629409974762, 0.005043353147049956, 0.005043353147049893},
        FollowedRow{301, 0.95, -0.03960838047141846, 0.004103421268743301, 0.00413219881323877}}) {
    const ImpactProblem given = chain(Vector::Ones(row.balls), Vector::Unit(row.balls, 0), row.e);
    const ImpactOutcome outcome = solve(given, Lzb{.tolerance = 1e-6});
    ASSERT_TRUE(outcome.solved() && outcome.certificate.consistent) << row.balls;
    EXPECT_NEAR(outcome.u_plus[0], row.first, 1e-6) << row.balls;
    EXPECT_NEAR(outcome.u_plus[row.balls / 2], row.middle, 1e-6) << row.balls;
    EXPECT_NEAR(outcome.u_plus[row.balls - 1], row.last, 1e-6) << row.balls;
  }
}

TEST(Lzb, WhatIsForeseenOfACollapseSparesMostOfItsEvents) {
  const auto events = [](double tolerance) {
    const ImpactProblem given = chain(Vector::Ones(101), Vector::Unit(101, 0), 0.8);
    return *solve(given, Lzb{.tolerance = tolerance}).events;
  };
  EXPECT_LE(events(1e-7), 2 * events(1e-3));
}

TEST(Lzb, AnImpactThatIsWatchedTellsHowFarItIsAndEndsWhenAsked) {
  const ImpactProblem given = chain(Vector::Ones(60), Vector::Unit(60, 0), 0.5);
  Watch watch;
  SolveOptions options;
  options.watch = &watch;
  ASSERT_TRUE(solve(given, Lzb{}, nullptr, options).solved());
  EXPECT_GT(watch.spent.load(), 0);
  EXPECT_LT(watch.spent.load(), 1);
  watch.cancelled = true;
  for (const ImpactLaw& law : {ImpactLaw(Lzb{}), ImpactLaw(Compliant{.force = Compliant::Force::hunt_crossley})}) {
    const ImpactOutcome stopped = solve(given, law, nullptr, options);
    EXPECT_EQ(stopped.status, Status::iteration_limit);
    EXPECT_NE(stopped.message.find("told to stop"), std::string::npos) << stopped.message;
    EXPECT_TRUE(stopped.u_plus.allFinite());
  }
}

TEST(Lzb, WorkOnARowOfFallingMassesGrowsWithItsLength) {
  const auto evaluations = [](Index balls) {
    const ImpactProblem given = chain(Vector::LinSpaced(balls, 1, 0.5), Vector::Unit(balls, 0), 1);
    const ImpactOutcome outcome = solve(given, Lzb{.tolerance = 1e-6});
    EXPECT_TRUE(outcome.solved() && outcome.certificate.consistent);
    return static_cast<double>(outcome.cost.evaluations);
  };
  EXPECT_LE(evaluations(1201), 4 * 1.2 * evaluations(301));
}

TEST(Lzb, CountsItsPath) {
  Path path;
  const ImpactProblem given = chain(vector({1, 1, 1}), vector({1, 0, 0}), 0.9);
  const ImpactOutcome outcome = solve(given, Lzb{}, &path);
  ASSERT_GT(path.states.size(), 10U);
  EXPECT_EQ(path.states.front().time, 0);
  EXPECT_NEAR(path.states.back().time, *outcome.duration, 1e-12);
  EXPECT_VECTOR_NEAR(path.states.front().u, given.u_minus, 0);
  EXPECT_VECTOR_NEAR(path.states.back().u, outcome.u_plus, 1e-14);
  for (const Path::State& state : path.states) {
    const double energy = state.kinetic + state.stored.sum();
    EXPECT_LE(energy, 0.5 + 1e-9);
    EXPECT_GE(energy, outcome.energy.after - 1e-9);
    EXPECT_GE(state.force.minCoeff(), 0);
  }
}

TEST(Lzb, RefusesWhatItCannotUse) {
  ImpactProblem given = chain(vector({1, 1}), vector({1, 0}), 0.5);
  EXPECT_THROW(solve(given, Lzb{.tolerance = 0}), InputError);
  EXPECT_THROW(solve(given, Lzb{.tolerance = 0.5}), InputError);
  EXPECT_THROW(solve(given, Compliant{.tolerance = -1}), InputError);
  given.contacts[0].e = 1.1;
  EXPECT_THROW(solve(given, Lzb{}), InputError);
}

TEST(Compliant, AgreesWithLzbUntilAContactClosesAgain) {
  const ImpactProblem three = chain(vector({1, 1, 1}), vector({1, 0, 0}), 1);
  EXPECT_VECTOR_NEAR(solve(three, Compliant{}).u_plus, solve(three, Lzb{}).u_plus, 1e-9);
  ImpactProblem five = chain(vector({1, 0.5, 0.5, 0.5, 0.5}), vector({1, 0, 0, 0, 0}), 1);
  for (Contact& contact : five.contacts) contact.eta = 1;
  const ImpactOutcome compliant = solve(five, Compliant{}), lzb = solve(five, Lzb{});
  EXPECT_GT((compliant.u_plus - lzb.u_plus).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_TRUE(compliant.certificate.consistent);
}

}  // namespace
}  // namespace carom::testing
