#include "carom/server/guard.h"

#include <gtest/gtest.h>

#include "carom/server/page_policy.h"
#include "carom/server/sha256.h"

namespace carom::server {
namespace {

TEST(Guard, KnowsItsOwnNamesWithTheirPort) {
  const Guard guard{"127.0.0.1", 8737};
  for (const char* host : {"127.0.0.1:8737", "localhost:8737", "LocalHost:8737", "[::1]:8737"})
    EXPECT_TRUE(guard.knows_host(host)) << host;
  for (const char* host : {"", "127.0.0.1", "localhost", "127.0.0.1:80", "evil.example:8737",
                           "127.0.0.1:8737.evil.example", "192.168.0.2:8737", "127.0.0.1:8737 "})
    EXPECT_FALSE(guard.knows_host(host)) << host;
}

TEST(Guard, AtTheUsualPortBrowsersLeaveItOut) {
  const Guard guard{"127.0.0.1", 80};
  EXPECT_TRUE(guard.knows_host("localhost"));
  EXPECT_TRUE(guard.knows_host("localhost:80"));
  EXPECT_FALSE(guard.knows_host("localhost:8080"));
}

TEST(Guard, AtAllAddressesTakesNumbersButNoNames) {
  const Guard guard{"0.0.0.0", 8737};
  EXPECT_TRUE(guard.knows_host("192.168.0.2:8737"));
  EXPECT_TRUE(guard.knows_host("[fe80::1]:8737"));
  EXPECT_FALSE(guard.knows_host("evil.example:8737"));
  EXPECT_FALSE(guard.knows_host("1.2.3.evil:8737"));
}

TEST(Sha256, IsThatOfTheStandard) {
  EXPECT_EQ(base64(sha256("")), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  EXPECT_EQ(base64(sha256("abc")), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
  EXPECT_EQ(base64(sha256(std::string(1'000'000, 'a'))), "zcduXJkU+5KBocfihNc+Z/GAmkiklyAOBG05zMcRLNA=");
}

TEST(PagePolicy, LetsThePagesOwnScriptsRun) {
  EXPECT_NE(page_policy("<p><script>abc</script><script type=\"x\"></script>")
                .find("script-src 'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=' "
                      "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';"),
            std::string::npos);
}

}  // namespace
}  // namespace carom::server
