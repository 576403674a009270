#include "tracer/export/speedscope_writer.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/export/sample_runs.h"
#include "tests/unit/export/string_file.h"

namespace oscope {
namespace {

using nlohmann::json;

// What the schema asks of an evented profile; fails the test where it does not hold.
void CheckProfile(const json& profile, size_t frames) {
  EXPECT_EQ(profile.at("type"), "evented");
  EXPECT_EQ(profile.at("unit"), "none");
  EXPECT_TRUE(profile.at("name").is_string());
  uint64_t last = profile.at("startValue");
  std::vector<uint64_t> open;
  for (const json& event : profile.at("events")) {
    ASSERT_GE(event.at("at").get<uint64_t>(), last);
    last = event.at("at");
    const uint64_t frame = event.at("frame");
    ASSERT_LT(frame, frames);
    if (event.at("type") == "O") {
      open.push_back(frame);
      continue;
    }
    ASSERT_EQ(event.at("type"), "C");
    ASSERT_FALSE(open.empty());
    ASSERT_EQ(open.back(), frame);
    open.pop_back();
  }
  EXPECT_TRUE(open.empty());
  EXPECT_LE(last, profile.at("endValue").get<uint64_t>());
}

json Export(const std::vector<oscope::Run>& runs, const SymbolTable& symbols) {
  StringFile file;
  SpeedscopeWriter writer(file);
  for (const oscope::Run& run : runs) EXPECT_TRUE(SendRun(run, symbols, writer).ok());
  EXPECT_TRUE(writer.Finish().ok());
  return json::parse(file.text);
}

TEST(SpeedscopeWriter, EveryTraceIsAValidEventedProfile) {
  SymbolTable symbols;
  const json file = Export({NestedRun(symbols), StackRun(symbols), FlatRun(symbols)}, symbols);
  EXPECT_EQ(file.at("$schema"), "https://www.speedscope.app/file-format-schema.json");
  const json& frames = file.at("shared").at("frames");
  ASSERT_EQ(file.at("profiles").size(), 4u);
  for (const json& profile : file.at("profiles")) CheckProfile(profile, frames.size());
  EXPECT_EQ(frames.at(0).at("name"), "main");
  EXPECT_EQ(file.at("profiles").at(0).at("name"), "Tiny-1 run 01234567 thread 0");
  EXPECT_EQ(file.at("profiles").at(0).at("events").size(), 10u);
}

TEST(SpeedscopeWriter, NothingIsAValidFileToo) {
  const json file = Export({}, SymbolTable());
  EXPECT_TRUE(file.at("profiles").empty());
  EXPECT_TRUE(file.at("shared").at("frames").empty());
}

TEST(SpeedscopeWriter, FramesHaveTheirSource) {
  SymbolTable symbols;
  SymbolAttributes attributes;
  attributes.file = "main.cc";
  attributes.line = 7;
  oscope::Run run = NestedRun(symbols);
  run.traces[0].events[0] = symbols.Intern("main", attributes);
  const json frame = Export({run}, symbols).at("shared").at("frames").at(0);
  EXPECT_EQ(frame.at("file"), "main.cc");
  EXPECT_EQ(frame.at("line"), 7);
}

}  // namespace
}  // namespace oscope
