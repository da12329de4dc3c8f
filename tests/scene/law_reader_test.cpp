#include "carom/scene/law_reader.h"

#include <gtest/gtest.h>

#include "carom/scene/field.h"
#include "scene/reading.h"

namespace carom::scene {
namespace {

ImpactLaw law_from(std::string_view text) {
  const Document document = parse_json(text, "law.json");
  return read_law(root_of(document));
}

TEST(LawReader, EveryLawIsReadByItsNameAloneOrInAnObject) {
  for_each_law([](const auto& law) {
    const std::string name(law.name);
    EXPECT_EQ(name_of(law_from('"' + name + '"')), name);
    EXPECT_EQ(name_of(law_from("{\"name\": \"" + name + "\"}")), name);
  });
}

TEST(LawReader, Parameters) {
  const auto moreau = std::get<Moreau>(law_from(R"({"name": "moreau", "e": 0.25})"));
  EXPECT_EQ(moreau.e, 0.25);
  EXPECT_FALSE(std::get<Moreau>(law_from(R"("moreau")")).e);
  const auto kinematic = std::get<GeneralizedKinematic>(
      law_from(R"({"E_n": [[1, 2], [3, 4]], "name": "generalized-kinematic", "E_tan": 0.5})"));
  EXPECT_EQ(kinematic.E_n, (Matrix(2, 2) << 1, 2, 3, 4).finished());
  EXPECT_EQ(kinematic.E_tan, Matrix::Constant(1, 1, 0.5));
}

TEST(LawReader, AnEmptyMatrixIsTheDefault) {
  EXPECT_EQ(std::get<Newton>(law_from(R"({"name": "newton", "matrix": []})")).matrix.size(), 0);
}

/// Every type that a law's parameter may have.
TEST(LawReader, TypesOfParameters) {
  const Document document = parse_json(R"([0.5, true, "bi", [1, 2], [[1, 2], [3, 4]]])", "law.json");
  const Field root = root_of(document);
  EXPECT_EQ(value_of<double>(entry(root, 0)), 0.5);
  EXPECT_EQ(value_of<bool>(entry(root, 1)), true);
  EXPECT_EQ(value_of<std::string>(entry(root, 2)), "bi");
  EXPECT_EQ(value_of<Vector>(entry(root, 3)), Vector(Eigen::Vector2d(1, 2)));
  EXPECT_EQ(value_of<Matrix>(entry(root, 4)), (Matrix(2, 2) << 1, 2, 3, 4).finished());
  EXPECT_EQ(value_of<std::optional<double>>(entry(root, 0)), 0.5);
  EXPECT_EQ(value_of<std::optional<std::string>>(entry(root, 2)), "bi");
}

}  // namespace
}  // namespace carom::scene
