#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

namespace carom::testing {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// A test that runs the tool in a folder of its own.
class ToolInAFolder : public ::testing::Test {
 protected:
  ToolInAFolder() : folder_(fs::temp_directory_path() / ("carom_tool_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~ToolInAFolder() override { fs::remove_all(folder_); }

  /// Runs the tool in the folder of the test; standard error goes to the file err.
  int carom(const std::string& arguments) {
    const std::string command =
        "cd '" + folder_.string() + "' && '" + CAROM_TOOL + "' " + arguments + " >out 2>err </dev/null";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string text(const std::string& file) const {
    std::ifstream stream(folder_ / file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void write(const std::string& file, const std::string& content) const {
    std::ofstream(folder_ / file, std::ios::binary) << content;
  }

  const std::string scenes = "'" + std::string(CAROM_SOURCE_DIR) + "/scenes/";
  fs::path folder_;
};

}  // namespace carom::testing
