#include "carom/base/error.h"
#include "carom/geometry/shapes/polytope.h"
#include "geometry_support.h"

namespace carom::geometry::testing {
namespace {

const std::string kTetrahedron =
    "# a corner of a cube\n"
    "o thing\n"
    "v 0 0 0\nv 1 0 0 1.0\nv 0 1 0\r\nv 0 0 1e0 # the top\n"
    "vn 0 0 1\nvt 0 0\nusemtl red\n"
    "f 1/1/1 3/1/1 2/1/1\nf 1//1 2//1 4//1\nf -4 -1 -2\nf 2 3 4\n";

std::string refusal(const std::string& text) {
  try {
    read_obj(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(GeometryObj, ATetrahedronWithAllNotations) {
  const Polytope shape = read_obj(kTetrahedron).solid;
  EXPECT_EQ(shape.corners.size(), 4U);
  EXPECT_EQ(shape.faces.size(), 4U);
  EXPECT_NEAR(mass_properties(shape, Dimension::space).volume, 1.0 / 6, 1e-15);
}

TEST(GeometryObj, TrianglesOfACubeBecomeSixFaces) {
  std::string text;
  for (int i = 0; i < 8; ++i)
    text += "v " + std::to_string(i & 1) + " " + std::to_string(i >> 1 & 1) + " " + std::to_string(i >> 2) + "\n";
  for (const char* face :
       {"1 5 7", "1 7 3", "2 4 8", "2 8 6", "1 2 6", "1 6 5", "3 7 8", "3 8 4", "1 3 4", "1 4 2", "5 6 8", "5 8 7"})
    text += std::string("f ") + face + "\n";
  const Polytope cube = read_obj(text).solid;
  EXPECT_EQ(cube.faces.size(), 6U);
  for (const auto& face : cube.faces) EXPECT_EQ(face.size(), 4U);
}

TEST(GeometryObj, MistakesAreNamedWithTheirLine) {
  EXPECT_EQ(refusal("v 0 0\n"), "line 1: a point has three coordinates");
  EXPECT_EQ(refusal("v 0 0 0\nv 0 x 0\n"), "line 2: 'x' is not a number");
  EXPECT_EQ(refusal("v 0 0 0\n\nf 1 2 3\n"), "line 3: a face names point 2, but 1 points are known here");
  EXPECT_EQ(refusal("v 0 0 0\nf 0 1 1\n"), "line 2: a face names point 0, but 1 points are known here");
  EXPECT_EQ(refusal("v 0 0 0\nf 1 1\n"), "line 2: a face has at least three corners");
  EXPECT_EQ(refusal("v 0 0 0\nf a 1 1\n"), "line 2: 'a' is not the number of a point");
  EXPECT_EQ(refusal("v nan 0 0\n"), "line 1: 'nan' is not a number");
  EXPECT_EQ(refusal(""), "the mesh has 0 points; a solid has 4");
  EXPECT_NE(refusal("v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\n").find("without volume"), std::string::npos);
}

TEST(GeometryObj, ADentedMeshIsRefused) {
  // The tetrahedron with a fifth point inside that replaces the slanted face by three.
  const std::string dented =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.2 0.2 0.2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 5\nf 3 4 5\nf 4 2 5\n";
  EXPECT_NE(refusal(dented).find("line 9: the mesh is not convex"), std::string::npos) << refusal(dented);
}

/// A box, its points counted from `first`.
std::string box(double x, double y, double width, double height, int first) {
  std::string text;
  for (int i = 0; i < 8; ++i)
    text += "v " + std::to_string(x + (i & 1) * width) + " " + std::to_string(y + (i >> 1 & 1) * height) + " " +
            std::to_string(i >> 2) + "\n";
  for (const auto& face :
       {std::array{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}) {
    text += "f";
    for (const int i : face) text += " " + std::to_string(first + i);
    text += "\n";
  }
  return text;
}

TEST(GeometryObj, ObjectsAreConvexPieces) {
  const std::string angle = "o foot\n" + box(0, 0, 3, 1, 1) + "o leg\n" + box(0, 1, 1, 2, 9);
  ASSERT_EQ(read_obj(angle).pieces, 2U);
  EXPECT_NEAR(mass_properties(read_obj(angle, 0).solid, Dimension::space).volume, 3, 1e-14);
  EXPECT_NEAR(mass_properties(read_obj(angle, 1).solid, Dimension::space).volume, 2, 1e-14);
  const std::string groups = "g foot\n" + box(0, 0, 3, 1, 1) + "g leg\n" + box(0, 1, 1, 2, 9);
  EXPECT_EQ(read_obj(groups).pieces, 2U);
}

TEST(GeometryObj, OfAMeshWithoutObjectsTheErrorTellsHowToSplitIt) {
  const std::string angle = box(0, 0, 3, 1, 1) + box(0, 1, 1, 2, 9);
  EXPECT_NE(refusal(angle).find("split it into convex pieces, each an object"), std::string::npos) << refusal(angle);
}

}  // namespace
}  // namespace carom::geometry::testing
