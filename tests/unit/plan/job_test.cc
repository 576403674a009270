#include "query/plan/job.h"

#include <gtest/gtest.h>

#include "bql/check/check.h"
#include "named_catalog.h"

namespace oscope {
namespace {

Job Sample(std::string_view text) {
  const bql::CheckedStatement checked = bql::Compile(text, NamedCatalog(), {});
  EXPECT_TRUE(checked.ok()) << bql::RenderDiagnostics(text, checked.diagnostics);
  return {.manifest_version = 42,
          .select = checked.select.value_or(bql::Select{}),
          .use_index = false,
          .max_rows = 7,
          .max_memory_bytes = 8};
}

TEST(Job, ComesBackAsItWas) {
  for (const char* text : {"SELECT b FROM ALL WHERE SUBSET?(b527.failing[50], b.failing[50], 10) LIMIT 50",
                           "SELECT a, b FROM Rhino, Lang WHERE JACCARD?(PROJ(a, !/log/), b, 0.25, d => any) && a.title "
                           "LIKE '%x''y%' DISTANCE vsm",
                           "SELECT b FROM ALL WHERE SUBSET?(`run/1f2e`.failing[50], b.failing[50], 10)",
                           "SELECT b.title, distance FROM ALL WHERE INTERSECT?(b, \"open -> read* | `odd name`\", 2, "
                           "3) ORDER BY b.team DESC WITH SELF"}) {
    const Job job = Sample(text);
    const Result<Job> decoded = DecodeJob(EncodeJob(job), NamedCatalog());
    ASSERT_TRUE(decoded.ok()) << decoded.error().message;
    EXPECT_EQ(*decoded, job) << EncodeJob(job);
  }
}

TEST(Job, RefusesWhatItDoesNotKnow) {
  const NamedCatalog catalog;
  const std::string good = EncodeJob(Sample("SELECT b FROM ALL WHERE INTERSECT?(b, b527)"));
  std::string newer = good;
  newer.replace(newer.find("\"job\":1"), 7, "\"job\":2");
  EXPECT_EQ(DecodeJob(newer, catalog).error().code, ErrorCode::kUnsupported);
  for (const std::string& bad :
       {std::string(), std::string("[]"), std::string("{}"), good.substr(0, good.size() / 2)}) {
    EXPECT_EQ(DecodeJob(bad, catalog).error().code, ErrorCode::kCorrupt) << bad;
  }
  std::string broken = good;
  broken.replace(broken.find("WHERE"), 5, "WHER ");
  EXPECT_EQ(DecodeJob(broken, catalog).error().code, ErrorCode::kCorrupt);
}

// Each member must be there and of its type; one that nobody knows does no harm.
TEST(Job, NamesTheMemberThatIsWrong) {
  const NamedCatalog catalog;
  const std::string good = EncodeJob(Sample("SELECT b FROM ALL WHERE INTERSECT?(b, b527)"));
  const auto why = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    EXPECT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
    const Result<Job> decoded = DecodeJob(text, catalog);
    return decoded.ok() ? std::string() : decoded.error().message;
  };
  EXPECT_EQ(why("{", "{\"later\":[1],"), "");
  EXPECT_EQ(why("\"job\":1", "\"jib\":1"), "job: 'job' must be a whole number");
  EXPECT_EQ(why("\"job\":1", "\"job\":0"), "job: version 0, this program knows 1");
  EXPECT_EQ(why("\"manifest\":42", "\"manifest\":-42"), "job: 'manifest' must be a whole number");
  EXPECT_EQ(why("\"max_rows\":7", "\"max_rows\":7.5"), "job: 'max_rows' must be a whole number");
  EXPECT_EQ(why("\"max_memory\":8", "\"max_memory\":\"8\""), "job: 'max_memory' must be a whole number");
  EXPECT_EQ(why("\"index\":false", "\"index\":0"), "job: 'index' must be true or false");
  EXPECT_EQ(why("\"index\":false", "\"indox\":false"), "job: 'index' must be true or false");
  EXPECT_EQ(why("\"query\":", "\"quary\":"), "job: 'query' must be a text");
  EXPECT_NE(why("b527", "b999").find("job: 'query' is not a query: "), std::string::npos);
  std::string no_select = good;
  const size_t begin = no_select.find("SELECT"), end = no_select.find('"', begin);
  no_select.replace(begin, end - begin, "SHOW QUERIES");
  EXPECT_EQ(DecodeJob(no_select, catalog).error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace oscope
