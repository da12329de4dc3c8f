#include "carom/app/scene_run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "carom/app/compare.h"
#include "carom/record/report_page.h"
#include "json.h"

namespace carom::testing {
namespace {

namespace fs = std::filesystem;

/// A ball that bounces for a second, in the plane.
class SceneRunTest : public ::testing::Test {
 protected:
  SceneRunTest() : folder_(fs::temp_directory_path() / ("carom_app_" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "ball.toml", std::ios::binary)
        << "duration = 1\ngravity = 10\nlaw = \"newton\"\nrecord = {interval = 0.1}\ncontact = {e = 0.5}\n"
           "[[body]]\nname = \"ball\"\nshape = {type = \"disc\", radius = 0.1}\nmass = 1\nposition = [0, 1]\n"
           "[[wall]]\nname = \"floor\"\nshape = \"plane\"\n";
  }
  ~SceneRunTest() override { fs::remove_all(folder_); }

  app::ReadyScene ball(const std::vector<std::string>& settings = {}) const {
    return app::read_scene((folder_ / "ball.toml").string(), {.law = {}, .settings = settings});
  }
  std::string text(const std::string& file) const {
    std::ifstream stream(folder_ / file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  /// Cancels once t has been reached.
  struct CancelledAt {
    explicit CancelledAt(double t) : at(t) {}
    double at;
    std::atomic<bool> flag = false;
    app::Control control() {
      return {.progress = [this](const app::Progress& now) { flag = flag || now.t >= at; }, .cancelled = &flag};
    }
  };

  fs::path folder_;
};

const std::vector<std::string> kInSteps = {"scheme.name=time-stepping", "scheme.step=0.01"};

TEST_F(SceneRunTest, WritesItsFilesAndTellsTheSame) {
  const app::ReadyScene ready = ball();
  const app::SceneRun done = app::run_scene(ready, ready.scene.law, folder_ / "out");
  EXPECT_EQ(done.summary.status, RunStatus::solved);
  std::vector<std::string> files = {"summary.json", "trajectory.csv", "impacts.csv", "contacts.csv", "events.csv"};
  if (record::has_report()) files.emplace_back("report.html");
  files.emplace_back("restart.json");
  files.emplace_back("restart.bin");
  EXPECT_EQ(done.files, files);
  for (const std::string& file : done.files) EXPECT_TRUE(fs::exists(folder_ / "out" / file)) << file;
  EXPECT_EQ(text("out/summary.json"), done.document.dump(2) + "\n");
  const Json summary = Json::parse(text("out/summary.json"));
  EXPECT_EQ(summary["t_end"], 1);
  EXPECT_EQ(summary["impacts"], done.summary.impacts);
}

TEST_F(SceneRunTest, WithoutAFolderWritesNothing) {
  const app::ReadyScene ready = ball();
  const app::SceneRun done = app::run_scene(ready, ready.scene.law, "");
  EXPECT_EQ(done.summary.status, RunStatus::solved);
  EXPECT_TRUE(done.files.empty());
}

TEST_F(SceneRunTest, TellsHowFarItIs) {
  for (const std::vector<std::string>& settings : {std::vector<std::string>{}, kInSteps}) {
    std::vector<app::Progress> told;
    const app::ReadyScene ready = ball(settings);
    app::run_scene(ready, ready.scene.law, "",
                   {.progress = [&](const app::Progress& now) { told.push_back(now); }, .cancelled = nullptr});
    ASSERT_GT(told.size(), 3U);
    for (std::size_t i = 1; i < told.size(); ++i) EXPECT_GE(told[i].t, told[i - 1].t);
    EXPECT_NEAR(told.back().t, 1, 1e-12);
    EXPECT_EQ(told.back().duration, 1);
    EXPECT_EQ(told.back().law, "newton");
    EXPECT_GE(told.back().impacts, 1);
  }
}

TEST_F(SceneRunTest, EndsWhenCancelledWithWhatWasRecorded) {
  for (const std::vector<std::string>& settings : {std::vector<std::string>{}, kInSteps}) {
    CancelledAt half(0.5);
    const app::ReadyScene ready = ball(settings);
    const app::SceneRun done = app::run_scene(ready, ready.scene.law, folder_ / "half", half.control());
    EXPECT_EQ(done.summary.status, RunStatus::not_finished);
    EXPECT_TRUE(done.summary.message.starts_with("cancelled at t = 0.")) << done.summary.message;
    EXPECT_GE(done.summary.t_end, 0.5);
    EXPECT_LT(done.summary.t_end, 1);
    const Json summary = Json::parse(text("half/summary.json"));
    EXPECT_EQ(summary["status"], "not-finished");
    EXPECT_EQ(summary["message"], done.summary.message);
    const std::string whole = [&] {
      app::run_scene(ready, ready.scene.law, folder_ / "whole");
      return text("whole/trajectory.csv");
    }();
    const std::string part = text("half/trajectory.csv");
    EXPECT_GE(std::count(part.begin(), part.end(), '\n'), 6);
    EXPECT_TRUE(part.ends_with('\n') && whole.starts_with(part)) << "the same rows up to then";
  }
}

TEST_F(SceneRunTest, MayBeCancelledBeforeItBegins) {
  std::atomic<bool> cancelled = true;
  for (const std::vector<std::string>& settings : {std::vector<std::string>{}, kInSteps}) {
    const app::ReadyScene ready = ball(settings);
    const app::SceneRun done = app::run_scene(ready, ready.scene.law, "", {.progress = {}, .cancelled = &cancelled});
    EXPECT_EQ(done.summary.status, RunStatus::not_finished);
    EXPECT_EQ(done.summary.t_end, 0);
  }
}

TEST_F(SceneRunTest, RefusesBeforeAnythingIsWritten) {
  const app::ReadyScene ready = ball({"body[0].position=[0, 0]"});
  EXPECT_THROW(app::check_scene(ready), scene::ReadError);
  EXPECT_THROW(app::run_scene(ready, ready.scene.law, folder_ / "none"), scene::ReadError);
  EXPECT_THROW(app::compare_runs(ready, {"newton"}, folder_ / "none"), scene::ReadError);
  EXPECT_FALSE(fs::exists(folder_ / "none"));
}

TEST_F(SceneRunTest, ChecksASceneAndSaysWhatItsContactsHave) {
  const record::SceneCheck check = app::check_scene(ball());
  EXPECT_NE(record::check_text(check).find("ball - floor  0.5"), std::string::npos) << record::check_text(check);
  EXPECT_EQ(check.mobility(), 3);
}

TEST_F(SceneRunTest, ComparesLaws) {
  const app::ComparedRuns compared = app::compare_runs(ball(), {"newton", "moreau"}, folder_ / "laws");
  ASSERT_EQ(compared.runs.size(), 2U);
  EXPECT_EQ(compared.runs[1].title.law, "moreau");
  EXPECT_TRUE(compared.left_out.empty());
  EXPECT_TRUE(fs::exists(folder_ / "laws/moreau/summary.json"));
  EXPECT_THROW(app::compare_runs(ball(), {"newton", "newton"}, ""), InputError);
}

TEST_F(SceneRunTest, LeavesOutLawsThatHaveNotBegunWhenCancelled) {
  CancelledAt half(0.5);
  const app::ComparedRuns compared = app::compare_runs(ball(), {"newton", "moreau"}, "", half.control());
  ASSERT_EQ(compared.runs.size(), 1U);
  EXPECT_EQ(compared.runs[0].summary.status, RunStatus::not_finished);
  ASSERT_EQ(compared.left_out.size(), 1U);
  EXPECT_EQ(compared.left_out[0], "moreau is left out: cancelled before it began");
}

}  // namespace
}  // namespace carom::testing
