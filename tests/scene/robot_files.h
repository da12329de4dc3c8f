#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "carom/app/import.h"
#include "carom/base/error.h"
#include "carom/robots/xml.h"
#include "carom/scene/scene.h"

namespace carom::testing {

/// A test that imports robots from a folder of its own.
class RobotFiles : public ::testing::Test {
 protected:
  RobotFiles() : folder_(std::filesystem::temp_directory_path() / ("carom_robots_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~RobotFiles() override { std::filesystem::remove_all(folder_); }
  void SetUp() override {
    if (!robots::reads_xml()) GTEST_SKIP() << "this build reads no XML";
  }

  std::string write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file, std::ios::binary) << text;
    return (folder_ / file).string();
  }
  app::ImportedScene imported(const std::string& text, const app::ImportOptions& options = {}) const {
    return app::import_robot(write("robot.xml", text), options);
  }
  scene::Scene scene_of(const std::string& text, const app::ImportOptions& options = {}) const {
    return scene::parse_scene(imported(text, options).text, "robot.toml");
  }
  /// What the import of a text says is wrong; empty if nothing is.
  std::string error_of(const std::string& text, const app::ImportOptions& options = {}) const {
    try {
      imported(text, options);
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  }
  static bool has_note(const app::ImportedScene& scene, const std::string& part) {
    return std::any_of(scene.left_out.begin(), scene.left_out.end(),
                       [&](const std::string& note) { return note.find(part) != std::string::npos; });
  }

  std::filesystem::path folder_;
};

}  // namespace carom::testing
