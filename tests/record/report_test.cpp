// report.html: what the page gets of a run.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "carom/app/scene_run.h"
#include "carom/record/packed.h"
#include "carom/record/report_html.h"
#include "json.h"

namespace carom::testing {
namespace {

namespace fs = std::filesystem;

std::vector<float> unpacked(const std::string& text) {
  std::string bytes;
  unsigned value = 0;
  int bits = 0;
  for (const char letter : text) {
    const std::size_t digit =
        std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").find(letter);
    if (digit == std::string_view::npos) break;
    value = value << 6 | static_cast<unsigned>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(value >> bits & 255U);
  }
  std::vector<float> values(bytes.size() / 4);
  std::memcpy(values.data(), bytes.data(), values.size() * 4);
  return values;
}

TEST(Packed, TextOfBytesIsBase64) {
  EXPECT_EQ(record::base64(""), "");
  EXPECT_EQ(record::base64("M"), "TQ==");
  EXPECT_EQ(record::base64("Ma"), "TWE=");
  EXPECT_EQ(record::base64("Many"), "TWFueQ==");
}

TEST(Packed, FewNumbersAreKeptAndManyAreRoundedToTheirRange) {
  const std::vector<float> values = {0, 5, 1, 7, 4, 6};
  EXPECT_EQ(unpacked(record::packed_floats(values)), values);
  const Json table = Json::parse(record::packed_table(values, 2, 5).dump());
  EXPECT_EQ(table["low"], Json({0.0, 5.0}));
  EXPECT_EQ(table["high"], Json({4.0, 7.0}));
  EXPECT_EQ(table["uint16"], record::base64(std::string("\0\0\0\0\0\x40\xff\xff\xff\xff\0\x80", 12)));
}

TEST(Report, NothingInTheDataEndsItsElement) {
  const std::string page = record::page_with("<script>@CAROM_REPORT_DATA@</script>", record::Json{{"a", "</script>"}});
  EXPECT_EQ(page, "<script>{\"a\":\"\\u003c/script>\"}</script>");
}

/// Two balls on strings: one falls on the other.
Model two_balls() {
  Description description;
  for (int i = 0; i < 2; ++i) {
    Body ball;
    ball.name = "ball " + std::to_string(i);
    ball.parts.push_back({geometry::Sphere{0.1}, Pose{}});
    description.bodies.push_back(ball);
  }
  return Model(description);
}

Json frames_after(const Model& model, int states, int contacts) {
  record::ReportFrames frames(model);
  Placement placement;
  placement.poses.resize(2);
  placement.poses[1].position.x() = 1;
  placement.velocities.resize(2);
  placement.angular_velocities.resize(2);
  for (int i = 0; i < states; ++i) {
    State state = model.state(placement, 0.1 * i);
    state.q[0] = i;
    frames.state(model, state, Ledger{.kinetic = 1.0 * i});
    std::vector<ContactForce> forces(static_cast<std::size_t>(contacts));
    for (int j = 0; j < contacts; ++j) forces[j].force = j;
    frames.contacts(model, forces);
  }
  return Json::parse(frames.json(model).dump());
}

TEST(Report, KeepsEveryStateOfAShortRun) {
  const Json frames = frames_after(two_balls(), 7, 0);
  EXPECT_EQ(frames["times"].size(), 7U);
  EXPECT_EQ(frames["thinned"]["every"], 1);
  const std::vector<float> poses = unpacked(frames["poses"]["table"]["float32"]);
  ASSERT_EQ(poses.size(), 7U * 2 * 3);
  EXPECT_EQ(poses[6 * 6], 6);
  EXPECT_EQ(poses[6 * 6 + 3], 1);
  EXPECT_EQ(unpacked(frames["energies"]["table"]["float32"])[7 * 3], 3);
}

TEST(Report, FramesBesideAnImpactShowBodiesThatFlyMeanwhileWhereTheyAreThen) {
  const Model model = two_balls();
  record::ReportFrames frames(model);
  const State before{2, Vector::Zero(model.positions()), Vector::Zero(model.velocities())};
  const std::function<State(const State&)> completed = [](State state) {
    state.q[3] = 5;
    return state;
  };
  ImpactEvent event;
  event.t = 2;
  event.before = &before;
  event.completed = &completed;
  event.bodies = {0};
  event.u_after = Vector::Ones(3);
  frames.impact(model, event);
  const std::vector<float> poses = unpacked(Json::parse(frames.json(model).dump())["poses"]["table"]["float32"]);
  ASSERT_EQ(poses.size(), 2U * 2 * 3);
  EXPECT_EQ(poses[3], 5);
  EXPECT_EQ(poses[9], 5);
}

TEST(Report, ThinsALongRunEvenlyAndKeepsItsEnds) {
  for (const int states : {4001, 5000, 8001, 8002, 30'007}) {
    const Json frames = frames_after(two_balls(), states, 0);
    const std::size_t kept = frames["times"].size();
    EXPECT_LE(kept, 4000U);
    EXPECT_GE(kept, 2000U);
    EXPECT_EQ(frames["times"][0], 0);
    EXPECT_EQ(frames["times"][kept - 1], 0.1 * (states - 1));
    const int every = frames["thinned"]["every"];
    for (std::size_t i = 0; i + 1 < kept; ++i) ASSERT_EQ(frames["times"][i], 0.1 * (every * static_cast<int>(i)));
  }
}

TEST(Report, KeepsTheStrongestContacts) {
  const Json frames = frames_after(two_balls(), 200, 3000);
  const Json& counts = frames["contacts"]["counts"];
  ASSERT_EQ(counts.size(), 200U);
  const std::size_t each = counts[0];
  EXPECT_LE(each * 200, 100'000U);
  EXPECT_EQ(counts[199], each);
  const std::vector<float> contacts = unpacked(frames["contacts"]["table"]["float32"]);
  ASSERT_EQ(contacts.size(), each * 200 * 7);
  EXPECT_EQ(contacts[2], 2999);
  EXPECT_EQ(frames["thinned"]["contacts_left_out"], 200 * (3000 - static_cast<int>(each)));
}

/// A run of a scene, and the data of its page.
struct Shown {
  app::SceneRun run;
  Json data;
};
Shown shown(const std::string& scene, const std::vector<std::string>& settings) {
  const fs::path folder = fs::temp_directory_path() / ("carom_report_" + std::to_string(getpid()));
  const app::ReadyScene ready =
      app::read_scene(std::string(CAROM_SOURCE_DIR) + "/scenes/" + scene, {.law = {}, .settings = settings});
  Shown result{app::run_scene(ready, ready.scene.law, folder), {}};
  std::ifstream stream(folder / "report.html", std::ios::binary);
  const std::string page(std::istreambuf_iterator<char>(stream), {});
  const std::string before = "id=\"report-data\">";
  const std::size_t begin = page.find(before);
  if (begin != std::string::npos) {
    const std::size_t from = begin + before.size();
    result.data = Json::parse(page.substr(from, page.find("</script>", from) - from));
  }
  fs::remove_all(folder);
  return result;
}

TEST(Report, HasTheImpactsAndGoesInsideThem) {
  if (!record::has_report()) GTEST_SKIP() << "this build writes no reports";
  const auto [run, data] = shown("newtons_cradle.toml", {"duration=1"});
  EXPECT_EQ(data["format"], "carom-report/1");
  EXPECT_EQ(data["run"]["title"], "Newton's cradle");
  EXPECT_NE(data["run"]["text"].get<std::string>().find("[[chain]]"), std::string::npos);
  EXPECT_EQ(data["run"]["options"], Json({"--set duration=1"}));
  EXPECT_EQ(data["end"]["status"], "solved");
  EXPECT_EQ(data["scene"]["bodies"].size(), 5U);
  EXPECT_EQ(data["scene"]["shapes"].size(), 1U);
  EXPECT_EQ(data["scene"]["links"].size(), 5U);
  ASSERT_EQ(data["impacts"].size(), static_cast<std::size_t>(run.summary.impacts));
  const Json &first = data["impacts"][0], &inside = data["inside"][0];
  EXPECT_EQ(first["contacts"].size(), 4U);
  ASSERT_EQ(inside["number"], 1);
  EXPECT_LE(data["inside"].size(), 12U);
  // the impulse of a contact is the integral of its force, here by trapezoids
  const std::vector<float> times = unpacked(inside["times"]), force = unpacked(inside["force"]["float32"]);
  ASSERT_EQ(force.size(), 4 * times.size());
  for (std::size_t contact = 0; contact < 4; ++contact) {
    double impulse = 0;
    for (std::size_t i = 0; i + 1 < times.size(); ++i)
      impulse += 0.5 * (times[i + 1] - times[i]) * (force[4 * i + contact] + force[4 * i + 4 + contact]);
    EXPECT_NEAR(impulse, first["contacts"][contact]["impulse"], 2e-3 * impulse);
  }
}

TEST(Report, TheWaveThroughALongChainIsSeenAtEveryContact) {
  if (!record::has_report()) GTEST_SKIP() << "this build writes no reports";
  const Json data = shown("chain_of_beads.toml", {"chain[0].count=400", "duration=0.01"}).data;
  const Json& inside = data["inside"][0];
  const Json& table = inside["force"];
  ASSERT_EQ(inside["names"].size(), 300U);
  ASSERT_TRUE(table.contains("uint16")) << "so many numbers are packed";
  const std::vector<double> high = table["high"];
  const auto [least, most] = std::minmax_element(high.begin() + 10, high.end() - 10);
  EXPECT_GT(*least, 0.9 * *most) << "without losses a solitary wave has the same peak everywhere";
}

TEST(Report, IsLeftOutWhereTheSceneSaysSo) {
  const auto [run, data] = shown("bouncing_ball.toml", {"duration=0.5", "record.report=false"});
  EXPECT_TRUE(data.is_null());
  EXPECT_EQ(std::count(run.files.begin(), run.files.end(), "report.html"), 0);
}

}  // namespace
}  // namespace carom::testing
