// The tool as scripts see it: what it prints where, and its exit codes.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct Result {
  int exit = -1;
  std::string out;
};

/// Runs a shell command; standard error goes where the command sends it.
Result shell(const std::string& command) {
  Result result;
  FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) result.out.append(buffer.data(), n);
  const int status = pclose(pipe);
  result.exit = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

const std::string tool = std::string("'") + CAROM_TOOL + "' ";
const std::string examples = std::string(CAROM_SOURCE_DIR) + "/examples/";

TEST(Tool, SolvesAnImpactForPeopleAndForScripts) {
  const Result text = shell(tool + "impact '" + examples + "newtons_cradle.json'");
  EXPECT_EQ(text.exit, 0);
  EXPECT_NE(text.out.find("consistent: nothing penetrates"), std::string::npos);
  const Result json =
      shell(tool + "impact '" + examples + "newtons_cradle.json' --json --law poisson --set e=0.5 2>/dev/null");
  EXPECT_EQ(json.exit, 0);
  const Json outcome = Json::parse(json.out);
  EXPECT_EQ(outcome["law"], "poisson");
  EXPECT_NEAR(outcome["u_plus"][4], 0.3, 1e-12);
}

TEST(Tool, ReadsStandardInput) {
  const Result piped = shell("cat '" + examples + "three_balls.json' | " + tool + "impact - --json");
  EXPECT_EQ(piped.exit, 0);
  EXPECT_NEAR(Json::parse(piped.out)["u_plus"][2], 1, 1e-12);
  const Result compared =
      shell("cat '" + examples + "three_balls.json' | " + tool + "compare - --laws newton,poisson,moreau --json");
  EXPECT_EQ(compared.exit, 0);
  EXPECT_EQ(Json::parse(compared.out)["outcomes"].size(), 3U);
}

TEST(Tool, KeepsTheFilesParametersOnlyForItsOwnLaw) {
  const Json own = Json::parse(shell(tool + "impact '" + examples + "three_balls.json' --json --law newton").out);
  EXPECT_NEAR(own["u_plus"][2], 1, 1e-12);
  const Json other = Json::parse(shell(tool + "impact '" + examples + "three_balls.json' --json --law moreau").out);
  EXPECT_NEAR(other["u_plus"][2], 2.0 / 3, 1e-12);
}

TEST(Tool, ComparesAllLawsThatApply) {
  const Result text = shell(tool + "compare '" + examples + "newtons_cradle.json'");
  EXPECT_EQ(text.exit, 0);
  EXPECT_NE(text.out.find("generalized-kinematic is left out"), std::string::npos);
  EXPECT_EQ(shell(tool + "compare '" + examples + "newtons_cradle.json' --laws newton,newtom 2>&1").exit, 2);
}

TEST(Tool, SaysNoWithExitCodeOneAndADocument) {
  const Result none = shell(tool + "impact '" + examples + "pinched_ball.json' --json");
  EXPECT_EQ(none.exit, 1);
  EXPECT_EQ(Json::parse(none.out)["status"], "no-solution");
}

TEST(Tool, JudgesCandidates) {
  const Result judged = shell(tool + "admissible '" + examples + "rocking_rod.json' --json --samples 5");
  EXPECT_EQ(judged.exit, 0);
  const Json json = Json::parse(judged.out);
  EXPECT_TRUE(json["candidates"][0]["energetic"].get<bool>());
  EXPECT_FALSE(json["candidates"][1]["kinetic"].get<bool>()) << "no contact that presses stops the rod";
  EXPECT_EQ(json["samples"].size(), 5U);
  const Result picture = shell(tool + "admissible '" + examples + "rocking_rod.json' --svg");
  EXPECT_EQ(picture.exit, 0);
  EXPECT_TRUE(picture.out.starts_with("<svg"));
}

TEST(Tool, WritesIntoTheFolderOfOut) {
  const fs::path folder = fs::temp_directory_path() / ("carom_tool_test_" + std::to_string(::getpid()));
  const Result written =
      shell(tool + "impact '" + examples + "moving_wall.json' --quiet --out '" + (folder / "a").string() + "'");
  EXPECT_EQ(written.exit, 0);
  EXPECT_EQ(written.out, "");
  std::ifstream file(folder / "a" / "outcome.json");
  EXPECT_EQ(Json::parse(file)["status"], "solved");
  fs::remove_all(folder);
}

TEST(Tool, ShowsThePathOfAnImpact) {
  const std::string cradle = "'" + examples + "hertz_cradle.json'";
  const Json outcome = Json::parse(shell(tool + "impact " + cradle + " --path --json").out);
  const std::size_t states = outcome.at("path").at("time").size();
  EXPECT_GT(states, 20U);
  EXPECT_EQ(outcome["path"]["u"].back(), outcome["u_plus"]);
  EXPECT_EQ(outcome["path"]["u"].front(), (Json{1, 0, 0, 0, 0}));
  EXPECT_FALSE(Json::parse(shell(tool + "impact " + cradle + " --json").out).contains("path"));
  EXPECT_NE(shell(tool + "impact " + cradle + " --path").out.find("path: " + std::to_string(states) + " states"),
            std::string::npos);
  const fs::path folder = fs::temp_directory_path() / ("carom_path_test_" + std::to_string(::getpid()));
  EXPECT_EQ(shell(tool + "impact " + cradle + " --path --quiet --out '" + folder.string() + "'").out, "");
  for (const char* name : {"outcome.json", "path.csv", "path.svg"}) EXPECT_GT(fs::file_size(folder / name), 1000U);
  fs::remove_all(folder);
}

TEST(Tool, ShowsTheImpulsePlane) {
  const std::string rod = "plane '" + examples + "rod_reverses.json' ";
  EXPECT_NE(shell(tool + rod).out.find("slip stops in compression and reverses"), std::string::npos);
  const Json plane = Json::parse(shell(tool + rod + "--json --set mu=0.8").out);
  EXPECT_EQ(plane["paths"][2]["mode"], "C-sticking");
  EXPECT_TRUE(shell(tool + rod + "--svg").out.starts_with("<svg"));
  const Result corner = shell(tool + "plane '" + examples + "brick_corner.json' 2>&1");
  EXPECT_EQ(corner.exit, 2);
  EXPECT_NE(corner.out.find("the impulse plane needs one"), std::string::npos) << corner.out;
}

TEST(Tool, SetsTheParametersOfLawsThatIntegrate) {
  const std::string cradle = tool + "impact '" + examples + "beads_on_wall.json' --json ";
  const Json fine = Json::parse(shell(cradle).out),
             coarse = Json::parse(shell(cradle + "--set law.tolerance=1e-4").out);
  EXPECT_LT(coarse["cost"]["evaluations"], fine["cost"]["evaluations"]);
  EXPECT_NEAR(coarse["u_plus"][0], fine["u_plus"][0].get<double>(), 1e-4);
  const Json mono = Json::parse(shell(cradle + "--set law.stiffness=mono").out);
  EXPECT_GT(std::abs(mono["u_plus"][0].get<double>() - fine["u_plus"][0].get<double>()), 1e-3);
  EXPECT_EQ(fine["compressions"], (Json{1, 2, 3, 3, 4}));
  EXPECT_FALSE(fine["collapsed"].get<bool>());
  const Json collapsed = Json::parse(shell(tool + "impact '" + examples + "basketball_on_tennis.json' --json").out);
  EXPECT_TRUE(collapsed["collapsed"].get<bool>() && collapsed["duration"].is_null());
  const std::string laws = shell(tool + "laws lzb").out;
  for (const char* part : {"stiffness", "bi", "mono", "(default bi)", "tolerance", "(default 1e-09)", "E0"})
    EXPECT_NE(laws.find(part), std::string::npos) << part << "\n" << laws;
}

TEST(Tool, EndsAnImpactAfterItsTime) {
  Json row = {{"format", "carom-problem/1"}, {"law", {{"name", "lzb"}, {"tolerance", 1e-12}}}};
  constexpr int kBalls = 400;
  std::vector<int> start(kBalls, 0);
  start[0] = 1;
  row["mass"] = std::vector<int>(kBalls, 1);
  row["u"] = start;
  for (int i = 0; i + 1 < kBalls; ++i) {
    std::vector<int> normal(kBalls, 0);
    normal[i] = -1;
    normal[i + 1] = 1;
    row["contacts"].push_back({{"normal", normal}, {"e", 0.5}});
  }
  const fs::path file = fs::temp_directory_path() / ("carom_row_" + std::to_string(getpid()) + ".json");
  std::ofstream(file) << row;
  const Result result = shell(tool + "impact '" + file.string() + "' --json --timeout 0.05");
  fs::remove(file);
  EXPECT_EQ(result.exit, 1);
  const Json outcome = Json::parse(result.out);
  EXPECT_EQ(outcome["status"], "iteration-limit");
  EXPECT_NE(outcome["message"].get<std::string>().find("told to stop"), std::string::npos);
}

TEST(Tool, SaysWhichLawsDoNotReadE) {
  const std::string compare = tool + "compare '" + examples + "beads_on_wall.json' --laws lzb,compliant";
  EXPECT_NE(shell(compare).out.find("compliant does not read e of the contacts"), std::string::npos);
  EXPECT_EQ(shell(compare + " --set e=1").out.find("does not read"), std::string::npos);
}

/// One line on standard error, nothing on standard output, exit code 2, nothing written.
void expect_refused(const std::string& arguments, const std::string& message, const std::string& before = "") {
  SCOPED_TRACE(arguments);
  EXPECT_EQ(shell(before + tool + arguments + " 2>/dev/null").out, "");
  const Result refused = shell(before + tool + arguments + " 2>&1 >/dev/null");
  EXPECT_EQ(refused.exit, 2);
  EXPECT_EQ(std::count(refused.out.begin(), refused.out.end(), '\n'), 1) << refused.out;
  EXPECT_NE(refused.out.find(message), std::string::npos) << refused.out;
}

TEST(Tool, RefusesBadInputInOneLine) {
  const std::string cradle = "'" + examples + "newtons_cradle.json'";
  expect_refused("impact " + cradle + " --set e=1.2", "contacts[0].e = 1.2 is outside [0, 1]");
  expect_refused("impact " + cradle + " --law moreau --set mu=0.1", "contacts[0].mu = 0.1 without tangents");
  expect_refused("impact " + cradle + " --law newtom", "did you mean \"newton\"");
  expect_refused("impact " + cradle + " --set contacts[0].ee=1", "did you mean \"e\"");
  expect_refused("impact " + cradle + " --set u[0]=1e400", "1e400");
  expect_refused("impact " + cradle + " --set law.name=generalized-kinematic", "E_n");
  const std::string hertz = "'" + examples + "hertz_cradle.json'";
  expect_refused("impact " + cradle + " --path", "newton does not follow the impact in time; --path works with keller");
  expect_refused("impact " + hertz + " --set law.stiffness=tri",
                 "--set law.stiffness=tri:1:15: law.stiffness = \"tri\" is not one of \"bi\", \"mono\"");
  expect_refused("impact " + hertz + " --set law.stifness=bi", "did you mean \"stiffness\"");
  for (const char* tolerance : {"0", "1e-20", "0.5", "-1e-6"})
    expect_refused("impact " + hertz + " --set law.tolerance=" + tolerance, "is outside [1e-12, 0.1]");
  for (const char* tolerance : {"nan", "inf", "tight"})
    expect_refused("impact " + hertz + " --set law.tolerance=" + tolerance, "expected a number");
  expect_refused("impact " + hertz + " --set E0=-1", "contacts[0].E0 = -1 is negative; stored energies are >= 0");
  expect_refused("impact " + hertz + " --set contacts.23.eta=0", "contacts[1].eta = 0 is not positive");
  expect_refused("impact " + hertz + " --set k=0", "contacts[0].k = 0 is not positive");
  expect_refused("impact missing.json", "missing.json");
  expect_refused("impact '" + examples + "'", "directory");
  expect_refused("impact", "see carom impact --help");
  expect_refused("impakt x", "did you mean \"impact\"");
  expect_refused("--hlep", "carom: there is no option \"--hlep\"; did you mean \"--help\"?");
  expect_refused("run --hlep", "carom run: there is no option \"--hlep\"; did you mean \"--help\"?");
  expect_refused("run x.toml --dutation=3", "there is no option \"--dutation\"; the options are \"--help\"");
  expect_refused("help rnu", "there is no verb \"rnu\"; did you mean \"run\"?");
  expect_refused("scenes/cradle.toml", "carom run scenes/cradle.toml runs a scene");
  expect_refused("run '" + examples + "'", "is a directory; expected a file");
  expect_refused("impact " + hertz + " --set mu=0.1", "contacts[0].mu = 0.1 without tangents");
  expect_refused(
      "compare " + cradle + " --set e=2 --set e_t=2 --set u[4]=-1 --set law.name=compliant --set law.tolerance=1",
      "no law applies");
  expect_refused("force huntcrossley", "did you mean 'hunt-crossley'");
  expect_refused("force exact --e 0", "--e: 0 needs infinite damping");
  expect_refused("force power --k -1", "--k: -1 is not positive");
  expect_refused("impact " + cradle + " --law compliant --set law.force=exact --set e=0",
                 "contacts[0].e = 0 needs infinite");
  expect_refused("admissible '" + examples + "rocking_rod.json' --svg --json", "--out");
  expect_refused("", "see carom --help");
  expect_refused("laws newtom", "did you mean \"newton\"");
  expect_refused("admissible '" + examples + "newtons_cradle.json' --svg", "needs two");
  expect_refused("impact -", "", "head -c 1000000000 /dev/zero | ");
  expect_refused("impact -", "", "head -c 1000000000 /dev/zero | tr '\\0' 0 | ");
  expect_refused("impact " + cradle + " --out /proc/nowhere", "/proc/nowhere");
}

TEST(Tool, HelpsWithEveryVerb) {
  for (const char* verb : {"", "impact", "compare", "laws", "admissible", "plane"}) {
    const Result help = shell(tool + verb + " --help");
    EXPECT_EQ(help.exit, 0) << verb;
    EXPECT_GT(help.out.size(), 200U) << verb;
  }
  EXPECT_EQ(shell(tool + "help").out, shell(tool + "--help").out);
  EXPECT_EQ(shell(tool + "help run").out, shell(tool + "run --help").out);
  EXPECT_EQ(shell(tool + "--version").exit, 0);
  EXPECT_EQ(shell(tool + "laws").exit, 0);
  EXPECT_EQ(shell(tool + "laws poisson --json").exit, 0);
}

}  // namespace
