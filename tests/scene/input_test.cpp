#include "carom/scene/input.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "scene/reading.h"

namespace carom::scene {
namespace {

class InputFile : public ::testing::Test {
 protected:
  InputFile() {
    folder = std::filesystem::temp_directory_path() / ("carom_input_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
  }
  ~InputFile() override { std::filesystem::remove_all(folder); }

  std::string with(std::string_view text) const {
    std::ofstream(folder / "p.json", std::ios::binary) << text;
    return (folder / "p.json").string();
  }

  /// What is wrong with a file of that text, without the folder.
  std::string error(std::string_view text) const {
    const std::string path = with(text), message = error_of([&] { read_input(path, '{'); });
    return message.empty() ? message : message.substr(folder.string().size() + 1);
  }

  std::filesystem::path folder;
};

TEST_F(InputFile, IsReadAsItIs) {
  const std::string text = " \n {\"a\": \"" + std::string(200'000, 'x') + "\"}\r\n";
  EXPECT_EQ(read_input(with(text), '{'), text);
}

TEST_F(InputFile, WithAByteOrderMarkIsReadWithoutIt) {
  EXPECT_EQ(read_input(with("\xEF\xBB\xBF{}\r\n"), '{'), "{}\r\n");
  EXPECT_EQ(error("\xEF\xBB\xBF"), "p.json:1:1: the input is empty");
}

TEST_F(InputFile, ThatIsEmptyOrBlank) {
  EXPECT_EQ(error(""), "p.json:1:1: the input is empty");
  EXPECT_EQ(error(" \n\n"), "p.json:1:1: the input is blank");
  EXPECT_EQ(error(std::string(2'000'000, ' ')), "p.json:1:1: starts with more than 1 MiB of blanks");
}

TEST_F(InputFile, WhoseFirstByteIsWrong) {
  EXPECT_EQ(error("\n  [1]"), "p.json:2:3: starts with \"[\"; expected '{'");
  EXPECT_EQ(error("\xFF\xFE{"), "p.json:1:1: starts with \"\\xFF\"; expected '{'");
  EXPECT_EQ(error(std::string(100'000, '\n') + "0"), "p.json:100001:1: starts with \"0\"; expected '{'");
}

TEST_F(InputFile, WithANulByte) {
  EXPECT_EQ(error(std::string_view("{\n\"\xC3\xA9\0\"}", 8)), "p.json:2:3: a NUL byte; the input is not a text file");
}

TEST_F(InputFile, ThatCannotBeOpened) {
  EXPECT_EQ(error_of([&] { read_input("no/such.json", '{'); }),
            "no/such.json:1:1: cannot open the file: No such file or directory");
  const std::string path = folder.string();
  EXPECT_EQ(error_of([&] { read_input(path, '{'); }), path + ":1:1: is a directory; expected a file");
}

TEST_F(InputFile, ThatMayNotBeRead) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may read everything";
  const std::string path = with("{}");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  EXPECT_EQ(error_of([&] { read_input(path, '{'); }), path + ":1:1: cannot open the file: Permission denied");
}

TEST(Input, ThatNeverEndsIsRefusedAtItsFirstByte) {
  if (!std::filesystem::exists("/dev/zero")) GTEST_SKIP();
  EXPECT_EQ(error_of([] { read_input("/dev/zero", '{'); }), "/dev/zero:1:1: a NUL byte; the input is not a text file");
}

TEST_F(InputFile, StandardInputIsADash) {
  const int saved = dup(STDIN_FILENO);
  ASSERT_NE(std::freopen(with("{\"a\": x}").c_str(), "rb", stdin), nullptr);
  EXPECT_TRUE(error_of([] { read_json("-"); }).starts_with("<stdin>:1:7: \"x\" is not a value"));
  dup2(saved, STDIN_FILENO);
  close(saved);
  std::clearerr(stdin);
}

}  // namespace
}  // namespace carom::scene
