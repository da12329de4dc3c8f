// Pictures of geometry: pairs of bodies, corners, the rocking block, clouds of outcomes.

#include <gtest/gtest.h>

#include <cmath>

#include "carom/analysis/outcome_cloud.h"
#include "carom/record/block_svg.h"
#include "carom/record/corner_report.h"
#include "carom/record/outcomes_report.h"
#include "carom/record/pair_svg.h"
#include "geometry/geometry_support.h"
#include "support.h"

namespace carom::testing {
namespace {

/// A whole picture of numbers.
void expect_drawn(const std::string& svg) {
  EXPECT_TRUE(svg.starts_with("<svg"));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  for (const char* bad : {"nan", "inf"})
    for (std::size_t at = svg.find(bad); at != std::string::npos; at = svg.find(bad, at + 1))
      EXPECT_TRUE(std::isalpha(svg[at - 1]) || std::isalpha(svg[at + 3])) << svg.substr(at > 80 ? at - 80 : 0, 120);
}

TEST(GeometryPictures, EveryPairOfShapesIsDrawnAndTold) {
  namespace shapes = geometry::testing;
  shapes::Generator random(5);
  for (const geometry::Dimension dimension : {shapes::kPlane, shapes::kSpace})
    for (const geometry::Shape& a : shapes::shapes(random, dimension))
      for (const geometry::Shape& b : shapes::shapes(random, dimension)) {
        if (std::holds_alternative<geometry::HalfSpace>(a) && std::holds_alternative<geometry::HalfSpace>(b)) continue;
        record::PairReport report;
        report.dimension = dimension;
        report.names = {"a", "b"};
        report.bodies[0] = {.parts = {{a, {}}}, .pose = shapes::random_pose(random, dimension, 1)};
        report.bodies[1] = {.parts = {{b, {}}}, .pose = shapes::random_pose(random, dimension, 2)};
        report.pair = geometry::body_pair(report.bodies[0], report.bodies[1], dimension);
        report.modulus = 1e9;
        expect_drawn(record::pair_svg(report));
        EXPECT_NE(report.json().find("carom-distance/1"), std::string::npos);
        EXPECT_EQ(report.text().find("nan"), std::string::npos);
      }
}

TEST(GeometryPictures, CornersOfEveryAngleAreDrawn) {
  Random random(6);
  for (int i = 0; i < 60; ++i) {
    Matrix W(2, 2);
    W << 1, -1, 0, 1;
    const Vector masses = vector({std::pow(10, 6 * random.uniform() - 3), 1}), e = Vector::Constant(2, i % 3 / 2.0);
    const ImpactProblem problem =
        testing::problem(MassMatrix::diagonal(masses), W, vector({random.uniform() - 0.7, -2}), e);
    const ContactProblem contacts = reduce(problem);
    const record::CornerReport report{contacts, analysis::corner(contacts)};
    expect_drawn(report.svg());
    EXPECT_NE(report.json().find("carom-geodesic/1"), std::string::npos);
    EXPECT_NE(report.text().find("hit first"), std::string::npos);
  }
}

TEST(GeometryPictures, EdgesAreDrawnAtEveryAngleAndWithEveryLoss) {
  for (const double along : {0.0, 1e-9, 0.3, 1.0, 1e3})
    for (const double e : {0.0, 0.5, 1.0}) {
      const ImpactProblem problem =
          testing::problem(MassMatrix::diagonal(vector({1, 2})), vector({0, 1}), vector({along, -1}), vector({e}));
      const ContactProblem contacts = reduce(problem);
      const record::CornerReport report{contacts, analysis::corner(contacts)};
      expect_drawn(report.svg());
      EXPECT_NE(report.json().find("incidence"), std::string::npos);
      EXPECT_NE(report.text().find("edge"), std::string::npos);
    }
}

TEST(GeometryPictures, BlocksOfEverySlendernessAreDrawn) {
  for (const double slenderness : {1e-3, 0.3, 0.70710678, 1.0, 1.41421356237, 2.0, 4.0, 17.0, 1e3})
    expect_drawn(record::block_svg(analysis::RockingBlock(1, slenderness, 1), {0, 0.3, 1.2}));
  EXPECT_THROW(record::block_svg(analysis::RockingBlock(1, 1, 1), std::vector<double>(7, 0.1)), InputError);
}

/// Two contacts without friction: the plane of their normals; else a strip for each contact.
TEST(GeometryPictures, TheCloudOfTwoContactsIsInTheAdmissibleSet) {
  const ImpactProblem three = chain(Vector::Ones(3), vector({1, 0, 0}), 0.9);
  const analysis::OutcomeCloud cloud = analysis::outcome_cloud(three, Lzb{}, {.samples = 20});
  const record::OutcomesReport report{three, cloud, {}, {{"a law", vector({0, 0, 1})}}};
  const std::string svg = report.svg();
  expect_drawn(svg);
  EXPECT_NE(svg.find("kinetic angle 60.0"), std::string::npos);
  EXPECT_NE(svg.find("1: a law"), std::string::npos);
  const ImpactProblem four = chain(Vector::Ones(4), vector({1, 0, 0, 0}), 0.9);
  const analysis::OutcomeCloud larger = analysis::outcome_cloud(four, Lzb{}, {.samples = 5});
  EXPECT_NE(record::OutcomesReport({four, larger, {}}).svg().find("at each contact"), std::string::npos);
}

}  // namespace
}  // namespace carom::testing
