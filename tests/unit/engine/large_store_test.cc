// A segment that is large enough for a sketch, for postings and for two blocks of rows: what the filters leave out must
// not be in the answer.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "index/postings/postings.h"
#include "query/operators/row_matcher.h"
#include "tests/bql/answer_text.h"
#include "tests/bql/case_store.h"
#include "tests/unit/engine/draw.h"

namespace oscope {
namespace {

constexpr uint64_t kFamilies = 4'200, kTracesEach = 4;  // together more than a block
static_assert(kFamilies * kTracesEach > RowMatcher::kBlockRows && kFamilies * kTracesEach > kPostingsMinTraces);

// Traces of a family are a few edits apart and have events that no other has; events that all have stand between them.
std::string MakeText(Draw& draw) {
  std::string text;
  uint64_t run = 0;
  for (uint64_t family = 0; family < kFamilies; ++family) {
    std::vector<std::string> first;
    for (uint64_t i = draw.Between(2, 14); i > 0; --i)
      first.push_back(draw.Percent(60) ? fmt::format("f{}_{}", family, i % 5) : fmt::format("c{}", draw.Below(20)));
    for (uint64_t trace = 0; trace < kTracesEach; ++trace) {
      std::vector<std::string> events = first;
      for (uint64_t edits = draw.Below(5); edits > 0 && !events.empty(); --edits) {
        const auto at = events.begin() + static_cast<ptrdiff_t>(draw.Below(events.size()));
        if (draw.Percent(50)) {
          *at = fmt::format("c{}", draw.Below(20));
        } else if (draw.Percent(50)) {
          events.erase(at);
        } else {
          events.insert(at, fmt::format("c{}", draw.Below(20)));
        }
      }
      std::string list;
      for (const std::string& event : events) list += (list.empty() ? "\"" : ",\"") + event + "\"";
      text += fmt::format(R"({{"type":"run","id":"{:032x}","project":"P","bug":"{}","traces":[{{"events":[{}]}}]}})",
                          ++run, (family + trace * 7) % 2000, list) +
              "\n";
    }
  }
  return text;
}

TEST(LargeStore, IsAnsweredAsByTheLiteralEvaluator) {
  Draw draw(1);
  const Result<CaseStore> store = CaseStore::FromTexts({MakeText(draw)});
  ASSERT_TRUE(store.ok()) << store.error().message;
  std::vector<Session> sessions;
  for (const EngineSetting& setting : AllEngines()) {
    // Without the index there is nothing to leave out.
    if (!setting.use_index && setting.kind != EngineKind::kNaive) continue;
    Result<Session> session = OpenSession(*store, setting);
    ASSERT_TRUE(session.ok()) << session.error().message;
    sessions.push_back(*std::move(session));
  }
  uint64_t by_sketch = 0, by_postings = 0, by_length = 0, with_rows = 0, queries = 0;
  for (const int d : {0, 2, 8}) {
    for (const char* form : {"SUBSET?(`P-{0}`.failing[50], b.failing[50], {1})", "INTERSECT?(b[50], `P-{0}`[50], {1})",
                             "INTERSECT?(b[5], `P-{0}`[5], {1}, 2)", "SUBSET?(b[60], `P-{0}`[60], {1})"}) {
      const std::string query = "SELECT b, distance FROM ALL WHERE " +
                                fmt::format(fmt::runtime(form), draw.Below(2000), d) +
                                (queries % 2 == 0 ? "" : " LIMIT 3");
      const StatementResult naive = sessions.back().Execute(query);
      ASSERT_TRUE(naive.ok()) << query;
      ++queries;
      with_rows += naive.answer->rows.empty() ? 0 : 1;
      const std::vector<std::string> expected = FullAnswerText(query, naive);
      for (size_t i = 0; i + 1 < sessions.size(); ++i) {
        const StatementResult result = sessions[i].Execute(query);
        ASSERT_EQ(FullAnswerText(query, result), expected) << query;
        by_sketch += result.answer->stats.by_sketch;
        by_postings += result.answer->stats.by_postings;
        by_length += result.answer->stats.by_length;
      }
    }
  }
  EXPECT_GT(by_sketch, 0u);
  EXPECT_GT(by_postings, 0u);
  EXPECT_GT(by_length, 0u);
  EXPECT_GT(with_rows * 4, queries);
}

}  // namespace
}  // namespace oscope
