#include <gtest/gtest.h>

#include "tests/unit/format/sample.h"

namespace oscope {
namespace {

OsctWriterOptions Plain() { return {.compress = false, .level = 1}; }

std::vector<std::string> Files(const Sample& sample) {
  return {Write(sample, Plain()), Write(sample), WriteInManyBlocks(sample, Plain())};
}

TEST(OsctDamage, ACutAtEveryByteIsRefused) {
  for (const std::string& file : Files(ShortSample())) {
    for (size_t cut = 0; cut < file.size(); ++cut) {
      const ReadBack back = Read(std::string_view(file).substr(0, cut));
      ASSERT_FALSE(back.status.ok()) << cut;
      if (cut < osct::kFileHeaderBytes) {
        ASSERT_EQ(back.status.error().code, ErrorCode::kInvalid) << cut;
      } else {
        ASSERT_EQ(back.status.error().code, ErrorCode::kCorrupt) << cut;
        ASSERT_NE(back.status.error().message.find("no trailer; --recover reads the records that are whole"),
                  std::string::npos);
      }
    }
  }
}

TEST(OsctDamage, AnEmptyFileIsRefused) { EXPECT_EQ(Read("").status.error().message, "the file is empty"); }

TEST(OsctDamage, AFlippedBitInEveryByteIsRefused) {
  for (std::string file : Files(ShortSample())) {
    for (size_t at = 0; at < file.size(); ++at) {
      const char flip = static_cast<char>(1 << (at % 8));
      file[at] ^= flip;
      ASSERT_FALSE(Read(file).status.ok()) << at;
      // The records up to the damage, or nothing: never a crash.
      (void)Read(file, true);
      file[at] ^= flip;
    }
  }
}

// Flips every `step`th bit and makes the checksums fit again, so that the decoders of the fields meet it.
void FlipUnderGoodChecksums(const Sample& sample, size_t step) {
  const std::string file = Write(sample, Plain());
  size_t accepted = 0;
  for (size_t bit = 0; bit < file.size() * 8; bit += step) {
    std::string damaged = file;
    damaged[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    damaged = Reseal(std::move(damaged));
    if (damaged == file) continue;
    const ReadBack back = Read(damaged);
    if (!back.status.ok()) continue;
    ++accepted;
    ASSERT_NE(Difference(sample, back.content), "") << "bit " << bit;
    OsctWriter writer([](std::string_view) -> Status { return {}; }, Plain());
    for (const oscope::Run& run : back.content.runs)
      ASSERT_TRUE(SendRun(run, back.content.symbols, writer).ok()) << bit;
  }
  EXPECT_GT(accepted, file.size() / step);
}

TEST(OsctDamage, AFlippedBitUnderAGoodChecksumIsRefusedOrADifferentFile) {
  FlipUnderGoodChecksums(ShortSample(), 1);
  FlipUnderGoodChecksums(FullSample(), 9);
}

TEST(OsctDamage, BytesAfterTheTrailerAreRefused) {
  const std::string file = Write(ShortSample());
  EXPECT_EQ(Read(file + "x").status.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(Read(file + file).status.error().code, ErrorCode::kCorrupt);
}

TEST(OsctDamage, BlocksInAnotherOrderAreRefused) {
  const std::string file = WriteInManyBlocks(ShortSample(), Plain());
  std::vector<std::string> blocks;
  for (size_t at = osct::kFileHeaderBytes; at < file.size();) {
    const size_t size = osct::kBlockHeaderBytes + ByteReader(std::string_view(file).substr(at + 12)).U32();
    blocks.push_back(file.substr(at, size));
    at += size;
  }
  for (size_t i = 0; i + 1 < blocks.size(); ++i) {
    if (blocks[i] == blocks[i + 1]) continue;
    std::swap(blocks[i], blocks[i + 1]);
    std::string swapped = file.substr(0, osct::kFileHeaderBytes);
    for (const std::string& block : blocks) swapped += block;
    EXPECT_FALSE(Read(swapped).status.ok()) << i;
    std::swap(blocks[i], blocks[i + 1]);
  }
}

// What `recovered` holds must be a beginning of `whole`.
void ExpectBeginning(const Sample& whole, const RunCollector& recovered, size_t cut) {
  ASSERT_LE(recovered.bugs.size(), whole.bugs.size());
  ASSERT_TRUE(std::equal(recovered.bugs.begin(), recovered.bugs.end(), whole.bugs.begin()));
  ASSERT_LE(recovered.runs.size(), whole.runs.size());
  for (size_t r = 0; r < recovered.runs.size(); ++r) {
    const oscope::Run& found = recovered.runs[r];
    RunHeader expected = whole.runs[r].header;
    const bool last = r + 1 == recovered.runs.size();
    if (last && found.header.incomplete) expected.incomplete = true;
    ASSERT_EQ(found.header, expected) << cut;
    ASSERT_TRUE(last || found.traces.size() == whole.runs[r].traces.size()) << cut;
    for (size_t t = 0; t < found.traces.size(); ++t) {
      const Trace& trace = found.traces[t];
      const Trace& original = whole.runs[r].traces[t];
      ASSERT_EQ(trace.header.event_count, trace.events.size()) << cut;
      if (trace.events.size() == original.events.size()) {
        ASSERT_EQ(TraceDifference(original, whole.symbols, trace, recovered.symbols), "") << cut;
        continue;
      }
      ASSERT_TRUE(last && t + 1 == found.traces.size() && found.header.incomplete && trace.header.partial) << cut;
      ASSERT_NE(trace.header.partial_note.find("recovered"), std::string::npos);
      ASSERT_TRUE(!trace.header.mark || trace.header.mark->events <= trace.events.size()) << cut;
      for (size_t i = 0; i < trace.events.size(); ++i) {
        ASSERT_EQ(recovered.symbols.name(trace.events[i]), whole.symbols.name(original.events[i])) << cut;
      }
    }
  }
}

TEST(OsctRecover, ACutAtEveryByteGivesABeginning) {
  const Sample sample = ShortSample();
  for (const std::string& file : Files(sample)) {
    uint64_t events_before = 0;
    for (size_t cut = osct::kFileHeaderBytes; cut < file.size(); ++cut) {
      const ReadBack back = Read(std::string_view(file).substr(0, cut), true);
      ASSERT_TRUE(back.status.ok()) << cut << back.status.error().message;
      ASSERT_FALSE(back.report.whole) << cut;
      ASSERT_NE(back.report.lost.find("the upload is cut at byte"), std::string::npos);
      ASSERT_GE(back.report.delivered.events, events_before) << cut;
      events_before = back.report.delivered.events;
      ASSERT_NO_FATAL_FAILURE(ExpectBeginning(sample, back.content, cut));
      ASSERT_EQ(back.content.runs.size(), back.report.delivered.runs);
    }
    // Only the trailer is missing at the last cut.
    EXPECT_EQ(Difference(sample, Read(std::string_view(file).substr(0, file.size() - 1), true).content), "");
  }
}

TEST(OsctRecover, WhatIsRecoveredCanBeWrittenAgain) {
  const std::string file = WriteInManyBlocks(ShortSample());
  for (size_t cut = osct::kFileHeaderBytes; cut < file.size(); cut += 7) {
    OsctWriter writer([](std::string_view) -> Status { return {}; });
    const auto source = MemorySource(std::string_view(file).substr(0, cut));
    ASSERT_TRUE(ReadOsct(*source, writer, {.recover = true, .max_symbol_bytes = 1 << 20}).ok());
    ASSERT_TRUE(writer.Finish().ok());
  }
}

TEST(OsctRecover, SaysWhatWasLost) {
  const std::string file = WriteInManyBlocks(TinySample(), Plain());
  // Up to and with the block of the first event.
  size_t end = osct::kFileHeaderBytes;
  for (int block = 0; block < 3; ++block) {
    end += osct::kBlockHeaderBytes + ByteReader(std::string_view(file).substr(end + 12)).U32();
  }
  const ReadBack back = Read(std::string_view(file).substr(0, end), true);
  ASSERT_TRUE(back.status.ok());
  EXPECT_EQ(back.report.lost, fmt::format("block at byte {0}: the upload is cut at byte {0}: no trailer; run 1 is "
                                          "incomplete, its last trace keeps 1 events",
                                          end));
  ASSERT_EQ(back.content.runs.size(), 1u);
  const TraceHeader& trace = back.content.runs[0].traces.at(0).header;
  EXPECT_EQ(trace.partial_note, "recovered 1 of 2 events");
  EXPECT_FALSE(trace.mark.has_value());
}

TEST(OsctRecover, APipeCannotBeRecovered) {
  struct Pipe : ByteSource {
    Result<size_t> Read(char*, size_t) override { return size_t{0}; }
    Status Rewind() override { return Unsupported("a pipe"); }
  };
  struct Short : Pipe {
    Result<size_t> Read(char* out, size_t max) override { return std::exchange(bytes, "").copy(out, max); }
    std::string bytes = Write(TinySample()).substr(0, osct::kFileHeaderBytes);
  } source;
  RunCollector sink;
  EXPECT_EQ(ReadOsct(source, sink, {.recover = true, .max_symbol_bytes = 1 << 20}).error().code,
            ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace oscope
