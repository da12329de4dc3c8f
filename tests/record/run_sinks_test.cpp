#include "carom/record/run_sinks.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "carom/record/hdf5_run.h"

namespace carom::testing {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_of(const std::vector<std::string>& formats) {
  const fs::path folder = fs::temp_directory_path() / ("carom_sinks_" + std::to_string(getpid()));
  Description description;
  Body ball;
  ball.name = "ball";
  ball.mass = 1;
  description.bodies.push_back(ball);
  const Model model(description);
  record::RunSinks sinks(formats, {}, model, folder);
  sinks.close();
  for (const std::string& file : sinks.files()) EXPECT_TRUE(fs::exists(folder / file)) << file;
  fs::remove_all(folder);
  return sinks.files();
}

TEST(RunSinks, AreThoseOfTheFormatsAndAlwaysHaveTheImpacts) {
  using Files = std::vector<std::string>;
  EXPECT_EQ(record::run_formats(), (std::vector<std::string_view>{"csv", "vtk", "hdf5"}));
  EXPECT_EQ(files_of({"csv"}), (Files{"trajectory.csv", "impacts.csv", "contacts.csv", "events.csv"}));
  EXPECT_EQ(files_of({"vtk"}), (Files{"impacts.csv", "states.pvd", "forces.pvd"}));
  EXPECT_EQ(files_of({}), (Files{"impacts.csv"}));
  if (!record::has_hdf5()) return;
  EXPECT_EQ(files_of({"hdf5", "vtk"}), (Files{"states.pvd", "forces.pvd", "run.h5"}));
  EXPECT_EQ(files_of({"hdf5", "csv"}),
            (Files{"trajectory.csv", "impacts.csv", "contacts.csv", "events.csv", "run.h5"}));
}

}  // namespace
}  // namespace carom::testing
