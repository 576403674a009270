#include "index/tails/tail_table.h"

#include <gtest/gtest.h>

#include <set>

#include "index/sketch/sketch.h"
#include "tests/unit/tails/tail_traces.h"

namespace oscope {
namespace {

TailTable Made(const TailBytes& bytes) {
  auto table = TailTable::Make(bytes.views(), nullptr);
  EXPECT_TRUE(table.ok()) << table.error().message;
  return std::move(table).value();
}

std::vector<std::string> NamesOf(const TailTable& table, const std::vector<uint32_t>& ids) {
  std::vector<std::string> names;
  for (const uint32_t id : ids) names.emplace_back(table.name(id));
  return names;
}

Granularity CoarsestOf(const PlainTrace& trace) {
  if (trace.kind == TraceKind::kStack || trace.events.empty()) return Granularity::kMethod;
  Granularity coarsest = Granularity::kInstruction;
  for (const std::string& event : trace.events) coarsest = std::max(coarsest, ParseEvent(event).granularity);
  return std::min(coarsest, Granularity::kMethod);
}

bool IsFirstOfKindInRun(const std::vector<PlainTrace>& traces, size_t i) {
  for (size_t j = 0; j < i; ++j) {
    if (traces[j].run == traces[i].run && traces[j].kind == traces[i].kind) return false;
  }
  return true;
}

void ExpectRow(const TailTable& table, const std::vector<PlainTrace>& traces, size_t i) {
  const TailRow& row = table.rows()[i];
  const PlainTrace& trace = traces[i];
  EXPECT_EQ(row.run, trace.run);
  EXPECT_EQ(row.event_count, trace.events.size());
  EXPECT_EQ(row.marked_count, trace.mark.value_or(trace.events.size()));
  EXPECT_EQ(std::pair(row.process, row.thread), std::pair(trace.process, trace.thread));
  EXPECT_EQ(row.kind, trace.kind);
  EXPECT_EQ(row.outcome, trace.outcome);
  EXPECT_EQ(row.granularity, CoarsestOf(trace));
  const bool failing = trace.failing_thread ? *trace.failing_thread == ThreadRef{trace.process, trace.thread} : IsFirstOfKindInRun(traces, i);
  EXPECT_EQ(row.failing_thread, failing);
  if (trace.bug.empty()) {
    EXPECT_EQ(row.bug, kNoBug);
  } else {
    EXPECT_EQ(table.bugs()[row.bug], (BugKey{trace.project, trace.bug}));
    EXPECT_EQ(table.FindBug({trace.project, trace.bug}), row.bug);
  }
  for (const size_t length : {size_t{0}, size_t{1}, size_t{50}, size_t{256}, size_t{1000}}) {
    std::vector<uint32_t> tail = {};
    table.AppendTail(i, length, tail);
    EXPECT_EQ(NamesOf(table, tail), trace.Last(std::min<size_t>(length, kTailEvents)));
  }
}

TEST(TailTable, SaysWhatTheTracesAre) {
  std::mt19937_64 random(1);
  for (const size_t max_events : {0u, 3u, 60u, 700u}) {
    for (const size_t names : {1u, 20u, 300u}) {
      const std::vector<PlainTrace> traces = RandomTraces(random, 40, max_events, names);
      const TailBytes bytes = BuildTails(traces, random);
      const TailTable table = Made(bytes);
      ASSERT_EQ(table.size(), traces.size());
      std::map<std::string, uint32_t> with_name;
      for (const PlainTrace& trace : traces) {
        for (const std::string& event : trace.events) with_name.emplace(event, 0);
        const auto last = trace.Last(kSketchEvents);
        for (const std::string& event : std::set<std::string>(last.begin(), last.end())) ++with_name[event];
      }
      ASSERT_EQ(table.names(), with_name.size()) << "names that occur, in tails or not, and no others";
      uint32_t id = 0;
      for (const auto& [name, count] : with_name) {
        EXPECT_EQ(table.name(id), name) << "ids are ranks";
        EXPECT_EQ(table.FindName(name), id);
        EXPECT_EQ(table.traces_with_name()[id], count);
        ++id;
      }
      EXPECT_EQ(table.FindName("added, and never used"), std::nullopt);
      EXPECT_EQ(table.FindName(""), std::nullopt);
      for (size_t i = 0; i < traces.size(); ++i) ExpectRow(table, traces, i);
    }
  }
}

TEST(TailTable, BytesDoNotDependOnChunksOrTheOrderOfNames) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20; ++i) {
    const std::vector<PlainTrace> traces = RandomTraces(random, 10, 500, 50);
    const TailBytes a = BuildTails(traces, random), b = BuildTails(traces, random);
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.column, b.column);
    EXPECT_EQ(a.names, b.names);
    EXPECT_EQ(a.bugs, b.bugs);
  }
}

TEST(TailTable, ManyNamesMakeTheColumnWide) {
  for (const uint32_t names : {kNarrowNames - 1, kNarrowNames, kNarrowNames + 10}) {
    TailBuilder builder;
    std::vector<uint32_t> events;
    for (uint32_t i = 0; i < names; ++i) events.push_back(builder.AddName(fmt::format("{:06}", names - i)));
    builder.BeginTrace({.run = {{1, 2}}, .event_count = names});
    builder.AddEvents(events);
    const TailBytes bytes = builder.Finish();
    const TailTable table = Made(bytes);
    EXPECT_EQ(table.column().wide.empty(), names < kNarrowNames);
    std::vector<uint32_t> tail;
    table.AppendTail(0, 2, tail);
    EXPECT_EQ(NamesOf(table, tail), (std::vector<std::string>{"000002", "000001"}));
    EXPECT_EQ(table.FindName(fmt::format("{:06}", names)), names - 1);
  }
}

TEST(TailTable, AnEmptyOneHasNothing) {
  const TailBytes bytes = TailBuilder().Finish();
  const TailTable table = Made(bytes);
  EXPECT_EQ(table.size(), 0u);
  EXPECT_EQ(table.FindName("x"), std::nullopt);
  EXPECT_EQ(TailTable().FindName("x"), std::nullopt);
}

// Reads all that a table made of broken bytes offers: a sanitizer would tell of a step outside.
void ReadEverything(const TailTable& table) {
  std::vector<uint32_t> tail;
  for (size_t i = 0; i < table.size(); ++i) {
    table.AppendTail(i, kTailEvents, tail);
    const TailRow& row = table.rows()[i];
    if (row.bug != kNoBug) (void)table.bugs()[row.bug].id.size();
  }
  for (const uint32_t id : tail) (void)table.FindName(table.name(id));
}

TEST(TailTable, AnyFlippedByteIsRefusedOrSafe) {
  std::mt19937_64 random(3);
  const TailBytes good = BuildTails(RandomTraces(random, 6, 40, 10), random);
  int refused = 0;
  for (std::string TailBytes::*section : {&TailBytes::rows, &TailBytes::column, &TailBytes::names, &TailBytes::bugs}) {
    for (size_t i = 0; i < (good.*section).size(); ++i) {
      for (const int bit : {0, 4, 7}) {
        TailBytes bytes = good;
        (bytes.*section)[i] = static_cast<char>((bytes.*section)[i] ^ (1 << bit));
        const auto table = TailTable::Make(bytes.views(), nullptr);
        if (table.ok()) {
          ReadEverything(*table);
        } else {
          ++refused;
        }
      }
    }
    for (size_t length = 0; length < (good.*section).size(); ++length) {
      TailBytes bytes = good;
      (bytes.*section).resize(length);
      const auto table = TailTable::Make(bytes.views(), nullptr);
      // Whole rows may be missing: whoever opens the table knows how many there should be.
      const bool fewer_rows = section == &TailBytes::rows && length % sizeof(TailRow) == 0;
      EXPECT_EQ(table.ok(), fewer_rows);
    }
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace oscope
