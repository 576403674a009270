// Raw recordings at their bounds: the last word of a record and of a chunk, the last site, the last byte of an escape.
#include <gtest/gtest.h>

#include "tests/unit/raw/raw_bytes.h"

namespace oscope::raw {
namespace {

ErrorCode CodeOf(const std::function<void(OscRawHeader&)>& change) {
  RawBytes bytes;
  const std::span<const std::byte> file = bytes.Entry(1, 1).File();
  std::vector<uint64_t> copy(file.size() / 8);
  std::memcpy(copy.data(), file.data(), file.size());
  OscRawHeader header;
  std::memcpy(&header, copy.data(), sizeof header);
  change(header);
  std::memcpy(copy.data(), &header, sizeof header);
  const Result<ProcessRecording> recording = ProcessRecording::Parse(std::as_bytes(std::span(copy)));
  EXPECT_FALSE(recording.ok());
  return recording.ok() ? ErrorCode::kInvalid : recording.error().code;
}

TEST(RawHeader, HasToBeRightInEveryField) {
  EXPECT_EQ(CodeOf([](OscRawHeader& header) { header.magic ^= 1; }), ErrorCode::kCorrupt);
  EXPECT_EQ(CodeOf([](OscRawHeader& header) { header.version = 0; }), ErrorCode::kUnsupported);
  EXPECT_EQ(CodeOf([](OscRawHeader& header) { header.chunk_bytes /= 2; }), ErrorCode::kCorrupt);
  std::vector<uint64_t> zeros(OSC_RAW_HEADER_BYTES / 8 + 1);
  const OscRawHeader header = {.magic = OSC_RAW_EVENTS_MAGIC,
                               .version = OSC_RAW_VERSION,
                               .chunk_bytes = OSC_RAW_CHUNK_BYTES,
                               .ring_chunks = 0,
                               .flags = 0,
                               .chunks = 0,
                               .process = 0,
                               .parent = 0,
                               .parent_sites = 0,
                               .parent_objects = 0,
                               .origin = 0,
                               .pid = 0};
  std::memcpy(zeros.data(), &header, sizeof header);
  const std::span<const std::byte> bytes = std::as_bytes(std::span(zeros));
  EXPECT_TRUE(ProcessRecording::Parse(bytes.first(OSC_RAW_HEADER_BYTES)).ok()) << "a header alone";
  EXPECT_FALSE(ProcessRecording::Parse(bytes.first(OSC_RAW_HEADER_BYTES - 1)).ok());
  std::memcpy(reinterpret_cast<char*>(zeros.data()) + 2, &header, sizeof header);
  EXPECT_EQ(ProcessRecording::Parse(bytes.subspan(2, OSC_RAW_HEADER_BYTES)).error().message,
            "events of a recording: not aligned");
}

TEST(RawChunks, ThatAreOverwrittenAreCounted) {
  RawBytes bytes;
  bytes.Entry(1, 1).Chunk(0).Entry(2, 1).Chunk(1);
  const std::span<const std::byte> file = bytes.File();
  std::vector<uint64_t> copy(file.size() / 8);
  std::memcpy(copy.data(), file.data(), file.size());
  reinterpret_cast<char*>(copy.data())[OSC_RAW_HEADER_BYTES] ^= 1;
  const Result<ProcessRecording> recording = ProcessRecording::Parse(std::as_bytes(std::span(copy)));
  ASSERT_TRUE(recording.ok());
  EXPECT_EQ(recording->damaged(), 1u);
  EXPECT_TRUE(recording->overwritten()) << "the first chunk is gone";
  const Result<ProcessRecording> whole = ProcessRecording::Parse(file);
  EXPECT_EQ(whole->damaged(), 0u);
  EXPECT_FALSE(whole->overwritten());
}

TEST(RawChunks, MayBeFullToTheLastWord) {
  struct Counter {
    uint64_t statements = 0, entries = 0, words = 0;
    void OnThread(uint32_t) {}
    void OnEntry(uint32_t, uint32_t) { ++entries; }
    void OnBranch(uint32_t, bool) {}
    void OnStatement(uint32_t) { ++statements; }
    void OnInstruction(uint32_t) {}
    void OnExtended(ExtendedRecord& record) {
      while (record.Word(), !record.bad()) ++words;
    }
  };
  constexpr uint32_t kWords = (OSC_RAW_CHUNK_BYTES - OSC_RAW_CHUNK_HEADER_BYTES) / sizeof(uint32_t);
  const auto visit = [&](const std::vector<uint32_t>& last) {
    RawBytes bytes;
    for (uint32_t i = 0; i < kWords - last.size(); ++i) bytes.Statement(1);
    bytes.Add(last);
    const Result<ProcessRecording> recording = ProcessRecording::Parse(bytes.File());
    Counter counter;
    const uint64_t broken = recording->Visit(counter);
    return fmt::format("{} {} {} broken {}", counter.statements == kWords - last.size(), counter.entries, counter.words,
                       broken);
  };
  EXPECT_EQ(visit({}), "true 0 0 broken 0");
  EXPECT_EQ(visit({OSC_RAW_WORD(OSC_RAW_ENTRY, 1), 5}), "true 1 0 broken 0");
  EXPECT_EQ(visit({OSC_RAW_WORD(OSC_RAW_ENTRY, 1)}), "true 0 0 broken 1") << "its second word is missing";
  EXPECT_EQ(visit({OSC_RAW_EXTENDED_WORD(OSC_RAW_MARK, 2), 1, 1}), "true 0 2 broken 0");
  EXPECT_EQ(visit({OSC_RAW_EXTENDED_WORD(OSC_RAW_MARK, 3), 1, 1}), "true 0 0 broken 1");
}

TEST(RawTexts, MayFillARecord) {
  for (const std::string_view text : {"", "a", "abc", "abcd", "abcde"}) {
    const std::vector<uint32_t> words = TextWords(text);
    ExtendedRecord record(OSC_RAW_MARK, words);
    EXPECT_EQ(record.Text(), text);
    EXPECT_FALSE(record.bad()) << text;
    EXPECT_EQ(record.Text(), std::nullopt);
    EXPECT_TRUE(record.bad()) << "there is no more";
  }
  const std::vector<uint32_t> short_by_one = {5, 0};
  ExtendedRecord record(OSC_RAW_MARK, short_by_one);
  EXPECT_EQ(record.Text(), std::nullopt);
  EXPECT_TRUE(record.bad());
  const std::vector<uint32_t> half = {7};
  ExtendedRecord wide(OSC_RAW_MARK, half);
  EXPECT_EQ(wide.Wide(), 7u);
  EXPECT_TRUE(wide.bad());
}

TEST(SiteLines, AreTakenOrRefusedWithTheirNumber) {
  const std::pair<std::string, bool> lines[] = {
      {"object 0 0 /a", true},      {"object 0 0", false},
      {"object 0 0 /a%41", true},   {"object 0 0 /a%4", false},
      {"object 0 0 /a%", false},    {"object 0 0 /a%4g", false},
      {"object 0 0 /a b", false},   {"object 1 0 /a", false},
      {"object x 0 /a", false},     {"object 0 g /a", false},
      {"site 0 m - 10", true},      {"site 0 b - 10", true},
      {"site 0 s - 10", true},      {"site 0 i - 10", true},
      {"site 0 c - 10", true},      {"site 0 x - 10", false},
      {"site 0 mm - 10", false},    {"site 0 m - 10 f", true},
      {"site 0 m - 10 f%", false},  {"site 0 m - 10 f g", false},
      {"site 0 m - 1g", false},     {"site 0 m -", false},
      {"site 0 m", false},          {"site x m - 10", false},
      {"site 0 m 0 10", false},     {"site 0 m x 10", false},
      {"site 0 m -1 10", false},    {"site 65536 m - 10", true},
      {"site 65537 m - 10", false}, {"thread 0 77", true},
      {"thread 0", false},          {"thread 0 x", false},
      {"thread 0 77 x", false},     {"note", true},
      {"note a b", true},           {"", false},
      {"sites 0 m - 10", false},    {"site 18446744073709551616 m - 10", false},
  };
  for (const auto& [line, is_good] : lines) {
    SiteTable table;
    const Status status = table.Add("note x\n" + line + "\n");
    EXPECT_EQ(status.ok(), is_good) << line;
    if (!status.ok()) {
      EXPECT_EQ(status.error().message, "sites, line 2: not understood") << line;
    }
  }
}

TEST(SiteLines, SayWhatTheySay) {
  SiteTable table;
  ASSERT_TRUE(table
                  .Add("object 0 1f /a%25%0a\nobject 1 0 /b\nsite 0 b 1 ff f%20g\nsite 0 s 0 10\nsite 1 i 1 20\nnote a "
                       " b\nnote\nnote cut")
                  .ok());
  EXPECT_EQ(table.objects[0].path, "/a%\n");
  EXPECT_EQ(table.objects[0].bias, 0x1fu);
  EXPECT_EQ(table.sites[0].kind, SiteKind::kStatement) << "the last line of a number counts";
  EXPECT_EQ(table.sites[0].object, 0u);
  EXPECT_EQ(table.sites[1].kind, SiteKind::kInstruction);
  EXPECT_EQ(table.sites[1].object, 1u);
  EXPECT_EQ(table.notes, (std::vector<std::string>{"a  b", ""}));
  const SiteTable all = table.Head(9, 9);
  EXPECT_EQ(all.sites.size(), 2u);
  EXPECT_EQ(all.objects.size(), 2u);
  EXPECT_TRUE(all.notes.empty()) << "notes are the parent's own";
  EXPECT_EQ(table.Head(1, 1).sites.at(0).kind, SiteKind::kStatement);
  EXPECT_EQ(table.Head(2, 1).sites.at(1).kind, SiteKind::kNone);
}

}  // namespace
}  // namespace oscope::raw
