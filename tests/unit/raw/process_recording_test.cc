#include "tracer/raw/process_recording.h"

#include <gtest/gtest.h>

#include "tests/unit/raw/raw_bytes.h"

namespace oscope::raw {
namespace {

// The records as text, one a word.
struct Printer {
  std::string text;
  void OnThread(uint32_t thread) { text += fmt::format("T{} ", thread); }
  void OnEntry(uint32_t site, uint32_t sp) { text += fmt::format("E{}@{} ", site, sp); }
  void OnBranch(uint32_t site, bool taken) { text += fmt::format("B{}{} ", site, taken ? '+' : '-'); }
  void OnStatement(uint32_t site) { text += fmt::format("S{} ", site); }
  void OnInstruction(uint32_t site) { text += fmt::format("I{} ", site); }
  void OnExtended(ExtendedRecord& record) {
    text += fmt::format("X{}:{} ", static_cast<int>(record.type()), record.Word());
  }
};

std::string Print(const ProcessRecording& recording, uint64_t* broken = nullptr) {
  Printer printer;
  const uint64_t count = recording.Visit(printer);
  if (broken != nullptr) *broken = count;
  return printer.text;
}

TEST(ProcessRecordingTest, ReadsEveryKindInOrder) {
  RawBytes bytes;
  bytes.Entry(3, 100).Branch(4, true).Branch(4, false).Statement(5).Thread(2).Add({OSC_RAW_WORD(OSC_RAW_INSTR, 6)});
  bytes.Extended(OSC_RAW_EXIT, {7}).Entry(3, 90);
  const Result<ProcessRecording> recording = ProcessRecording::Parse(bytes.File());
  ASSERT_TRUE(recording.ok()) << recording.error().message;
  EXPECT_EQ(Print(*recording), "T0 E3@100 B4+ B4- S5 T2 I6 X5:7 E3@90 ");
  EXPECT_FALSE(recording->overwritten());
  EXPECT_TRUE(recording->finished());
}

TEST(ProcessRecordingTest, PutsChunksInTheOrderOfTheirSequence) {
  RawBytes bytes;
  bytes.Entry(2, 1).Chunk(8, 1).Entry(0, 1).Chunk(6).Entry(1, 1).Chunk(7);
  const Result<ProcessRecording> recording = ProcessRecording::Parse(bytes.File());
  ASSERT_TRUE(recording.ok());
  EXPECT_EQ(Print(*recording), "T0 E0@1 T0 E1@1 T1 E2@1 ");
  EXPECT_TRUE(recording->overwritten()) << "six older chunks are gone";
}

TEST(ProcessRecordingTest, LeavesOutWhatAKillCutOff) {
  RawBytes bytes;
  bytes.Entry(1, 5).Extended(OSC_RAW_MARK, {1, 2}).Chunk(0);
  bytes.Entry(9, 9).Chunk(1);
  std::span<const std::byte> file = bytes.File(0);
  // A slot that was zeroed and has no header yet, and a file that ends inside a chunk.
  std::vector<uint64_t> copy(file.size() / 8);
  std::memcpy(copy.data(), file.data(), file.size());
  std::memset(reinterpret_cast<char*>(copy.data()) + OSC_RAW_HEADER_BYTES + OSC_RAW_CHUNK_BYTES, 0,
              OSC_RAW_CHUNK_HEADER_BYTES);
  const Result<ProcessRecording> recording =
      ProcessRecording::Parse(std::as_bytes(std::span(copy)).first(file.size() - 100));
  ASSERT_TRUE(recording.ok());
  EXPECT_EQ(Print(*recording), "T0 E1@5 X1:1 ");
  EXPECT_FALSE(recording->finished());
}

TEST(ProcessRecordingTest, CountsRecordsThatLie) {
  RawBytes bytes;
  bytes.Entry(1, 5).Add({OSC_RAW_EXTENDED_WORD(OSC_RAW_MARK, 0xffffff)}).Chunk(0);
  bytes.Entry(2, 5).Add({OSC_RAW_WORD(7, 1)}).Entry(3, 5).Chunk(1);
  const Result<ProcessRecording> recording = ProcessRecording::Parse(bytes.File());
  ASSERT_TRUE(recording.ok());
  uint64_t broken = 0;
  EXPECT_EQ(Print(*recording, &broken), "T0 E1@5 T0 E2@5 ");
  EXPECT_EQ(broken, 2u);
}

TEST(ProcessRecordingTest, RefusesWhatIsNoRecording) {
  RawBytes bytes;
  std::span<const std::byte> file = bytes.File();
  EXPECT_EQ(ProcessRecording::Parse(file.first(100)).error().code, ErrorCode::kCorrupt);
  std::vector<uint64_t> copy(file.size() / 8);
  std::memcpy(copy.data(), file.data(), file.size());
  copy[0] ^= 1;
  EXPECT_EQ(ProcessRecording::Parse(std::as_bytes(std::span(copy))).error().code, ErrorCode::kCorrupt);
  copy[0] ^= 1;
  copy[1] += 1;  // the version
  EXPECT_EQ(ProcessRecording::Parse(std::as_bytes(std::span(copy))).error().code, ErrorCode::kUnsupported);
}

TEST(ExtendedRecordTest, TextsAndNumbersEndWithTheRecord) {
  std::vector<uint32_t> words = TextWords("hello");
  words.insert(words.end(), {OSC_RAW_NO_TEXT, 7, 1});
  ExtendedRecord record(OSC_RAW_MARK, words);
  EXPECT_EQ(record.Text(), "hello");
  EXPECT_EQ(record.Text(), std::nullopt);
  EXPECT_EQ(record.Wide(), (uint64_t{1} << 32) + 7);
  EXPECT_FALSE(record.bad());
  EXPECT_EQ(record.Word(), 0u);
  EXPECT_TRUE(record.bad());

  const std::vector<uint32_t> lie = {1000, 0};
  ExtendedRecord lying(OSC_RAW_MARK, lie);
  EXPECT_EQ(lying.Text(), std::nullopt);
  EXPECT_TRUE(lying.bad());
}

}  // namespace
}  // namespace oscope::raw
