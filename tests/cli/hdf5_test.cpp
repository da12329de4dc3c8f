// run.h5 as other programs read it, against the CSV files of the same run.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "cli/tool_in_a_folder.h"

#ifdef CAROM_WITH_HDF5
#include <hdf5.h>
#endif

namespace carom::testing {
namespace {

class Hdf5 : public ToolInAFolder {
 protected:
  void run_cradle() {
    const std::string formats = "'record.formats=[\"csv\", \"hdf5\"]'";
    ASSERT_EQ(carom("run " + scenes + "newtons_cradle.toml' --set duration=3 --out a --set " + formats), 0)
        << text("err");
  }
};

#ifdef CAROM_WITH_HDF5

/// What a CSV file of a run has under each name.
std::map<std::string, std::vector<std::string>> columns_of(const std::string& csv) {
  const auto cells = [](const std::string& line) {
    std::vector<std::string> result;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) result.push_back(cell);
    return result;
  };
  std::istringstream stream(csv);
  std::string line;
  std::getline(stream, line);
  std::vector<std::string> names = cells(line);
  for (std::string& name : names) name = name.substr(0, name.find(" ["));
  std::map<std::string, std::vector<std::string>> columns;
  while (std::getline(stream, line)) {
    const std::vector<std::string> row = cells(line);
    for (std::size_t i = 0; i < row.size(); ++i) columns[names[i]].push_back(row[i]);
  }
  return columns;
}

class Reader {
 public:
  explicit Reader(const fs::path& path) : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {
    EXPECT_GE(file_, 0);
  }
  ~Reader() {
    EXPECT_EQ(H5Fget_obj_count(file_, H5F_OBJ_ALL), 1) << "all else is closed";
    H5Fclose(file_);
  }

  std::vector<hsize_t> shape(const std::string& name) const {
    const hid_t dataset = H5Dopen2(file_, name.c_str(), H5P_DEFAULT), space = H5Dget_space(dataset);
    std::vector<hsize_t> result(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, result.data(), nullptr);
    H5Sclose(space);
    H5Dclose(dataset);
    return result;
  }
  std::vector<double> numbers(const std::string& name) const {
    std::size_t size = 1;
    for (const hsize_t n : shape(name)) size *= n;
    std::vector<double> result(size);
    const hid_t dataset = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
    EXPECT_GE(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.data()), 0) << name;
    H5Dclose(dataset);
    return result;
  }
  std::string attribute(const std::string& object, const std::string& name) const {
    const hid_t attribute = H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = H5Aget_type(attribute);
    std::string result(H5Tget_size(type), '\0');
    H5Aread(attribute, type, result.data());
    H5Tclose(type);
    H5Aclose(attribute);
    return result;
  }
  std::string names() const {
    const hid_t dataset = H5Dopen2(file_, "body", H5P_DEFAULT), type = H5Dget_type(dataset);
    std::string result(H5Tget_size(type) * shape("body")[0], '\0');
    H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.data());
    H5Tclose(type);
    H5Dclose(dataset);
    return result;
  }

 private:
  hid_t file_;
};

TEST_F(Hdf5, HasTheStatesOfTheTrajectory) {
  run_cradle();
  EXPECT_NE(text("out").find("run.h5"), std::string::npos);
  const Reader run(folder_ / "a/run.h5");
  auto csv = columns_of(text("a/trajectory.csv"));
  const std::size_t states = csv["t"].size(), bodies = 5;
  ASSERT_EQ(run.shape("position"), (std::vector<hsize_t>{states, bodies, 3}));
  ASSERT_EQ(run.shape("orientation"), (std::vector<hsize_t>{states, bodies, 4}));
  EXPECT_EQ(run.names(), "ball 1ball 2ball 3ball 4ball 5");
  const std::vector<double> time = run.numbers("time"), position = run.numbers("position"),
                            velocity = run.numbers("velocity"), spin = run.numbers("angular_velocity"),
                            turn = run.numbers("orientation");
  for (std::size_t i = 0; i < states; ++i) {
    ASSERT_EQ(time[i], std::stod(csv["t"][i]));
    for (std::size_t body = 0; body < bodies; ++body) {
      const std::string name = "ball " + std::to_string(body + 1) + ".";
      const std::size_t at = (i * bodies + body) * 3;
      ASSERT_EQ(position[at], std::stod(csv[name + "x"][i]));
      ASSERT_EQ(position[at + 1], std::stod(csv[name + "y"][i]));
      ASSERT_EQ(velocity[at], std::stod(csv[name + "vx"][i]));
      ASSERT_EQ(spin[at + 2], std::stod(csv[name + "spin"][i]));
      ASSERT_NEAR(turn[(i * bodies + body) * 4], std::cos(std::stod(csv[name + "angle"][i]) / 2), 1e-15);
    }
  }
  for (const std::string energy : {"kinetic", "potential", "dissipated_impacts", "dissipated_dampers", "work"}) {
    const std::vector<double> values = run.numbers("energy/" + energy);
    ASSERT_EQ(values.size(), states);
    for (std::size_t i = 0; i < states; ++i) ASSERT_EQ(values[i], std::stod(csv[energy][i])) << energy;
  }
}

TEST_F(Hdf5, HasTheImpactsWithTheirImpulsesOneAfterTheOther) {
  run_cradle();
  const Reader run(folder_ / "a/run.h5");
  auto csv = columns_of(text("a/impacts.csv"));
  const std::size_t impacts = csv["t"].size();
  const std::vector<double> time = run.numbers("impacts/time"), offset = run.numbers("impacts/offset"),
                            contacts = run.numbers("impacts/contacts"), impulse = run.numbers("impacts/impulse"),
                            a = run.numbers("impacts/body_a"), b = run.numbers("impacts/body_b");
  ASSERT_EQ(time.size(), impacts);
  ASSERT_EQ(offset.size(), impacts + 1);
  ASSERT_EQ(offset.back(), impulse.size());
  for (std::size_t i = 0; i < impacts; ++i) {
    ASSERT_EQ(time[i], std::stod(csv["t"][i]));
    ASSERT_EQ(offset[i + 1] - offset[i], contacts[i]);
    std::istringstream listed(csv["impulse"][i]), between(csv["contacts"][i]);
    for (auto k = static_cast<std::size_t>(offset[i]); k < static_cast<std::size_t>(offset[i + 1]); ++k) {
      double value = 0;
      std::string name;
      listed >> value;
      std::getline(between, name, ';');
      ASSERT_EQ(impulse[k], value);
      const auto ball = [](double body) { return "ball " + std::to_string(static_cast<int>(body) + 1); };
      ASSERT_EQ(name, ball(a[k]) + "-" + ball(b[k]));
    }
  }
  for (const auto& [dataset, column] :
       {std::pair("energy_before", "energy_before"), std::pair("energy_after", "energy_after"),
        std::pair("dissipated", "dissipated")}) {
    const std::vector<double> values = run.numbers(std::string("impacts/") + dataset);
    for (std::size_t i = 0; i < impacts; ++i) ASSERT_EQ(values[i], std::stod(csv[column][i])) << dataset;
  }
  const std::vector<double> consistent = run.numbers("impacts/consistent");
  EXPECT_EQ(std::count(consistent.begin(), consistent.end(), 1.0),
            std::count(csv["consistent"].begin(), csv["consistent"].end(), "true"));
}

TEST_F(Hdf5, HasPointsAndVelocitiesOfImpactsAndEvents) {
  run_cradle();
  const Reader run(folder_ / "a/run.h5");
  auto csv = columns_of(text("a/impacts.csv"));
  const auto listed = [&](const std::string& column) {  // "x y;x y" of all rows, one after the other
    std::vector<double> result;
    for (std::string row : csv[column]) {
      std::replace(row.begin(), row.end(), ';', ' ');
      std::istringstream numbers(row);
      for (double value; numbers >> value;) result.push_back(value);
    }
    return result;
  };
  const auto in_the_plane = [&](const std::string& dataset) {
    std::vector<double> result;
    const std::vector<double> all = run.numbers("impacts/" + dataset);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (i % 3 != 2) result.push_back(all[i]);
    return result;
  };
  ASSERT_FALSE(listed("points").empty());
  EXPECT_EQ(in_the_plane("point"), listed("points"));
  EXPECT_EQ(in_the_plane("normal"), listed("normals"));
  EXPECT_EQ(run.numbers("impacts/duration"), listed("duration"));
  EXPECT_EQ(run.numbers("impacts/peak_force"), listed("peak_force"));
  for (const std::string when : {"before", "after"}) {
    std::vector<double> together;  // vx, vy, spin
    const std::vector<double> velocity = run.numbers("impacts/velocity_" + when),
                              spin = run.numbers("impacts/angular_velocity_" + when);
    for (std::size_t i = 0; i < velocity.size(); i += 3)
      together.insert(together.end(), {velocity[i], velocity[i + 1], spin[i + 2]});
    EXPECT_EQ(together, listed("velocities_" + when));
  }
  EXPECT_EQ(run.numbers("impacts/body_offset").back(), static_cast<double>(run.shape("impacts/body")[0]));
  const std::string events = text("a/events.csv");
  EXPECT_EQ(run.shape("events/kind")[0], std::count(events.begin(), events.end(), '\n') - 1);
  EXPECT_EQ(run.shape("events/time"), run.shape("events/detail"));
}

TEST_F(Hdf5, SaysWhatItIsAndGivesTheSameBytesAgain) {
  for (const char* out : {"a", "b"}) {
    ASSERT_EQ(
        carom("run " + scenes + "bouncing_ball.toml' --quiet --out " + out + " --set 'record.formats=[\"hdf5\"]'"), 0)
        << text("err");
    EXPECT_FALSE(fs::exists(folder_ / out / "trajectory.csv"));
    EXPECT_FALSE(fs::exists(folder_ / out / "impacts.csv"));
    if (out == std::string("a")) sleep(1);  // a time of making would differ
  }
  EXPECT_TRUE(text("a/run.h5") == text("b/run.h5"));
  const Reader run(folder_ / "a/run.h5");
  EXPECT_EQ(run.attribute("/", "format"), "carom-run/1");
  EXPECT_EQ(run.attribute("/", "title"), "Bouncing ball");
  EXPECT_EQ(run.attribute("/", "law"), "newton");
  EXPECT_EQ(run.attribute("/", "scheme"), "event-driven");
  for (const auto& [dataset, unit] :
       {std::pair("time", "s"), std::pair("position", "m"), std::pair("orientation", "1"), std::pair("velocity", "m/s"),
        std::pair("angular_velocity", "rad/s"), std::pair("energy/work", "J"), std::pair("impacts/impulse", "kg m/s")})
    EXPECT_EQ(run.attribute(dataset, "unit"), unit);
  EXPECT_EQ(run.shape("position")[1], 2u) << "the floor is a body too";
}

#else

TEST_F(Hdf5, IsRefusedBeforeTheFirstStepWhereItIsNotBuiltIn) {
  ASSERT_EQ(carom("run " + scenes + "bouncing_ball.toml' --set 'record.formats=[\"hdf5\"]'"), 2);
  EXPECT_NE(text("err").find("record.formats has \"hdf5\"; this tool was built without HDF5"), std::string::npos)
      << text("err");
  EXPECT_FALSE(fs::exists(folder_ / "results"));
}

#endif

}  // namespace
}  // namespace carom::testing
