#include <gtest/gtest.h>

#include <csignal>
#include <regex>
#include <thread>

#include "carom/server/server.h"
#include "server/raw_client.h"
#include "tool_in_a_folder.h"

namespace carom::testing {
namespace {

class ServeTest : public ToolInAFolder {
 protected:
  void SetUp() override {
    if (!server::missing_for_server().empty()) GTEST_SKIP() << "built without a server";
    write("empty.toml", "title = \"Empty\"\n");
  }

  /// Starts the tool and waits until it has told its port.
  void start(const std::string& arguments) {
    const std::string command =
        "cd '" + folder_.string() + "' && exec '" + CAROM_TOOL + "' serve " + arguments + " >out 2>err";
    child_ = fork();
    if (child_ == 0) {
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(127);
    }
    std::smatch match;
    const std::regex address("http://127\\.0\\.0\\.1:([0-9]+)/(\\S*)\n");
    for (int i = 0; i < 1000 && port_ == 0; ++i) {
      const std::string said = text("out");
      if (std::regex_search(said, match, address)) {
        port_ = std::stoi(match[1]);
        query_ = match[2];
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  /// Its exit code after a signal.
  int end(int signal) const {
    kill(child_, signal);
    int status = 0;
    waitpid(child_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  pid_t child_ = 0;
  int port_ = 0;
  std::string query_;
};

TEST_F(ServeTest, TellsItsAddressServesAndEndsWhenAsked) {
  for (const int signal : {SIGTERM, SIGINT}) {
    port_ = 0;
    start("empty.toml --port 0 --no-open");
    ASSERT_NE(port_, 0) << text("err");
    EXPECT_EQ(query_, "?scene=empty");
    EXPECT_EQ(ask(port_, "GET", "/api/scenes/empty").body, "title = \"Empty\"\n");
    EXPECT_EQ(carom("serve --no-open --port " + std::to_string(port_)), 2);
    EXPECT_NE(text("err").find("cannot be listened at"), std::string::npos) << text("err");
    EXPECT_EQ(end(signal), 0);
  }
}

TEST_F(ServeTest, RefusesWhatItCannotServe) {
  for (const char* arguments : {"--port 70000", "--port -1", "--port x", "--folder nowhere", "missing.toml",
                                "--host 256.0.0.1 --port 0", "--max-runs 0", "--timeout nan"})
    EXPECT_EQ(carom(std::string("serve --no-open ") + arguments), 2) << arguments;
  write("problem.json", "{}");
  EXPECT_EQ(carom("serve --no-open problem.json"), 2);
  EXPECT_EQ(carom("serve --no-open empty.toml --folder /"), 2);
}

}  // namespace
}  // namespace carom::testing
