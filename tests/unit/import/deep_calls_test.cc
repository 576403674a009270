// A million calls within each other take a while to write down.
#include <gtest/gtest.h>

#include "base/limits.h"
#include "tracer/import/importer.h"

namespace oscope {
namespace {

TEST(DeepCalls, OfAChromeTraceAreALimitErrorNotAStackOverflow) {
  std::string text = "[";
  for (uint32_t i = 0; i < limits::kMaxDepth + 2; ++i) text += "{\"ph\":\"B\",\"ts\":1,\"name\":\"f\"},";
  text.back() = ']';
  RunCollector collected;
  std::vector<ImportProblem> problems;
  const Status status = FindImporter("chrome")->Import(text, {.project = "P"}, collected, problems);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kLimit);
}

}  // namespace
}  // namespace oscope
