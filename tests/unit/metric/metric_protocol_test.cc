#include "query/distance/user/metric_protocol.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

TEST(MetricProtocol, TextsComeBack) {
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) {
    std::string text(random() % 20, ' ');
    for (char& c : text) c = static_cast<char>("\\\n\r\0n0ab\xff"[random() % 9]);
    std::string line;
    AppendMetricText(text, line);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_EQ(ReadMetricText(line), text);
  }
}

TEST(MetricProtocol, APairIsOneLine) {
  std::string line;
  AppendPair(std::vector<uint32_t>{3, 4}, std::vector<uint32_t>{5}, line);
  EXPECT_EQ(line, "pair 2 1 3 4 5\n");
  line.clear();
  AppendPair({}, {}, line);
  EXPECT_EQ(line, "pair 0 0\n");
}

TEST(MetricProtocol, AnAnswerIsANumber) {
  EXPECT_EQ(ParseMetricAnswer("0").value(), 0u);
  EXPECT_EQ(ParseMetricAnswer("9223372036854775807").value(), 9223372036854775807u);
  for (const char* bad :
       {"", "-1", "+1", " 1", "1 ", "1.5", "1e3", "0x1", "nan", "9223372036854775808", "99999999999999999999999"}) {
    EXPECT_FALSE(ParseMetricAnswer(bad).ok()) << bad;
  }
}

}  // namespace
}  // namespace oscope
