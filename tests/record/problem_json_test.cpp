#include "carom/record/problem_json.h"

#include "carom/scene/json.h"
#include "carom/scene/problem_reader.h"
#include "support.h"

namespace carom::testing {
namespace {

scene::ProblemFile written_and_read(const ImpactProblem& problem, const ImpactLaw& law) {
  return scene::read_problem(scene::parse_json(record::problem_json(problem, law, "a step").dump(2), "p.json"));
}

/// A step of a slab on two corners that rub, a third that is still open, held by a joint, on a moving floor.
ImpactProblem slab_in_a_step() {
  ImpactProblem problem;
  Matrix M(3, 3);
  M << 2, 0.1, 0, 0.1, 1.5, 0, 0, 0, 0.7;
  problem.M = MassMatrix::dense(M);
  Matrix W(3, 5);
  W << 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, -1, 0.5, 1, 0.5, 0.2;
  problem.W = W.sparseView();
  problem.u_minus = vector({0.4, -1, 0.3});
  problem.p = vector({0, -0.02, 1.0 / 3});
  problem.drift = vector({0.1, 0, 0, 0.2, 0});
  problem.J = Matrix{{0.1}, {0}, {1}}.sparseView();
  problem.contacts = {{.name = "slab - floor", .tangents = 1, .e = 0.3, .mu = 0.5},
                      {.name = "slab - floor", .tangents = 1, .e = 0.3, .mu = 0.5},
                      {.name = "slab - wall", .gap_rate = 0.25}};
  return problem;
}

TEST(ProblemJson, ReadsBackAsTheSameProblemWithTheSameOutcome) {
  const ImpactProblem problem = slab_in_a_step();
  for (const ImpactLaw& law : {ImpactLaw(Newton{}), ImpactLaw(Poisson{})}) {
    const scene::ProblemFile file = written_and_read(problem, law);
    EXPECT_EQ(file.about, "a step");
    EXPECT_EQ(name_of(*file.law), name_of(law));
    EXPECT_EQ(file.problem.contacts[1].name, "slab - floor 2");
    EXPECT_EQ(file.problem.contacts[2].gap_rate, 0.25);
    const ImpactOutcome before = solve(problem, law), after = solve(file.problem, *file.law);
    ASSERT_TRUE(before.solved());
    EXPECT_EQ(before.u_plus, after.u_plus);
    EXPECT_EQ(before.Lambda, after.Lambda);
  }
}

TEST(ProblemJson, KeepsTheParametersOfTheLaw) {
  const ImpactProblem problem = chain(Vector::Ones(3), Vector::Unit(3, 0), 0.5);
  const Lzb lzb{.stiffness = Lzb::Stiffness::mono, .tolerance = 1e-7};
  EXPECT_EQ(record::law_json(ImpactLaw(lzb)),
            (record::Json{{"name", "lzb"}, {"stiffness", "mono"}, {"tolerance", 1e-7}}));
  const scene::ProblemFile file = written_and_read(problem, Moreau{.e = 0.25});
  EXPECT_EQ(std::get<Moreau>(*file.law).e, 0.25);
}

}  // namespace
}  // namespace carom::testing
