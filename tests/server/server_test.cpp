#include "carom/server/server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>
#include <vector>

#include "carom/base/error.h"
#include "json.h"
#include "raw_client.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace carom::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* kBall =
    "title = \"Ball\"\nabout = \"falls\"\nduration = 1\ngravity = 10\nlaw = \"newton\"\ncontact = {e = 0.5}\n"
    "[[body]]\nname = \"ball\"\nshape = {type = \"disc\", radius = 0.1}\nmass = 1\nposition = [0, 1]\n"
    "[[wall]]\nname = \"floor\"\nshape = \"plane\"\n";

/// Steps so short that it never ends.
std::string endless() {
  std::string text = kBall;
  text.replace(text.find("duration = 1"), 12, "duration = 1e5");
  return "scheme = {name = \"time-stepping\", step = 1e-4}\nrecord = {interval = 1e3}\n" + text;
}

std::string question(const std::string& scene) {
  return Json{{"scene", scene}}.dump();
}

/// A server with a folder of its own, for as long as a test runs.
class ServerTest : public ::testing::Test {
 protected:
  ServerTest() : folder_(fs::temp_directory_path() / ("carom_server_" + std::to_string(getpid()))) {
    fs::create_directories(folder_ / "scenes");
    std::ofstream(folder_ / "scenes" / "ball.toml") << kBall;
    std::ofstream(folder_ / "scenes" / "broken.toml") << "a = ";
    std::ofstream(folder_ / "secret.toml") << "title = \"secret\"\n";
    std::ofstream(folder_ / "secret.csv") << "0, 0\n1, 1\n";
    fs::create_symlink(folder_ / "secret.toml", folder_ / "scenes" / "link.toml");
    fs::create_symlink(folder_ / "secret.csv", folder_ / "scenes" / "link.csv");
    options_.folder = (folder_ / "scenes").string();
    options_.to_ask = 1s;
    options_.run_time = 5s;
    options_.patience = 500ms;
  }
  ~ServerTest() override {
    if (server_) server_->stop();
    if (serving_.joinable()) serving_.join();
    server_.reset();
    fs::remove_all(folder_);
  }

  int start() {
    server_ = std::make_unique<server::Server>(options_);
    serving_ = std::thread([this] { server_->serve(); });
    return server_->port();
  }

  /// Waits until it is true.
  template <class Condition>
  static bool becomes(Condition&& condition, std::chrono::milliseconds within = 10s) {
    const auto until = std::chrono::steady_clock::now() + within;
    while (!condition() && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(10ms);
    return condition();
  }

  fs::path folder_;
  server::ServerOptions options_;
  std::unique_ptr<server::Server> server_;
  std::thread serving_;
};

/// The last line of an answer that comes in lines.
Json result_of(const Reply& reply) {
  std::istringstream lines(reply.body);
  std::string last;
  for (std::string line; std::getline(lines, line);) last = line;
  const Json json = Json::parse(last, nullptr, false);
  return json.is_object() && json.contains("result") ? json["result"] : Json();
}

TEST_F(ServerTest, HasAPageThatMayFetchNothingFromElsewhere) {
  const int port = start();
  const Reply page = ask(port, "GET", "/");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.header("Content-Type"), "text/html; charset=utf-8");
  EXPECT_EQ(page.header("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(page.header("Access-Control-Allow-Origin"), "");
  const std::string policy = page.header("Content-Security-Policy");
  EXPECT_NE(policy.find("default-src 'none'"), policy.npos);
  EXPECT_NE(policy.find("connect-src 'self'"), policy.npos);
  EXPECT_EQ(policy.find("unsafe-eval"), policy.npos);
  EXPECT_EQ(ask(port, "HEAD", "/").status, 200);
  EXPECT_EQ(server_->address(), "http://127.0.0.1:" + std::to_string(port) + "/");
}

TEST_F(ServerTest, ListsScenesAndGivesTheirText) {
  const int port = start();
  const Json list = Json::parse(ask(port, "GET", "/api/scenes").body);
  EXPECT_EQ(list, (Json{{"scenes", Json::array({{{"name", "ball"}, {"title", "Ball"}, {"about", "falls"}},
                                                {{"name", "broken"}, {"title", ""}, {"about", ""}}})}}));
  EXPECT_EQ(ask(port, "GET", "/api/scenes/ball").body, kBall);
}

TEST_F(ServerTest, AnswersEveryVerb) {
  const int port = start();
  const Json all = Json::parse(post(port, "describe", "{}").body);
  EXPECT_TRUE(all["ok"]);
  EXPECT_GT(all["laws"].size(), 5U);
  EXPECT_TRUE(Json::parse(post(port, "check", question(kBall)).body)["ok"]);
  const Json set = Json::array({{{"path", "duration"}, {"value", 2}}});
  const Json edited = Json::parse(post(port, "edit", Json{{"scene", kBall}, {"set", set}}.dump()).body);
  EXPECT_NE(edited["scene"].get<std::string>().find("duration = 2\n"), std::string::npos);
  const Reply run = post(port, "run", question(kBall));
  EXPECT_EQ(run.header("Content-Type"), "application/x-ndjson");
  EXPECT_EQ(result_of(run)["summary"]["status"], "solved");
  EXPECT_EQ(result_of(run)["report"]["format"], "carom-report/1");
  const Json laws = Json::array({"newton", "moreau"});
  const Json compared = result_of(post(port, "compare", Json{{"scene", kBall}, {"laws", laws}}.dump()));
  ASSERT_EQ(compared["reports"].size(), 2U);
  EXPECT_EQ(compared["reports"][1]["label"], "moreau");
  const char* problem = R"({"problem": {"mass": [1, 1], "u": [1, 0], "contacts": [{"normal": [-1, 1], "e": 1}]},
                            "law": "newton"})";
  EXPECT_EQ(Json::parse(post(port, "impact", problem).body)["outcome"]["u_plus"], Json::array({0, 1}));
}

TEST_F(ServerTest, TellsWhatIsWrongWithAQuestion) {
  const int port = start();
  for (const char* body : {"", "{", "[]", "{\"scene\": 1}", "{\"scene\": \"\\u0000\"}", "\xff\xfe", "{} {}"}) {
    const Reply reply = post(port, "check", body);
    EXPECT_EQ(reply.status, 200) << body;
    EXPECT_FALSE(Json::parse(reply.body)["ok"]) << body;
    EXPECT_FALSE(Json::parse(reply.body)["error"]["message"].get<std::string>().empty()) << body;
    EXPECT_FALSE(result_of(post(port, "run", body))["ok"]) << body;
  }
}

TEST_F(ServerTest, ReadsNothingOutsideItsFolder) {
  const int port = start();
  for (const char* name :
       {"../secret", "..%2fsecret", "%2e%2e/secret", "%2e%2e%2fsecret", "..%5csecret", "link", "nothing", "/etc/passwd",
        "%2fetc%2fpasswd", "ball.toml", "ball%00", "", ".", "..", "ball/../ball"})
    EXPECT_EQ(ask(port, "GET", std::string("/api/scenes/") + name).status, 404) << name;
  for (const char* path :
       {"/secret.toml", "/../secret.toml", "/api/scenes/../../secret", "/api", "/api/", "/index.html"})
    EXPECT_EQ(ask(port, "GET", path).status, 404) << path;
  for (const char* file : {"../secret.csv", "link.csv", "/etc/passwd", "/dev/zero", "missing.csv"}) {
    const std::string scene = std::string(kBall) + "acceleration = [{file = \"" + file + "\"}, 0]\n";
    const Json answer = Json::parse(post(port, "check", question(scene)).body);
    ASSERT_FALSE(answer["ok"]) << file;
    EXPECT_EQ(answer["error"]["place"], "wall[0].acceleration[0].file") << answer;
  }
}

TEST_F(ServerTest, AnswersItsOwnPageOnly) {
  const int port = start();
  const std::string own = "127.0.0.1:" + std::to_string(port), local = "localhost:" + std::to_string(port);
  const auto with = [&](const std::string& headers) { return ask(port, "GET", "/api/scenes", headers).status; };
  EXPECT_EQ(with("Host: " + local + "\r\n"), 200);
  EXPECT_EQ(with("Host: [::1]:" + std::to_string(port) + "\r\n"), 200);
  EXPECT_EQ(with("Origin: http://" + own + "\r\n"), 200);
  EXPECT_EQ(with("Host: " + local + "\r\nOrigin: http://" + local + "\r\n"), 200);
  for (const std::string& headers :
       {std::string("Host: evil.example\r\n"), "Host: evil.example:" + std::to_string(port) + "\r\n",
        std::string("Host: 127.0.0.1\r\n"), std::string("Host: 127.0.0.1:1\r\n"),
        "Host: " + own + "\r\nHost: evil.example\r\n", std::string("Origin: http://evil.example\r\n"),
        std::string("Origin: null\r\n"), "Origin: https://" + own + "\r\n", "Origin: http://" + local + "\r\n",
        "Origin: http://" + own + "\r\nOrigin: http://evil.example\r\n"})
    EXPECT_EQ(with(headers), 403) << headers;
  EXPECT_EQ(post(port, "run", question(kBall), "Origin: http://evil.example\r\n").status, 403);
  EXPECT_EQ(server_->counts().begun, 0);
}

TEST_F(ServerTest, RefusesOtherMethodsTypesAndNames) {
  const int port = start();
  for (const char* method : {"GET", "PUT", "DELETE", "PATCH", "OPTIONS"})
    EXPECT_EQ(ask(port, method, "/api/run").status, 405) << method;
  for (const char* path : {"/", "/api/scenes", "/api/scenes/ball"})
    EXPECT_EQ(ask(port, "POST", path).status, 405) << path;
  for (const char* type : {"", "Content-Type: text/plain\r\n", "Content-Type: application/x-www-form-urlencoded\r\n",
                           "Content-Type: multipart/form-data; boundary=x\r\n",
                           "Content-Type: application/json\r\nContent-Encoding: gzip\r\n"})
    EXPECT_EQ(ask(port, "POST", "/api/check", type, question(kBall)).status, 415) << type;
  EXPECT_EQ(
      ask(port, "POST", "/api/check", "Content-Type: application/json; charset=utf-8\r\n", question(kBall)).status,
      200);
  EXPECT_EQ(post(port, "erase", "{}").status, 404);
  EXPECT_EQ(ask(port, "GET", "/", "Range: bytes=0-1,0-1,0-1\r\n").status, 200);
}

TEST_F(ServerTest, TakesNoLargeQuestion) {
  const int port = start();
  EXPECT_EQ(post(port, "check", std::string(std::size_t{100} << 20, ' ')).status, 413);
  // the same without a length said before
  const RawClient client(port);
  client.send("POST /api/check HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
              "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
  const std::string chunk = "10000\r\n" + std::string(0x10000, ' ') + "\r\n";
  for (int i = 0; i < 100 && client.send(chunk); ++i) {
  }
  const int status = reply_of(client.receive()).status;
  EXPECT_TRUE(status == 413 || status == 400) << status;
  EXPECT_NE(ask(port, "GET", "/" + std::string(100'000, 'a')).status, 200);
  const RawClient endless_header(port);
  endless_header.send("GET / HTTP/1.1\r\nX: ");
  for (int i = 0; i < 100 && endless_header.send(std::string(10'000, 'x')); ++i) {
  }
  EXPECT_NE(reply_of(endless_header.receive()).status, 200);
}

TEST_F(ServerTest, AnswersManyAtOnce) {
  options_.patience = 20s;
  options_.most_waiting = 100;
  const int port = start();
  std::atomic<int> good = 0;
  std::vector<std::thread> clients;
  for (int i = 0; i < 200; ++i)
    clients.emplace_back([&, i] {
      const Reply reply = i % 10 == 0  ? post(port, "run", question(kBall))
                          : i % 2 == 0 ? post(port, "check", question(kBall))
                                       : ask(port, "GET", "/api/scenes/ball");
      good += reply.status == 200;
    });
  for (std::thread& one : clients) one.join();
  EXPECT_EQ(good, 200);
  EXPECT_EQ(server_->counts().ended, 20);
}

TEST_F(ServerTest, SlowClientsDoNotKeepOthersWaiting) {
  const int port = start();
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 50; ++i) {
    slow.push_back(std::make_unique<RawClient>(port));
    slow.back()->send("POST /api/run HTTP/1.1\r\nHost: 127");
  }
  EXPECT_EQ(ask(port, "GET", "/api/scenes").status, 200);
  for (int i = 0; i < 25; ++i) {  // a byte now and then does not prolong it
    slow.front()->send("0");
    std::this_thread::sleep_for(50ms);
  }
  const auto begin = std::chrono::steady_clock::now();
  for (const auto& one : slow) EXPECT_NE(reply_of(one->receive()).status, 200);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
}

TEST_F(ServerTest, ARunEndsWhenItsClientGoes) {
  options_.run_time = 60s;
  const int port = start();
  {
    const RawClient client(port);
    client.send(request(port, "POST", "/api/run", "Content-Type: application/json\r\n", question(endless())));
    EXPECT_NE(client.receive("progress").find("\"progress\""), std::string::npos);
    EXPECT_EQ(server_->counts().begun, 1);
    EXPECT_EQ(server_->counts().ended, 0);
  }
  EXPECT_TRUE(becomes([&] { return server_->counts().ended == 1; }));
  EXPECT_EQ(server_->counts().cancelled, 1);
}

TEST_F(ServerTest, AnEndlessRunEndsByItsLimitAndSaysSo) {
  options_.run_time = 300ms;
  const int port = start();
  const Reply reply = post(port, "run", question(endless()));
  EXPECT_EQ(reply.status, 200);
  const Json result = result_of(reply);
  EXPECT_TRUE(result["ok"]);
  EXPECT_EQ(result["summary"]["status"], "not-finished");
  EXPECT_NE(result["summary"]["message"].get<std::string>().find("time"), std::string::npos) << result["summary"];
}

TEST_F(ServerTest, TurnsAwayRunsThatAreTooMany) {
  options_.most_runs = 1;
  options_.most_waiting = 1;
  options_.run_time = 60s;
  const int port = start();
  const RawClient working(port);
  working.send(request(port, "POST", "/api/run", "Content-Type: application/json\r\n", question(endless())));
  ASSERT_NE(working.receive("progress").find("progress"), std::string::npos);
  const Reply reply = post(port, "run", question(kBall));  // waits, in vain
  EXPECT_EQ(reply.status, 503);
  EXPECT_FALSE(reply.header("Retry-After").empty());
  EXPECT_FALSE(Json::parse(reply.body)["ok"]);
  EXPECT_EQ(post(port, "check", question(kBall)).status, 200);
}

TEST_F(ServerTest, StopsWhileARunGoesOn) {
  options_.run_time = 60s;
  const int port = start();
  const RawClient client(port);
  client.send(request(port, "POST", "/api/run", "Content-Type: application/json\r\n", question(endless())));
  ASSERT_NE(client.receive("progress").find("progress"), std::string::npos);
  const auto begin = std::chrono::steady_clock::now();
  server_->stop();
  serving_.join();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  EXPECT_EQ(server_->counts().cancelled, 1);
  EXPECT_FALSE(RawClient(port).connected);
}

/// [kB] of this process in memory.
long resident() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmRSS:") {
      long kilobytes = 0;
      status >> kilobytes;
      return kilobytes;
    }
  return 0;
}

TEST_F(ServerTest, MemoryComesBack) {
  const int port = start();
  const auto runs = [&](int count) {
    for (int i = 0; i < count; ++i) ASSERT_EQ(post(port, "run", question(kBall)).status, 200);
  };
  runs(10);
  const long before = resident();
  runs(50);
  EXPECT_LT(resident() - before, 50'000);  // a run's answer has some hundred kilobytes
}

TEST_F(ServerTest, MemoryComesBackAfterManyLargeRunsAtOnce) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 64 << 20);  // as the tool does: its runs keep what they took
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
  options_.most_runs = 4;
  options_.most_waiting = 8;
  options_.patience = 30s;
  const int port = start();
  std::string text = kBall;
  text.replace(text.find("duration = 1"), 12, "duration = 100");
  text = "record = {interval = 1e-3}\n" + text;  // 100 000 states
  const auto together = [&] {
    std::atomic<int> answered = 0;
    std::vector<std::thread> clients;
    for (int i = 0; i < 8; ++i)
      clients.emplace_back([&] { answered += result_of(post(port, "run", question(text)))["ok"] == true; });
    for (std::thread& client : clients) client.join();
    EXPECT_EQ(answered, 8);
  };
  ASSERT_EQ(post(port, "run", question(kBall)).status, 200);
  const long before = resident();
  together();
  EXPECT_TRUE(becomes([&] { return resident() - before < 30'000; })) << resident() - before << " kB remain";
}

TEST_F(ServerTest, SaysWhatIsWrongWithItsAddress) {
  const int port = start();
  server::ServerOptions second = options_;
  second.port = port;
  EXPECT_THROW(server::Server{second}, InputError);  // in use
  second.port = 0;
  second.host = "256.1.1.1";
  EXPECT_THROW(server::Server{second}, InputError);
  second.host = "127.0.0.1";
  second.folder = (folder_ / "nowhere").string();
  EXPECT_THROW(server::Server{second}, InputError);
}

}  // namespace
}  // namespace carom::testing
