#include "tracer/export/chrome_trace_writer.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tests/unit/export/sample_runs.h"
#include "tests/unit/export/string_file.h"

namespace oscope {
namespace {

using nlohmann::json;

std::string Export(const std::vector<oscope::Run>& runs, const SymbolTable& symbols) {
  StringFile file;
  ChromeTraceWriter writer(file);
  for (const oscope::Run& run : runs) EXPECT_TRUE(SendRun(run, symbols, writer).ok());
  EXPECT_TRUE(writer.Finish().ok());
  return file.text;
}

TEST(ChromeTraceWriter, BeginningsAndEndsNestInEveryThread) {
  SymbolTable symbols;
  const json file = json::parse(Export({NestedRun(symbols), StackRun(symbols), FlatRun(symbols)}, symbols));
  std::map<std::pair<int, int>, int> open;
  std::map<std::pair<int, int>, uint64_t> last;
  for (const json& event : file.at("traceEvents")) {
    const std::pair<int, int> thread = {event.at("pid"), event.at("tid")};
    if (event.at("ph") == "M" || event.at("ph") == "i") continue;
    ASSERT_GE(event.at("ts").get<uint64_t>(), last[thread]);
    last[thread] = event.at("ts");
    open[thread] += event.at("ph") == "B" ? 1 : -1;
    ASSERT_GE(open[thread], 0);
  }
  EXPECT_EQ(open.size(), 4u);
  for (const auto& [thread, calls] : open) EXPECT_EQ(calls, 0);
}

TEST(ChromeTraceWriter, NamesEveryProcessAndThread) {
  SymbolTable symbols;
  const std::string text = Export({NestedRun(symbols), StackRun(symbols)}, symbols);
  EXPECT_NE(text.find(R"("name":"process_name","pid":1,"tid":1,"args":{"name":"Tiny-1 run 01234567 process 0"})"),
            std::string::npos);
  EXPECT_NE(text.find(R"x("name":"thread_name","pid":1,"tid":2,"args":{"name":"thread 1 (pool \"1\")"})x"),
            std::string::npos);
  EXPECT_NE(text.find(R"("name":"thread_name","pid":2,"tid":1000000,"args":{"name":"thread 0 stack"})"),
            std::string::npos);
}

TEST(ChromeTraceWriter, NothingIsAValidFileToo) {
  EXPECT_TRUE(json::parse(Export({}, SymbolTable())).at("traceEvents").empty());
}

}  // namespace
}  // namespace oscope
