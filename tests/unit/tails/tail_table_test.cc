#include "index/tails/tail_table.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "base/bytes.h"
#include "base/checksum.h"
#include "base/limits.h"
#include "index/sketch/sketch.h"
#include "tests/unit/tails/tail_traces.h"
#include "tracer/model/event.h"

namespace oscope {
namespace {

constexpr uint64_t kRowsChecksum = 1375819058266522525u, kColumnChecksum = 12356894301073659902u,
                   kNamesChecksum = 9653434166879873422u, kBugsChecksum = 16895762464225503917u;

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
  const bool failing = trace.failing_thread ? *trace.failing_thread == ThreadRef{trace.process, trace.thread}
                                            : IsFirstOfKindInRun(traces, i);
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

TailBytes OneTrace(uint64_t events, std::optional<uint64_t> mark = std::nullopt) {
  TailBuilder builder;
  std::vector<uint32_t> numbers;
  for (uint64_t i = 0; i < events; ++i) numbers.push_back(builder.AddName(fmt::format("{:04}", i)));
  builder.BeginTrace({.run = {{1, 2}}, .project = "P", .bug = "1", .event_count = events, .mark = mark});
  builder.AddEvents(numbers);
  return builder.Finish();
}

// The last kTailEvents up to the mark, or to the end: one fewer, exactly as many and one more.
TEST(TailTable, ATailHasAsManyEventsAsThereIsRoomFor) {
  for (const uint64_t events : {kTailEvents - 1, kTailEvents, kTailEvents + 1}) {
    for (const uint64_t after_mark : {0, 1, 300}) {
      const TailBytes bytes =
          OneTrace(events + after_mark, after_mark == 0 ? std::nullopt : std::optional<uint64_t>(events));
      const TailTable table = Made(bytes);
      const TailRow& row = table.rows()[0];
      EXPECT_EQ(row.event_count, events + after_mark);
      EXPECT_EQ(row.marked_count, events);
      EXPECT_EQ(row.tail_length, std::min<uint64_t>(events, kTailEvents));
      EXPECT_EQ(table.column().size(), row.tail_length);
      std::vector<uint32_t> tail;
      table.AppendTail(0, 1000, tail);
      EXPECT_EQ(table.name(tail.front()), fmt::format("{:04}", events - row.tail_length));
      EXPECT_EQ(table.name(tail.back()), fmt::format("{:04}", events - 1));
    }
  }
}

// Two projects may have one id, one after the other; so may two ids be one project's.
TEST(TailTable, ABugIsItsProjectAndItsId) {
  const std::vector<BugKey> keys = {{"P", "1"}, {"Q", "1"}, {"Q", "2"}, {"P", "2"}, {"P", "1"}};
  TailBuilder builder;
  const uint32_t name = builder.AddName("a");
  for (size_t i = 0; i < keys.size(); ++i) {
    builder.BeginTrace({.run = {{0, i}}, .project = keys[i].project, .bug = keys[i].id, .event_count = 1});
    builder.AddEvents(std::vector<uint32_t>{name});
  }
  const TailBytes bytes = builder.Finish();
  const TailTable table = Made(bytes);
  EXPECT_EQ(std::vector<BugKey>(table.bugs().begin(), table.bugs().end()),
            (std::vector<BugKey>{{"P", "1"}, {"P", "2"}, {"Q", "1"}, {"Q", "2"}}));
  for (size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(table.bugs()[table.rows()[i].bug], keys[i]) << i;
  EXPECT_EQ(table.FindBug({"P", "0"}), std::nullopt);
  EXPECT_EQ(table.FindBug({"P", "3"}), std::nullopt);
  EXPECT_EQ(table.FindBug({"R", "1"}), std::nullopt);
}

TEST(TailBuilderDeathTest, ATraceThatIsNotWholeIsNotFinished) {
  TailBuilder builder;
  const uint32_t name = builder.AddName("a");
  EXPECT_TRUE(builder.complete());
  EXPECT_FALSE(builder.continues_at(0));
  builder.BeginTrace({.run = {{0, 1}}, .event_count = 3});
  EXPECT_TRUE(builder.continues_at(0));
  builder.AddEvents(std::vector<uint32_t>{name, name});
  EXPECT_FALSE(builder.complete());
  EXPECT_TRUE(builder.continues_at(2));
  EXPECT_FALSE(builder.continues_at(1));
  EXPECT_DEATH((void)builder.Finish(), "");
  builder.AddEvents(std::vector<uint32_t>{name});
  EXPECT_TRUE(builder.complete());
  EXPECT_EQ(builder.size(), 1u);
  (void)builder.Finish();
  EXPECT_EQ(builder.size(), 0u);
}

// What is stored must not change by itself: segments of other releases are read in place.
TEST(TailTable, StoredBytesStayAsTheyAre) {
  std::mt19937_64 random(4);
  const TailBytes bytes = BuildTails(RandomTraces(random, 50, 300, 40), random);
  EXPECT_EQ(Xxh3(bytes.rows), kRowsChecksum);
  EXPECT_EQ(Xxh3(bytes.column), kColumnChecksum);
  EXPECT_EQ(Xxh3(bytes.names), kNamesChecksum);
  EXPECT_EQ(Xxh3(bytes.bugs), kBugsChecksum);
}

// Writes a value over the bytes of a section.
template <typename Value>
void Put(std::string& section, size_t at, Value value) {
  ASSERT_LE(at + sizeof(value), section.size());
  std::memcpy(section.data() + at, &value, sizeof(value));
}

std::string WhyRefused(const TailBytes& bytes) {
  const auto table = TailTable::Make(bytes.views(), nullptr);
  return table.ok() ? "" : table.error().message;
}

// A trace of three events with the names 0000, 0001, 0002, of bug P-1; eight slots. Each field in turn is at its bound,
// then beyond it.
class BrokenTailsTest : public testing::Test {
 protected:
  void ExpectRow(const char* what, size_t offset, auto value, bool good) {
    TailBytes bytes = good_;
    Put(bytes.rows, offset, value);
    EXPECT_EQ(WhyRefused(bytes), good ? "" : "row 0 of the tails is broken") << what;
  }

  const TailBytes good_ = OneTrace(3);
  static constexpr size_t kOffsets = 8, kCounts = kOffsets + 4 * 8, kSlots = kCounts + 3 * 4;
};

TEST_F(BrokenTailsTest, EveryFieldOfARowIsChecked) {
  ASSERT_EQ(WhyRefused(good_), "");
  ExpectRow("more events than up to the mark", offsetof(TailRow, event_count), uint64_t{4}, true);
  ExpectRow("fewer events than up to the mark", offsetof(TailRow, event_count), uint64_t{2}, false);
  ExpectRow("a tail that is not as long as the marked events", offsetof(TailRow, marked_count), uint64_t{2}, false);
  ExpectRow("a tail of one event less", offsetof(TailRow, tail_length), uint16_t{2}, false);
  ExpectRow("a tail that ends one event behind the column", offsetof(TailRow, tail_begin), uint64_t{1}, false);
  ExpectRow("a tail that begins behind the column", offsetof(TailRow, tail_begin), uint64_t{4}, false);
  ExpectRow("a tail so far away that its end comes round again", offsetof(TailRow, tail_begin), UINT64_MAX, false);
  ExpectRow("no bug", offsetof(TailRow, bug), kNoBug, true);
  ExpectRow("a bug that is not there", offsetof(TailRow, bug), uint32_t{1}, false);
  ExpectRow("the greatest kind", offsetof(TailRow, kind), static_cast<uint8_t>(TraceKind::kStack), true);
  ExpectRow("a kind above it", offsetof(TailRow, kind),
            static_cast<uint8_t>(static_cast<uint8_t>(TraceKind::kStack) + 1), false);
  ExpectRow("the greatest outcome", offsetof(TailRow, outcome), static_cast<uint8_t>(Outcome::kTimeout), true);
  ExpectRow("an outcome above it", offsetof(TailRow, outcome),
            static_cast<uint8_t>(static_cast<uint8_t>(Outcome::kTimeout) + 1), false);
  ExpectRow("the greatest granularity", offsetof(TailRow, granularity), static_cast<uint8_t>(Granularity::kMethod),
            true);
  ExpectRow("a granularity above it", offsetof(TailRow, granularity),
            static_cast<uint8_t>(static_cast<uint8_t>(Granularity::kMethod) + 1), false);
  ExpectRow("a flag", offsetof(TailRow, failing_thread), uint8_t{0}, true);
  ExpectRow("a flag that is neither", offsetof(TailRow, failing_thread), uint8_t{2}, false);
}

TEST_F(BrokenTailsTest, TheSecondRowIsNamed) {
  TailBytes bytes = good_;
  bytes.rows += bytes.rows;
  EXPECT_EQ(WhyRefused(bytes), "");
  Put(bytes.rows, sizeof(TailRow) + offsetof(TailRow, bug), uint32_t{1});
  EXPECT_EQ(WhyRefused(bytes), "row 1 of the tails is broken");
}

TEST_F(BrokenTailsTest, NamesAreChecked) {
  const auto refused = [&](size_t at, auto value) {
    TailBytes bytes = good_;
    Put(bytes.names, at, value);
    return WhyRefused(bytes);
  };
  EXPECT_EQ(refused(4, uint32_t{7}), "7 slots for 3 names");
  EXPECT_EQ(refused(4, uint32_t{2}), "2 slots for 3 names") << "a name without a slot";
  EXPECT_EQ(refused(0, UINT32_MAX), fmt::format("8 slots for {} names", UINT32_MAX));
  EXPECT_EQ(refused(kOffsets, uint64_t{1}), "the offsets of the names do not ascend to their end");
  EXPECT_EQ(refused(kOffsets + 8, uint64_t{9}), "the offsets of the names do not ascend to their end");
  EXPECT_EQ(refused(kOffsets + 3 * 8, uint64_t{11}), "the offsets of the names do not ascend to their end");
  EXPECT_EQ(refused(kOffsets + 3 * 8, uint64_t{13}), "the offsets of the names do not ascend to their end");
  EXPECT_EQ(refused(kSlots, uint32_t{3}), "") << "the last name";
  EXPECT_EQ(refused(kSlots, uint32_t{4}), "the table of names refers to a name that is not there");
}

TEST_F(BrokenTailsTest, AsManySlotsAsNamesAreTooFew) {
  TailBuilder builder;
  std::vector<uint32_t> events;
  for (const char* name : {"a", "b", "c", "d"}) events.push_back(builder.AddName(name));
  builder.BeginTrace({.run = {{1, 2}}, .event_count = 4});
  builder.AddEvents(events);
  TailBytes bytes = builder.Finish();
  Put(bytes.names, 4, uint32_t{4});
  EXPECT_EQ(WhyRefused(bytes), "4 slots for 4 names");
}

TEST_F(BrokenTailsTest, ALookupEndsInATableWithoutAnEmptySlot) {
  TailBytes bytes = good_;
  for (size_t slot = 0; slot < 8; ++slot) Put(bytes.names, kSlots + slot * 4, uint32_t{1});
  const auto table = TailTable::Make(bytes.views(), nullptr);
  ASSERT_TRUE(table.ok()) << table.error().message;
  EXPECT_EQ(table->FindName("0002"), std::nullopt);
  EXPECT_EQ(table->FindName("0000"), 0u);
}

TEST_F(BrokenTailsTest, TheColumnIsChecked) {
  TailBytes bytes = good_;
  Put(bytes.column, 4, uint16_t{0});
  EXPECT_EQ(WhyRefused(bytes), "");
  Put(bytes.column, 4, uint16_t{3});
  EXPECT_EQ(WhyRefused(bytes), "a tail has event 3 of 3 names");
  bytes = good_;
  bytes.column += 'x';
  EXPECT_EQ(WhyRefused(bytes), "the column of tails ends inside an event");
  bytes.column += 'x';
  EXPECT_EQ(WhyRefused(bytes), fmt::format("a tail has event {} of 3 names", 'x' * 256 + 'x'));
}

TEST_F(BrokenTailsTest, BugsAscendAndAreNotTooLong) {
  const auto bugs = [&](const std::vector<BugKey>& keys, size_t announced) {
    ByteWriter out;
    out.Varint(announced);
    for (const BugKey& key : keys) {
      out.String(key.project);
      out.String(key.id);
    }
    TailBytes bytes = good_;
    bytes.bugs = out.Take();
    return WhyRefused(bytes);
  };
  EXPECT_EQ(bugs({{"P", "1"}, {"P", "2"}}, 2), "");
  EXPECT_NE(bugs({{"P", "1"}, {"P", "1"}}, 2).find("the bugs do not ascend"), std::string::npos);
  EXPECT_NE(bugs({{"P", "2"}, {"P", "1"}}, 2).find("the bugs do not ascend"), std::string::npos);
  EXPECT_NE(bugs({{"P", "1"}, {"P", "2"}}, 1), "") << "bytes are left over";
  EXPECT_NE(bugs({{"P", "1"}, {"P", "2"}}, 3), "") << "bytes are missing";
  EXPECT_EQ(bugs({{std::string(limits::kMaxIdBytes, 'P'), std::string(limits::kMaxIdBytes, '1')}}, 1), "");
  EXPECT_NE(bugs({{std::string(limits::kMaxIdBytes + 1, 'P'), "1"}}, 1), "");
  EXPECT_NE(bugs({{"P", std::string(limits::kMaxIdBytes + 1, '1')}}, 1), "");
}

TEST_F(BrokenTailsTest, SectionsAreAligned) {
  for (std::string_view TailSections::* section : {&TailSections::rows, &TailSections::column, &TailSections::names}) {
    TailSections sections = good_.views();
    std::vector<uint64_t> words((sections.*section).size() / 8 + 2);
    char* const moved = reinterpret_cast<char*>(words.data()) + 4;
    std::memcpy(moved, (sections.*section).data(), (sections.*section).size());
    sections.*section = {moved, (sections.*section).size()};
    const auto table = TailTable::Make(sections, nullptr);
    ASSERT_FALSE(table.ok());
    EXPECT_EQ(table.error().message, "a section of the tails is not aligned");
  }
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
  for (std::string TailBytes::* section : {&TailBytes::rows, &TailBytes::column, &TailBytes::names, &TailBytes::bugs}) {
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
