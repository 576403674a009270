#include "query/run/user_metric_config.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

std::string ErrorOf(std::string_view text) {
  const auto parsed = ParseUserMetrics(text, "/w/oscope.toml");
  return parsed.ok() ? "" : parsed.error().message;
}

TEST(UserMetricConfig, IsRead) {
  const auto parsed = ParseUserMetrics(R"(
project = "Rhino"
[metrics.second]
command = ["python3", "m.py"]
timeout_ms = 20
[metrics.first]
library = "lib/m.so"
[metrics.third]
command = ["./m"]
)",
                                       "/w/oscope.toml");
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  ASSERT_EQ(parsed->size(), 3u);
  EXPECT_EQ((*parsed)[0], (UserMetricConfig{"first", "/w/lib/m.so", {}, 1000}));
  EXPECT_EQ((*parsed)[1], (UserMetricConfig{"second", "", {"python3", "m.py"}, 20}));
  EXPECT_EQ((*parsed)[2], (UserMetricConfig{"third", "", {"/w/m"}, 1000}));
  EXPECT_EQ(ParseUserMetrics("project = 'x'", "f").value().size(), 0u);
}

TEST(UserMetricConfig, ErrorsAreLocated) {
  EXPECT_EQ(ErrorOf("metrics = 3"), "/w/oscope.toml:1: metrics must be tables: [metrics.NAME]");
  EXPECT_EQ(ErrorOf("[metrics]\na = 1"), "/w/oscope.toml:2: metrics.a must be a table: [metrics.a]");
  EXPECT_EQ(ErrorOf("[metrics.a]\n"), "/w/oscope.toml:1: metrics.a needs either library or command");
  EXPECT_EQ(ErrorOf("[metrics.a]\nlibrary='x'\ncommand=['y']"),
            "/w/oscope.toml:1: metrics.a needs either library or command");
  EXPECT_EQ(ErrorOf("[metrics.a]\nlibary='x'"),
            "/w/oscope.toml:2: metrics.a: unknown key 'libary': did you mean 'library'?");
  EXPECT_EQ(ErrorOf("[metrics.a]\nlibrary=''"), "/w/oscope.toml:2: library must be a text that is not empty");
  EXPECT_EQ(ErrorOf("[metrics.a]\ncommand='x'"),
            "/w/oscope.toml:2: command must be a list of texts: [\"python3\", \"metric.py\"]");
  EXPECT_EQ(ErrorOf("[metrics.a]\ncommand=[1]"),
            "/w/oscope.toml:2: each word of command must be a text that is not empty");
  EXPECT_EQ(ErrorOf("[metrics.a]\nlibrary='x'\ntimeout_ms=0"),
            "/w/oscope.toml:3: timeout_ms must be from 1 to 3600000");
  EXPECT_EQ(ErrorOf("[metrics.'a b']\nlibrary='x'"),
            "/w/oscope.toml:1: 'a b': a metric's name is letters, digits and '_'");
  EXPECT_NE(ErrorOf("[metrics.a\n"), "");
}

}  // namespace
}  // namespace oscope
