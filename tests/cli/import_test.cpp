#include "carom/robots/xml.h"
#include "cli/tool_in_a_folder.h"

namespace carom::testing {
namespace {

class ImportTool : public ToolInAFolder {
 protected:
  void SetUp() override {
    if (!robots::reads_xml()) GTEST_SKIP() << "this build reads no XML";
  }
  const std::string dog = "'" + std::string(CAROM_SOURCE_DIR) + "/examples/robots/quadruped.urdf'";
};

TEST_F(ImportTool, WritesASceneThatPassesTheCheckAndRuns) {
  EXPECT_EQ(carom("import " + dog + " --ground --above 0.01 --duration 0.05 --out dog.toml"), 0) << text("err");
  EXPECT_NE(text("err").find("14 bodies"), std::string::npos) << text("err");
  EXPECT_EQ(carom("run dog.toml --check"), 0) << text("err");
  EXPECT_EQ(carom("run dog.toml --out results --json"), 0) << text("err");
  EXPECT_GE(Json::parse(text("out"))["impacts"], 1);
}

TEST_F(ImportTool, WithoutAFilePrintsTheScene) {
  EXPECT_EQ(carom("import " + dog + " --quiet"), 0);
  EXPECT_EQ(text("out").rfind("# Made from quadruped.urdf", 0), 0u) << text("out");
  EXPECT_EQ(text("err"), "");
}

TEST_F(ImportTool, BadFilesAreOneLineAndNothingIsWritten) {
  write("bad.urdf", "<robot>\n<link name=\"a\"/>\n<link name=\"a\"/>\n</robot>");
  EXPECT_EQ(carom("import bad.urdf --out scene.toml"), 2);
  EXPECT_NE(text("err").find("bad.urdf:3:1:"), std::string::npos) << text("err");
  EXPECT_FALSE(fs::exists(folder_ / "scene.toml"));
  EXPECT_EQ(carom("import none.urdf"), 2);
  EXPECT_EQ(carom("import " + dog + " --pose knee"), 2);
  EXPECT_EQ(carom("import " + dog + " --pose knee=x"), 2);
  EXPECT_EQ(carom("import " + dog + " --pose knee=1"), 2);
  EXPECT_NE(text("err").find("front_left_knee"), std::string::npos) << text("err");
  EXPECT_EQ(carom("import " + dog + " --e 2"), 2);
}

}  // namespace
}  // namespace carom::testing
