#include "tracer/generate/generator.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/checksum.h"
#include "query/distance/levenshtein.h"
#include "tests/support/failing_sink.h"

namespace oscope {
namespace {

RunCollector Generate(const GenerateOptions& options, GenerateStats* stats = nullptr) {
  RunCollector collector;
  Result<Generator> generator = Generator::Make(options);
  EXPECT_TRUE(generator.ok());
  while (true) {
    const Result<bool> more = generator->SendNextBug(collector);
    EXPECT_TRUE(more.ok());
    if (!*more) break;
  }
  if (stats != nullptr) *stats = generator->stats();
  return collector;
}

std::string Digest(const RunCollector& made) {
  Sha256 sha;
  for (const Bug& bug : made.bugs) sha.Update(ToString(bug.key) + bug.title + bug.fix.commit);
  for (const oscope::Run& run : made.runs) {
    sha.Update(ToString(run.header.id) + run.header.bug + run.header.failure.message);
    for (const SymbolId event : run.traces[0].events) sha.Update(made.symbols.name(event));
    for (const uint32_t depth : run.traces[0].depths) sha.Update(std::to_string(depth));
  }
  return sha.Finish();
}

std::vector<uint32_t> UpToMark(const oscope::Run& run) {
  const Trace& trace = run.traces[0];
  const size_t count = trace.header.mark ? trace.header.mark->events : trace.events.size();
  std::vector<uint32_t> events;
  for (size_t i = 0; i < count; ++i) events.push_back(static_cast<uint32_t>(trace.events[i]));
  return events;
}

TEST(Generator, SameSeedSameRunsOnEveryMachine) {
  const GenerateOptions options{.traces = 500, .depths = true};
  const std::string digest = Digest(Generate(options));
  EXPECT_EQ(digest, Digest(Generate(options)));
  EXPECT_EQ(digest, "37dd6b624fd139d7c3ed6a4ff9042c8b664906ad36a6ab8737824ae68419f8c2");
  EXPECT_NE(digest, Digest(Generate({.traces = 500, .depths = true, .seed = 2})));
}

TEST(Generator, EveryRunIsValidAndHasItsOwnId) {
  GenerateStats stats;
  const RunCollector made = Generate({.traces = 2000, .depths = true}, &stats);
  ASSERT_EQ(made.runs.size(), 2000u);
  EXPECT_EQ(stats.runs, 2000u);
  EXPECT_EQ(stats.bugs, made.bugs.size());
  std::set<RunId> ids;
  for (const Bug& bug : made.bugs) ASSERT_TRUE(Validate(bug).ok());
  for (const oscope::Run& run : made.runs) {
    ASSERT_TRUE(Validate(run.header).ok());
    ASSERT_EQ(run.traces.size(), 1u);
    ASSERT_TRUE(Validate(run.traces[0].header).ok());
    ASSERT_EQ(run.traces[0].depths.size(), run.traces[0].events.size());
    ids.insert(run.header.id);
  }
  EXPECT_EQ(ids.size(), made.runs.size());
}

TEST(Generator, FailingRunsHaveAMarkAfterAsManyEventsAsAskedFor) {
  const RunCollector made = Generate({.traces = 3000, .length = 40});
  size_t passing = 0, with_tail = 0;
  std::set<std::vector<std::string>> tails;
  for (const oscope::Run& run : made.runs) {
    const Trace& trace = run.traces[0];
    if (!IsFailing(run.header.outcome)) {
      ++passing;
      EXPECT_FALSE(trace.header.mark);
      continue;
    }
    ASSERT_TRUE(trace.header.mark);
    ASSERT_EQ(trace.header.mark->events, 40u);
    if (trace.events.size() == 40) continue;
    ++with_tail;
    std::vector<std::string> tail;
    for (size_t i = 40; i < trace.events.size(); ++i) tail.push_back(made.symbols.name(trace.events[i]));
    tails.insert(tail);
  }
  EXPECT_EQ(tails.size(), 1u);
  EXPECT_NEAR(static_cast<double>(passing), 3000 * 0.033, 40);
  EXPECT_NEAR(static_cast<double>(with_tail), 3000 * 0.2, 120);
}

TEST(Generator, RunsOfAFamilyAreWithinTheSumOfTheirEdits) {
  GenerateStats stats;
  const RunCollector made = Generate({.traces = 1500}, &stats);
  EXPECT_NEAR(static_cast<double>(stats.copies), 1500 * 0.58, 150);
  std::map<std::string, std::vector<const oscope::Run*>> families;
  for (const oscope::Run& run : made.runs) {
    if (run.header.custom.contains("family")) families[run.header.custom.at("family")].push_back(&run);
  }
  EXPECT_GT(families.size(), 10u);
  for (const auto& [family, runs] : families) {
    for (size_t i = 1; i < runs.size(); ++i) {
      const uint32_t edits = static_cast<uint32_t>(std::stoul(runs[i - 1]->header.custom.at("edits")) +
                                                   std::stoul(runs[i]->header.custom.at("edits")));
      ASSERT_LE(Levenshtein(UpToMark(*runs[i - 1]), UpToMark(*runs[i])), edits);
    }
  }
}

TEST(Generator, FreshWalksAreFarFromEachOther) {
  const RunCollector made = Generate({.traces = 400});
  std::vector<std::vector<uint32_t>> fresh;
  for (const oscope::Run& run : made.runs) {
    if (!run.header.custom.contains("family")) fresh.push_back(UpToMark(run));
  }
  ASSERT_GT(fresh.size(), 100u);
  size_t near = 0;
  for (size_t i = 1; i < fresh.size(); ++i) near += Levenshtein(fresh[i - 1], fresh[i]) <= 20;
  EXPECT_LT(near, fresh.size() / 20);
}

TEST(Generator, AsManyBugsAsAskedFor) {
  GenerateStats stats;
  const RunCollector made = Generate({.traces = 1000, .bugs = 7}, &stats);
  EXPECT_EQ(stats.bugs, 7u);
  EXPECT_EQ(made.runs.size(), 1000u);
}

TEST(Generator, ThesisLengthsReachTheirBounds) {
  GenerateStats stats;
  Generate({.traces = 600, .thesis_lengths = true}, &stats);
  EXPECT_EQ(stats.shortest, 2u);
  EXPECT_EQ(stats.longest, 50'012u);
  EXPECT_NEAR(stats.mean_length(), 5431, 1000);
}

TEST(Generator, RefusesOptionsOutOfRange) {
  EXPECT_FALSE(Generator::Make({.traces = 0}).ok());
  EXPECT_FALSE(Generator::Make({.traces = 10, .bugs = 11}).ok());
  EXPECT_FALSE(Generator::Make({.length = 0}).ok());
  EXPECT_FALSE(Generator::Make({.names = 0}).ok());
  EXPECT_FALSE(Generator::Make({.project = "../x"}).ok());
}

TEST(Generator, TellsWhichOptionIsOutOfRangeAndTakesItsBounds) {
  const auto code = [](const GenerateOptions& options) {
    const auto made = Generator::Make(options);
    return made.ok() ? "ok" : std::string(ErrorCodeName(made.error().code));
  };
  EXPECT_EQ(code({.traces = 1, .bugs = 1, .length = 1, .names = 1}), "ok");
  EXPECT_EQ(code({.traces = 0}), "invalid");
  EXPECT_EQ(code({.traces = (1ull << 32) + 1}), "limit");
  EXPECT_EQ(code({.traces = 10, .bugs = 10}), "ok");
  EXPECT_EQ(code({.traces = 10, .bugs = 11}), "invalid");
  EXPECT_EQ(code({.traces = 10, .length = 0}), "invalid");
  EXPECT_EQ(code({.traces = 10, .length = (1u << 24) + 1}), "limit");
  EXPECT_EQ(code({.traces = 10, .names = 0}), "invalid");
  EXPECT_EQ(code({.traces = 10, .names = (1u << 24) + 1}), "limit");
  EXPECT_EQ(code({.traces = 10, .project = ""}), "invalid");
}

TEST(Generator, TheSmallestProgramHasOneMethod) {
  const RunCollector made = Generate({.traces = 3, .length = 1, .names = 1});
  ASSERT_EQ(made.runs.size(), 3u);
  for (const oscope::Run& run : made.runs)
    EXPECT_EQ(made.symbols.name(run.traces.at(0).events.at(0)), GeneratedMethodName(0));
}

TEST(Generator, AnErrorOfTheSinkAtAnyCallEndsIt) {
  const GenerateOptions options{.traces = 12, .length = 5, .names = 20, .depths = true};
  const auto send = [&](RunSink& sink) -> Status {
    Result<Generator> generator = Generator::Make(options);
    while (true) {
      OSCOPE_ASSIGN_OR_RETURN(const bool more, generator->SendNextBug(sink));
      if (!more) return {};
    }
  };
  EXPECT_EQ(FailingSinkProblem(send), "");
  // What was not taken is not counted.
  FailingSink sink(5, Limit("full"));  // the first bug, then the run, its trace, its events and the end of the trace
  Result<Generator> generator = Generator::Make(options);
  EXPECT_EQ(generator->SendNextBug(sink).error().code, ErrorCode::kLimit);
  EXPECT_EQ(generator->stats().bugs, 1u);
  EXPECT_EQ(generator->stats().runs, 0u);
  EXPECT_EQ(generator->stats().events, 0u);
}

TEST(GeneratedMethodName, EveryIndexHasItsOwnName) {
  std::set<std::string> names;
  for (uint32_t i = 0; i < 100'000; ++i) names.insert(GeneratedMethodName(i));
  EXPECT_EQ(names.size(), 100'000u);
}

}  // namespace
}  // namespace oscope
