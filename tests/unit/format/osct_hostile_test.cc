#include <gtest/gtest.h>
#include <zstd.h>

#include "base/limits.h"
#include "tests/unit/format/sample.h"
#include "tracer/format/osct_records.h"

namespace oscope {
namespace {

using osct::RecordKind;

void PutRecord(RecordKind kind, std::string_view payload, ByteWriter& out) {
  out.Varint(static_cast<uint64_t>(kind));
  out.String(payload);
}

// A run and a trace of one symbol and 10 events, open for what the test adds.
ByteWriter OpenTrace(const TraceHeader& trace) {
  ByteWriter raw;
  ByteWriter payload;
  osct::EncodeRun(TinySample().runs[0].header, payload);
  PutRecord(RecordKind::kRun, payload.Take(), raw);
  osct::EncodeSymbol("main", {}, payload);
  PutRecord(RecordKind::kSymbols, payload.Take(), raw);
  osct::EncodeTrace(trace, payload);
  PutRecord(RecordKind::kTrace, payload.Take(), raw);
  return raw;
}

TraceHeader TenEvents() {
  TraceHeader trace;
  trace.event_count = 10;
  return trace;
}

Error ErrorOf(std::string_view file) {
  const ReadBack back = Read(file);
  return back.status.ok() ? Error{ErrorCode::kBusy, "no error"} : back.status.error();
}

Error ErrorAfter(ByteWriter raw, RecordKind kind, const ByteWriter& payload) {
  PutRecord(kind, payload.bytes(), raw);
  return ErrorOf(Seal(raw.bytes()));
}

constexpr uint64_t kHuge[] = {1ull << 63, UINT64_MAX, UINT64_MAX - 7, 1ull << 32};

TEST(OsctHostile, AnotherVersionIsNamed) {
  std::string file = Write(TinySample());
  file[4] = 9;
  EXPECT_EQ(ErrorOf(file).code, ErrorCode::kUnsupported);
  EXPECT_EQ(ErrorOf(file).message, ".osct version 9: this release reads 1 to 2");
  EXPECT_EQ(Read(file, true).status.error().code, ErrorCode::kUnsupported);
  file[4] = 0;
  EXPECT_EQ(ErrorOf(file).code, ErrorCode::kUnsupported);
}

TEST(OsctHostile, AnotherFormatIsNamed) {
  EXPECT_EQ(ErrorOf("PAR1PAR1PAR1").code, ErrorCode::kInvalid);
  EXPECT_EQ(ErrorOf("PAR1PAR1PAR1").message, "not an .osct file: it does not begin with OSCT");
}

TEST(OsctHostile, AnUnknownRecordKindIsNamed) {
  const Error error = ErrorAfter({}, static_cast<RecordKind>(99), {});
  EXPECT_EQ(error.code, ErrorCode::kUnsupported);
  EXPECT_EQ(error.message, "block at byte 8: record kind 99 is unknown: this release knows 1 to 9");
}

TEST(OsctHostile, RecordsOutOfPlaceAreRefused) {
  ByteWriter payload;
  osct::EncodeTrace(TenEvents(), payload);
  EXPECT_EQ(ErrorAfter({}, RecordKind::kTrace, payload).code, ErrorCode::kCorrupt);
  EXPECT_EQ(ErrorAfter(OpenTrace(TenEvents()), RecordKind::kTrace, payload).code, ErrorCode::kCorrupt);
  for (const RecordKind kind : {RecordKind::kEvents, RecordKind::kTraceEnd, RecordKind::kRunEnd}) {
    EXPECT_EQ(ErrorAfter({}, kind, {}).code, ErrorCode::kCorrupt);
  }
  payload.clear();
  Bug bug;
  bug.key = {"demo", "1"};
  osct::EncodeBug(bug, payload);
  EXPECT_EQ(ErrorAfter(OpenTrace(TenEvents()), RecordKind::kBug, payload).code, ErrorCode::kCorrupt);
}

TEST(OsctHostile, ARecordLongerThanItsBlockIsRefused) {
  for (const uint64_t length : kHuge) {
    ByteWriter raw;
    raw.Varint(1);
    raw.Varint(length);
    EXPECT_EQ(ErrorOf(Seal(raw.bytes())).code, ErrorCode::kCorrupt);
  }
}

TEST(OsctHostile, HugeLengthsOfTextsMeetTheLimit) {
  for (const uint64_t length : kHuge) {
    ByteWriter payload;
    payload.Varint(length);
    EXPECT_EQ(ErrorAfter({}, RecordKind::kSymbols, payload).code, ErrorCode::kLimit);
    EXPECT_EQ(ErrorAfter({}, RecordKind::kBug, payload).code, ErrorCode::kLimit);
    ByteWriter run;
    run.U64(1);
    run.U64(2);
    run.Varint(length);
    EXPECT_EQ(ErrorAfter({}, RecordKind::kRun, run).code, ErrorCode::kLimit);
  }
}

TEST(OsctHostile, HugeCountsOfEventsMeetTheLimit) {
  for (const uint64_t count : kHuge) {
    ByteWriter payload;
    payload.Varint(count);
    payload.U8(1);
    EXPECT_EQ(ErrorAfter(OpenTrace(TenEvents()), RecordKind::kEvents, payload).code, ErrorCode::kLimit);
    TraceHeader trace;
    trace.event_count = std::max(count, limits::kMaxTraceEvents + 1);
    EXPECT_EQ(ErrorOf(Seal(OpenTrace(trace).bytes())).code, ErrorCode::kLimit);
  }
}

TEST(OsctHostile, ASymbolNameOfTenMegabytesMeetsTheLimit) {
  ByteWriter payload;
  osct::EncodeSymbol(std::string(10 << 20, 'x'), {}, payload);
  const Error error = ErrorAfter({}, RecordKind::kSymbols, payload);
  EXPECT_EQ(error.code, ErrorCode::kLimit);
  EXPECT_EQ(error.message, "block at byte 8: record 1 (symbols): symbol name: 10485760 is over the limit of 65536");
}

TEST(OsctHostile, ADepthOfTenMillionMeetsTheLimit) {
  TraceHeader trace = TenEvents();
  trace.has_depths = true;
  for (const int64_t depth : {int64_t{10'000'000}, int64_t{limits::kMaxDepth} + 1, int64_t{-1}}) {
    ByteWriter payload;
    payload.Varint(1);
    payload.U8(1);
    payload.U8(0);
    payload.ZigZag(depth);
    EXPECT_EQ(ErrorAfter(OpenTrace(trace), RecordKind::kEvents, payload).code, ErrorCode::kLimit) << depth;
  }
}

TEST(OsctHostile, EventsWithoutSymbolsAreRefused) {
  for (const uint32_t id : {1u, 255u, 256u, UINT32_MAX}) {
    ByteWriter payload;
    payload.Varint(1);
    payload.U8(id < 256 ? 1 : 0);
    id < 256 ? payload.U8(static_cast<uint8_t>(id)) : payload.Varint(id);
    const Error error = ErrorAfter(OpenTrace(TenEvents()), RecordKind::kEvents, payload);
    EXPECT_EQ(error.message, fmt::format("block at byte 8: record 4 (events): event id {}: 1 symbols are defined", id));
  }
}

TEST(OsctHostile, MoreOrFewerEventsThanAnnouncedAreRefused) {
  ByteWriter payload;
  payload.Varint(11);
  payload.U8(1);
  payload.Bytes(std::string(11, '\0'));
  EXPECT_EQ(ErrorAfter(OpenTrace(TenEvents()), RecordKind::kEvents, payload).code, ErrorCode::kCorrupt);
  ByteWriter end;
  osct::EncodeTraceEnd(10, end);
  EXPECT_EQ(ErrorAfter(OpenTrace(TenEvents()), RecordKind::kTraceEnd, end).code, ErrorCode::kCorrupt);
}

TEST(OsctHostile, AMarkBeyondTheEventsIsRefused) {
  TraceHeader trace = TenEvents();
  trace.mark = FailureMark{11, "abort"};
  EXPECT_EQ(ErrorOf(Seal(OpenTrace(trace).bytes())).code, ErrorCode::kInvalid);
}

TEST(OsctHostile, ATraceThatComesTwiceIsRefused) {
  ByteWriter raw = OpenTrace(TraceHeader());
  ByteWriter payload;
  osct::EncodeTraceEnd(0, payload);
  PutRecord(RecordKind::kTraceEnd, payload.Take(), raw);
  osct::EncodeTrace(TraceHeader(), payload);
  EXPECT_EQ(ErrorAfter(raw, RecordKind::kTrace, payload).message,
            "block at byte 8: record 5 (trace): trace 0.0 execution comes twice in a run");
}

TEST(OsctHostile, IdsThatAreNotSafeAreRefused) {
  for (const char* id : {"../../etc/passwd", "%2e%2e", "a/b", ""}) {
    Bug bug;
    bug.key = {"demo", id};
    ByteWriter payload;
    osct::EncodeBug(bug, payload);
    EXPECT_EQ(ErrorAfter({}, RecordKind::kBug, payload).code, ErrorCode::kInvalid) << id;
  }
}

TEST(OsctHostile, SymbolsMayNotFillTheMemory) {
  ByteWriter payload;
  for (int i = 0; i < 1'000; ++i) osct::EncodeSymbol("", {}, payload);
  ByteWriter raw;
  PutRecord(RecordKind::kSymbols, payload.bytes(), raw);
  const std::string file = Seal(raw.bytes());
  RunCollector sink;
  EXPECT_EQ(ReadOsct(*MemorySource(file), sink, {.recover = false, .max_symbol_bytes = 100'000}).error().code,
            ErrorCode::kLimit);
  EXPECT_TRUE(ReadOsct(*MemorySource(file), sink).ok());
}

// A block with the given header fields and stored bytes, under a checksum that fits.
std::string BlockOf(uint8_t codec, uint32_t stored, uint32_t raw, std::string_view bytes) {
  ByteWriter block;
  block.U8(1);
  block.U8(codec);
  block.U16(0);
  block.U32(stored);
  block.U32(raw);
  block.Bytes(bytes);
  ByteWriter file;
  file.Bytes(Write(TinySample()).substr(0, osct::kFileHeaderBytes));
  file.U64(Xxh3(block.bytes()));
  file.Bytes(block.bytes());
  return file.Take();
}

std::string Compressed(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 19));
  return out;
}

TEST(OsctHostile, AnInflateBombMeetsTheLimits) {
  const std::string bomb = Compressed(std::string(limits::kMaxBlockBytes, '\0'));
  const auto size = static_cast<uint32_t>(bomb.size());
  ASSERT_LT(size, 1'600u);
  EXPECT_EQ(ErrorOf(BlockOf(1, size, limits::kMaxBlockBytes, bomb)).code, ErrorCode::kLimit);
  EXPECT_EQ(ErrorOf(BlockOf(1, size, UINT32_MAX, bomb)).code, ErrorCode::kLimit);
  // The frame holds more than the block admits.
  EXPECT_EQ(ErrorOf(BlockOf(1, size, size + 1, bomb)).code, ErrorCode::kCorrupt);
  EXPECT_EQ(ErrorOf(BlockOf(0, UINT32_MAX, UINT32_MAX, bomb)).code, ErrorCode::kLimit);
}

TEST(OsctHostile, TwoFramesInABlockAreRefused) {
  const std::string frame = Compressed(std::string(1'000, 'x'));
  const std::string two = frame + frame;
  EXPECT_EQ(ErrorOf(BlockOf(1, static_cast<uint32_t>(two.size()), 1'000, two)).code, ErrorCode::kCorrupt);
}

TEST(OsctHostile, UnknownBlocksAreRefused) {
  EXPECT_EQ(ErrorOf(BlockOf(2, 4, 4, "abcd")).code, ErrorCode::kUnsupported);
  EXPECT_EQ(ErrorOf(BlockOf(0, 0, 0, "")).code, ErrorCode::kCorrupt);
  EXPECT_EQ(ErrorOf(BlockOf(0, 4, 5, "abcd")).code, ErrorCode::kCorrupt);
}

TEST(OsctHostile, WhatCompressesBeyondTheRatioIsWrittenSoThatItCanBeRead) {
  Sample sample = TinySample();
  sample.runs[0].header.inputs = {{"zeros", std::string(limits::kMaxTextBytes, '\0')}};
  EXPECT_EQ(Difference(sample, Read(Write(sample)).content), "");
}

}  // namespace
}  // namespace oscope
