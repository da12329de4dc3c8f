// Members of chains and grids, point masses, formulas of the state, tables from the command line.

#include <string>

#include "carom/scene/scene.h"
#include "scene/reading.h"
#include "support.h"

namespace carom::scene {
namespace {

Scene parsed(const std::string& text, const std::vector<std::string>& settings = {}) {
  return parse_scene(text, "s.toml", {std::nullopt, settings});
}

std::string refused(const std::string& text, const std::vector<std::string>& settings = {}) {
  try {
    parsed(text, settings);
  } catch (const ReadError& error) {
    return error.what();
  }
  return "";
}

const std::string kFourBalls =
    "duration = 1\nlaw = \"newton\"\n[[chain]]\nname = \"ball\"\ncount = 4\nshape = {type = \"sphere\", radius = 0.1}\n"
    "mass = 1\n";

TEST(Members, DifferFromTheirChainAndGrid) {
  const Scene chain =
      parsed(kFourBalls + "member = {2 = {mass = 3}, 4 = {shape = {type = \"sphere\", radius = 0.2}}}\n");
  EXPECT_EQ(chain.description.bodies[0].mass, 1);
  EXPECT_EQ(chain.description.bodies[1].mass, 3);
  EXPECT_NEAR(chain.placement.poses[3].position.x(), 0.1 + 0.2 + 0.2 + 0.1 + 0.2 - 0.1, 1e-15) << "they touch";
  const Scene grid = parsed(
      "duration = 1\nlaw = \"newton\"\n[[grid]]\nname = \"g\"\ncount = [2, 2]\nspacing = 1\nspeed = 2\nmass = 1\n"
      "shape = {type = \"disc\", radius = 0.1}\nmember = {3 = {mass = 5, velocity = [0, 0]}}\n");
  EXPECT_EQ(grid.description.bodies[2].mass, 5);
  EXPECT_EQ(grid.placement.velocities[2].norm(), 0);
  EXPECT_NEAR(grid.placement.velocities[3].norm(), 2, 1e-14);
}

TEST(Members, AreCountedFromOne) {
  for (const char* key : {"0", "5", "x", "1.5"}) {
    const std::string said = refused(kFourBalls + "member = {\"" + key + "\" = {mass = 3}}\n");
    EXPECT_NE(said.find("members are counted from 1 to 4"), std::string::npos) << key << said;
  }
  EXPECT_NE(refused(kFourBalls + "member = {1 = {position = [0, 0]}}\n").find("unknown key \"position\""),
            std::string::npos);
}

TEST(Inertia, MayBeZeroWhereNothingTurns) {
  const std::string slider =
      "duration = 1\n[[body]]\nname = \"a\"\nmass = 2\ninertia = 0\nshape = {type = \"disc\", radius = 1}\n";
  EXPECT_NE(refused(slider).find("s.toml:5:11: body[0].inertia is 0 about an axis that the body can turn about"),
            std::string::npos)
      << refused(slider);
  EXPECT_EQ(refused(slider + "[[joint]]\ntype = \"prismatic\"\nbody = \"a\"\naxis = [1, 0]\n"), "");
  const std::string wheel =
      "duration = 1\ndimension = 3\n[[body]]\nname = \"a\"\nmass = 2\ninertia = [0, 0, 3]\n[[joint]]\n"
      "type = \"revolute\"\nbody = \"a\"\nat = [0, 0, 0]\naxis = ";
  EXPECT_EQ(refused(wheel + "[0, 0, 1]\n"), "");
  EXPECT_NE(refused(wheel + "[0, 1, 1]\n"), "");
  EXPECT_EQ(parsed(wheel + "[0, 0, 1]\n").description.bodies[0].inertia(2, 2), 3);
}

TEST(Law, IsNeededOnlyWhereSomethingCanTouch) {
  const std::string one = "duration = 1\n[[body]]\nname = \"a\"\nshape = {type = \"disc\", radius = 1}\nmass = 1\n";
  EXPECT_EQ(refused(one), "");
  EXPECT_NE(refused(one + "[[wall]]\nshape = \"plane\"\nposition = [0, -5]\n").find("has no \"law\""),
            std::string::npos);
}

TEST(StateFormulas, NameBodiesAndWhatTheyHave) {
  const std::string one = "duration = 1\n[[body]]\nname = \"a\"\nmass = 1\n";
  EXPECT_EQ(refused(one + "[[force]]\nbody = \"a\"\nforce = [\"-3*a.x + [a].vy*0.5\", 0]\n"), "");
  EXPECT_NE(refused(one + "[[force]]\nbody = \"a\"\nforce = [\"-3*b.x\", 0]\n")
                .find("s.toml:7:14: force[0].force[0] = \"-3*b.x\": no body is named \"b\""),
            std::string::npos)
      << refused(one + "[[force]]\nbody = \"a\"\nforce = [\"-3*b.x\", 0]\n");
  EXPECT_NE(refused(one + "[[force]]\nbody = \"a\"\nforce = [\"a.z\", 0]\n")
                .find("a body here has no \"z\"; it has x, y, vx"),
            std::string::npos);
  EXPECT_NE(refused(one + "[stop]\nout = \"a.x\"\n").find("is no condition"), std::string::npos);
  EXPECT_NE(refused(one + "[stop]\nout = \"a.x > q\"\n").find("unknown name \"q\""), std::string::npos);
  EXPECT_NE(refused(one + "[stop]\nimpacts = 0\n"), "");
  EXPECT_NE(refused(one + "[stop]\nat_rest = -1\n"), "");
}

TEST(Settings, MayBeTables) {
  const Scene scene = parsed(kFourBalls, {"scheme={name = 'time-stepping', step = 1e-4}"});
  EXPECT_EQ(std::get<TimeStepping>(scene.scheme).step, 1e-4);
  EXPECT_NE(refused(kFourBalls, {"scheme={name = 'time-stepping' step}"}).find("is no table or list of TOML"),
            std::string::npos);
  EXPECT_NE(refused(kFourBalls, {"scheme={name = 'time-stepping', stepp = 1}"}).find("--set"), std::string::npos)
      << refused(kFourBalls, {"scheme={name = 'time-stepping', stepp = 1}"});
}

}  // namespace
}  // namespace carom::scene
