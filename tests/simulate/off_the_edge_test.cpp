// Boxes that slide over the edge of a table: they tip, slide on over the edge and leave it with their last corner.

#include <fmt/format.h>

#include <cmath>

#include "simulate/running.h"
#include "support.h"

namespace carom::testing {

using namespace simulate;
namespace {

constexpr double kFallOfBoxes = 9.81;

struct SlidingBox {
  double mu, speed, width, height;
};

std::string planar_slide(const SlidingBox& slide) {
  return fmt::format(R"scene(
    gravity = 9.81
    duration = 0.45
    law = "newton"
    contact = {{mu = {}}}
    [[wall]]
    name = "table"
    shape = {{type = "box", size = [2, 0.1, 1]}}
    position = [-1, -0.05]
    [[body]]
    name = "box"
    shape = {{type = "box", size = [{}, {}, 0.1]}}
    density = 500
    position = [-0.6, {}]
    velocity = [{}, 0])scene",
                     slide.mu, slide.width, slide.height, slide.height / 2, slide.speed);
}

std::string spatial_slide(const SlidingBox& slide, double turn) {
  return fmt::format(R"scene(
    dimension = 3
    gravity = 9.81
    duration = 0.7
    law = "newton"
    contact = {{mu = {}}}
    [[wall]]
    name = "table"
    shape = {{type = "box", size = [2, 2, 0.1]}}
    position = [-1, 0, -0.05]
    [[body]]
    name = "box"
    shape = {{type = "box", size = [{}, 0.15, {}]}}
    density = 500
    position = [-0.6, 0, {}]
    orientation = {{axis = [0, 0, 1], angle = {}}}
    velocity = [{}, 0, 0])scene",
                     slide.mu, slide.width, slide.height, slide.height / 2, turn, slide.speed);
}

double opens_first(const Played& played) {
  for (const RunEvent& event : played.seen.events)
    if (event.kind == RunEvent::Kind::opens) return event.t;
  return std::nan("");
}

void expect_box_falls(const Played& played) {
  EXPECT_EQ(played.summary.status, RunStatus::solved)
      << played.summary.message << ", worst at " << played.summary.approximations.worst_time;
  EXPECT_TRUE(played.seen.forces.back().empty()) << "it has left the table";
  EXPECT_LT(std::abs(played.summary.ledger.error()), 1e-9);
}

/// Friction mu m g at its foot turns it forwards: it tips where its centre is mu h/2 before the edge.
double box_tips_at(const SlidingBox& slide) {
  const double way = 0.6 - 0.5 * slide.mu * slide.height, slowing = slide.mu * kFallOfBoxes;
  return (slide.speed - std::sqrt(slide.speed * slide.speed - 2 * slowing * way)) / slowing;
}

TEST(EventDrivenEdge, ABoxTipsBeforeItsCentreIsOverTheEdgeAndSlidesOffIt) {
  for (const SlidingBox& slide :
       {SlidingBox{0.3, 3, 0.2, 0.1}, SlidingBox{0.5, 4, 0.2, 0.1}, SlidingBox{0.3, 3, 0.1, 0.2}}) {
    const Played played = play(planar_slide(slide));
    expect_box_falls(played);
    EXPECT_EQ(played.summary.impacts, 0);
    EXPECT_NEAR(opens_first(played), box_tips_at(slide), 1e-9);
  }
}

TEST(EventDrivenEdge, ABoxInSpaceSlidesOffTheEdgeStraightOrAskew) {
  const SlidingBox straight{0.1, 1.5, 0.2, 0.1}, askew{0.2, 2.5, 0.2, 0.1};
  const Played played = play(spatial_slide(straight, 0));
  expect_box_falls(played);
  EXPECT_EQ(played.summary.impacts, 0);
  EXPECT_NEAR(opens_first(played), box_tips_at(straight), 1e-9);
  expect_box_falls(play(spatial_slide(askew, 10)));
}

/// A plate that leans on a rolling cylinder, which rolls out from under it: its end slides down the cylinder, edge
/// along axis, and it falls flat. In space the plate is a cylinder's two points wide, and does what it does in the
/// plane.
TEST(EventDrivenEdge, APlateSlidesOffARollingCylinderInSpaceAsInThePlane) {
  const std::string both = R"(
    gravity = 9.81
    duration = 0.6
    law = "newton"
    contact = {mu = 0.3}
    wall = [{name = "floor", shape = "plane"}])";
  const Played plane = play(both + R"(
    [[body]]
    name = "cylinder"
    shape = {type = "disc", radius = 0.1}
    mass = 10
    position = [0.4510708503662057, 0.1]
    velocity = [1, 0]
    angular_velocity = -10
    [[body]]
    name = "plate"
    shape = {type = "rectangle", size = [0.8, 0.02]}
    mass = 3
    position = [0.358296932197253, 0.1781103825666463]
    angle = 25)");
  for (const double width : {0.3, 0.6}) {  // narrower and wider than the cylinder
    const Played space = play(both + fmt::format(R"(
    dimension = 3
    [[body]]
    name = "cylinder"
    shape = {{type = "cylinder", radius = 0.1, length = 0.4}}
    mass = 10
    position = [0.4510708503662057, 0, 0.1]
    orientation = {{axis = [0, 0, 1], angle = 90}}
    velocity = [1, 0, 0]
    angular_velocity = [0, 10, 0]
    [[body]]
    name = "plate"
    shape = {{type = "box", size = [0.8, {}, 0.02]}}
    mass = 3
    position = [0.358296932197253, 0, 0.1781103825666463]
    orientation = {{axis = [0, 1, 0], angle = -25}})",
                                                 width));
    EXPECT_EQ(space.summary.status, RunStatus::solved) << space.summary.message;
    EXPECT_EQ(space.summary.impacts, plane.summary.impacts);
    const Vector &q = space.seen.states.back().q, &flat = plane.seen.states.back().q;
    EXPECT_NEAR(q[0], flat[0], 1e-8);
    EXPECT_NEAR(q[7], flat[3], 1e-8);
    EXPECT_NEAR(space.seen.ledger.back().dissipated_slip, plane.seen.ledger.back().dissipated_slip, 1e-6);
  }
}

}  // namespace
}  // namespace carom::testing
