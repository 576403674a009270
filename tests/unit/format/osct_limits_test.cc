// The bounds of .osct, at each of them and one beyond, for the reader and for the writer.
#include <gtest/gtest.h>

#include "tests/unit/format/sample.h"
#include "tests/unit/model/sized_fields.h"
#include "tracer/format/osct_events.h"
#include "tracer/format/osct_records.h"

namespace oscope {
namespace {

using osct::IdCoding;

std::string CodeOf(const Status& status) {
  return status.ok() ? "ok" : std::string(ErrorCodeName(status.error().code));
}
template <typename T>
std::string CodeOf(const Result<T>& result) {
  return result.ok() ? "ok" : std::string(ErrorCodeName(result.error().code));
}

// --- records ---

Result<Bug> DecodeBug(std::string_view payload) { return osct::DecodeBug(payload, osct::kVersion); }
Result<RunHeader> DecodeRun(std::string_view payload) { return osct::DecodeRun(payload, osct::kVersion); }

template <typename T, typename Encode, typename Decode>
void ExpectLimits(const T& small, const std::vector<SizedField<T>>& fields, Encode encode, Decode decode) {
  for (const SizedField<T>& field : fields) {
    T header = small;
    field.resize(header, field.limit);
    ByteWriter at_limit;
    encode(header, at_limit);
    const auto taken = decode(at_limit.bytes());
    ASSERT_TRUE(taken.ok()) << field.name << ": " << taken.error().message;
    EXPECT_TRUE(*taken == header) << field.name;
    field.resize(header, field.limit + 1);
    ByteWriter beyond;
    encode(header, beyond);
    const auto refused = decode(beyond.bytes());
    ASSERT_FALSE(refused.ok()) << field.name;
    EXPECT_EQ(refused.error().code, ErrorCode::kLimit) << field.name;
    EXPECT_NE(refused.error().message.find(field.name), std::string::npos) << refused.error().message;
  }
}

TEST(OsctLimits, OfBugs) { ExpectLimits(SmallBug(), SizedFieldsOfBugs(), osct::EncodeBug, DecodeBug); }
TEST(OsctLimits, OfRuns) { ExpectLimits(SmallRun(), SizedFieldsOfRuns(), osct::EncodeRun, DecodeRun); }
TEST(OsctLimits, OfTraces) { ExpectLimits(TraceHeader(), SizedFieldsOfTraces(), osct::EncodeTrace, osct::DecodeTrace); }

std::string SymbolBytes(std::string_view name, const SymbolAttributes& attributes) {
  ByteWriter out;
  osct::EncodeSymbol(name, attributes, out);
  return out.Take();
}

TEST(OsctLimits, OfSymbols) {
  const auto code = [](size_t name, size_t signature, size_t file, size_t object, size_t build_id) {
    SymbolAttributes attributes;
    attributes.signature = TextOf(signature);
    attributes.file = TextOf(file);
    attributes.object = TextOf(object);
    attributes.build_id = TextOf(build_id);
    SymbolTable symbols;
    uint64_t budget = 1 << 30;
    const Status decoded = osct::DecodeSymbols(SymbolBytes(TextOf(name), attributes), symbols, budget);
    EXPECT_EQ(symbols.size(), decoded.ok() ? 1u : 0u);

    OsctWriter writer([](std::string_view) -> Status { return {}; });
    Sample sample = TinySample();
    sample.runs[0].traces[0].events[1] = sample.symbols.Append(TextOf(name), attributes);
    EXPECT_EQ(CodeOf(Send(sample, writer)), CodeOf(decoded)) << "the writer and the reader differ";
    return CodeOf(decoded);
  };
  constexpr size_t kMost = limits::kMaxNameBytes;
  EXPECT_EQ(code(kMost, kMost, kMost, kMost, kMost), "ok");
  EXPECT_EQ(code(kMost + 1, 1, 1, 1, 1), "limit");
  EXPECT_EQ(code(1, kMost + 1, 1, 1, 1), "limit");
  EXPECT_EQ(code(1, 1, kMost + 1, 1, 1), "limit");
  EXPECT_EQ(code(1, 1, 1, kMost + 1, 1), "limit");
  EXPECT_EQ(code(1, 1, 1, 1, kMost + 1), "limit");
}

TEST(OsctLimits, OfTheMemoryForSymbols) {
  SymbolAttributes attributes;
  attributes.signature = "ab";
  attributes.file = "abc";
  attributes.object = "abcd";
  attributes.build_id = "abcde";
  const std::string payload = SymbolBytes("f", attributes) + SymbolBytes("g", attributes);
  constexpr uint64_t kEach = 256 + 1 + 2 + 3 + 4 + 5;
  SymbolTable fits, too_many;
  uint64_t enough = 2 * kEach, little = 2 * kEach - 1;
  EXPECT_EQ(CodeOf(osct::DecodeSymbols(payload, fits, enough)), "ok");
  EXPECT_EQ(enough, 0u);
  EXPECT_EQ(CodeOf(osct::DecodeSymbols(payload, too_many, little)), "limit");
  EXPECT_EQ(too_many.size(), 1u);
}

// A trace record's bytes with these numbers in its places.
std::string TraceBytes(uint64_t flags, uint64_t process, uint64_t thread, uint64_t kind) {
  ByteWriter out;
  for (const uint64_t number : {flags, process, thread, kind, uint64_t{0}}) out.Varint(number);
  out.String("");
  out.String("");
  return out.Take();
}

TEST(OsctLimits, OfNumbersAndKinds) {
  constexpr uint64_t kMost = UINT32_MAX;
  EXPECT_EQ(CodeOf(osct::DecodeTrace(TraceBytes(30, kMost, kMost, 1))), "ok");
  EXPECT_EQ(osct::DecodeTrace(TraceBytes(0, kMost, 5, 1))->process, kMost);
  EXPECT_EQ(CodeOf(osct::DecodeTrace(TraceBytes(0, kMost + 1, 0, 0))), "corrupt");
  EXPECT_EQ(CodeOf(osct::DecodeTrace(TraceBytes(0, 0, kMost + 1, 0))), "corrupt");
  EXPECT_EQ(CodeOf(osct::DecodeTrace(TraceBytes(0, 0, 0, 2))), "corrupt");
  EXPECT_EQ(CodeOf(osct::DecodeTrace(TraceBytes(32, 0, 0, 0))), "corrupt");
  EXPECT_EQ(CodeOf(osct::DecodeTrace(TraceBytes(0, 0, 0, 0) + "x")), "corrupt") << "a byte is left over";
}

// A run record's bytes up to the message, with the optional numbers that `flags` announces.
std::string RunBytes(uint64_t outcome, uint64_t flags, const std::vector<int64_t>& numbers) {
  ByteWriter out;
  out.U64(1);
  out.U64(2);
  out.String("demo");
  for (int i = 0; i < 5; ++i) out.String("");
  out.Varint(outcome);
  out.Varint(flags);
  for (const int64_t number : numbers) out.ZigZag(number);
  for (int i = 0; i < 4; ++i) out.Varint(0);  // the message, arguments, inputs and custom fields: none
  return out.Take();
}

TEST(OsctLimits, OfExitCodesAndSignals) {
  constexpr uint64_t kExitCode = 4, kSignal = 8;
  EXPECT_EQ(DecodeRun(RunBytes(3, kExitCode, {INT32_MAX}))->failure.exit_code, INT32_MAX);
  EXPECT_EQ(DecodeRun(RunBytes(3, kExitCode, {INT32_MIN}))->failure.exit_code, INT32_MIN);
  EXPECT_EQ(DecodeRun(RunBytes(0, kSignal, {INT32_MAX}))->failure.signal, INT32_MAX);
  EXPECT_EQ(CodeOf(DecodeRun(RunBytes(0, kExitCode, {int64_t{INT32_MAX} + 1}))), "corrupt");
  EXPECT_EQ(CodeOf(DecodeRun(RunBytes(0, kExitCode, {int64_t{INT32_MIN} - 1}))), "corrupt");
  EXPECT_EQ(CodeOf(DecodeRun(RunBytes(0, kSignal, {int64_t{INT32_MAX} + 1}))), "corrupt");
  EXPECT_EQ(CodeOf(DecodeRun(RunBytes(4, 0, {}))), "corrupt") << "an outcome that is none";
  EXPECT_EQ(CodeOf(DecodeRun(RunBytes(0, 128, {}))), "corrupt") << "an unknown flag";
  EXPECT_EQ(CodeOf(DecodeRun(RunBytes(0, 0, {}) + "x")), "corrupt") << "a byte is left over";
  EXPECT_EQ(CodeOf(DecodeRun(RunBytes(0, 0, {}) + std::string("x\0", 2))), "unsupported")
      << "a field of a later release";
  EXPECT_EQ(CodeOf(osct::DecodeRun(RunBytes(0, 0, {}) + std::string("x\0", 2), 1)), "corrupt") << "version 1 has none";
}

// A run record of a failing run with nothing but what went wrong.
std::string FailureBytes(uint64_t outcome, uint64_t kind, uint64_t line) {
  ByteWriter out;
  out.U64(1);
  out.U64(2);
  out.String("demo");
  for (int i = 0; i < 5; ++i) out.String("");
  out.Varint(outcome);
  out.Varint(64);
  out.String("");
  out.Varint(kind);
  out.String("a.cc");
  out.Varint(line);
  out.String("f");
  out.String("00ff");
  for (int i = 0; i < 3; ++i) out.Varint(0);
  return out.Take();
}

TEST(OsctLimits, OfFailures) {
  constexpr uint64_t kFailed = 1, kPassed = 0;
  const auto read = DecodeRun(FailureBytes(kFailed, 9, UINT32_MAX));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->failure.kind, FailureKind::kSanitizer);
  EXPECT_EQ(read->failure.place, (FailurePlace{"a.cc", UINT32_MAX, "f"}));
  EXPECT_EQ(read->failure.fingerprint, "00ff");
  EXPECT_EQ(CodeOf(DecodeRun(FailureBytes(kFailed, 10, 1))), "corrupt") << "a kind that is none";
  EXPECT_EQ(CodeOf(DecodeRun(FailureBytes(kFailed, 1, uint64_t{UINT32_MAX} + 1))), "corrupt");
  EXPECT_EQ(CodeOf(DecodeRun(FailureBytes(kPassed, 1, 1))), "invalid") << "what passed has no failure";
  EXPECT_EQ(CodeOf(osct::DecodeRun(FailureBytes(kFailed, 1, 1), 1)), "corrupt") << "version 1 does not know it";
}

TEST(OsctLimits, AFailureInCustomFieldsIsReadAsOne) {
  RunHeader old = SmallRun();
  old.custom = {{"fingerprint", "00ff"}, {"title", "t"}, {"where", "src/a.cc:12"}};
  ByteWriter out;
  osct::EncodeRun(old, out);
  for (const uint16_t version : {uint16_t{1}, osct::kVersion}) {
    const auto read = osct::DecodeRun(out.bytes(), version);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->failure.fingerprint, "00ff");
    EXPECT_EQ(read->failure.place, (FailurePlace{"src/a.cc", 12, ""}));
    EXPECT_EQ(read->custom, (CustomFields{{"title", "t"}}));
  }
  old.outcome = Outcome::kPassed;
  ByteWriter passed;
  osct::EncodeRun(old, passed);
  EXPECT_EQ(DecodeRun(passed.bytes())->custom, old.custom) << "they are those of whoever made the run";
}

TEST(OsctLimits, CustomFieldsComeInOrderAndOnce) {
  const auto code = [](const std::vector<std::string>& names) {
    std::string bytes = RunBytes(0, 0, {});
    bytes.pop_back();
    ByteWriter out;
    out.Varint(names.size());
    for (const std::string& name : names) {
      out.String(name);
      out.String("value");
    }
    return CodeOf(DecodeRun(bytes + out.bytes()));
  };
  EXPECT_EQ(code({"a", "b"}), "ok");
  EXPECT_EQ(code({"b", "a"}), "corrupt");
  EXPECT_EQ(code({"a", "a"}), "corrupt");
  EXPECT_EQ(code({""}), "invalid");
}

// A count that the bytes cannot hold is refused, whatever the limit.
TEST(OsctLimits, OfCountsThatAreLies) {
  std::string bytes = RunBytes(0, 0, {});
  bytes.resize(bytes.size() - 3);
  ByteWriter out;
  out.Varint(900);  // arguments, of which none follows
  const auto run = DecodeRun(bytes + out.bytes());
  EXPECT_EQ(CodeOf(run), "corrupt");
  EXPECT_NE(run.error().message.find("arguments: 900 announced, 0 bytes left"), std::string::npos)
      << run.error().message;
}

TEST(OsctLimits, EveryRecordThatIsCutIsRefused) {
  const Sample sample = FullSample();
  const auto expect_refused = [](const std::string& payload, auto decode) {
    for (size_t size = 0; size < payload.size(); ++size)
      ASSERT_EQ(decode(payload.substr(0, size)), "corrupt") << size << " of " << payload.size();
    ASSERT_EQ(decode(payload), "ok");
    ASSERT_EQ(decode(payload + std::string(1, '\0')), "corrupt");
  };
  ByteWriter bug, run, trace, run_end, trace_end;
  osct::EncodeBug(sample.bugs[0], bug);
  osct::EncodeRun(sample.runs[0].header, run);
  osct::EncodeTrace(sample.runs[0].traces[0].header, trace);
  osct::EncodeRunEnd({3, 700}, run_end);
  osct::EncodeTraceEnd(700, trace_end);
  expect_refused(bug.bytes(), [](const std::string& bytes) { return CodeOf(DecodeBug(bytes)); });
  expect_refused(run.bytes(), [](const std::string& bytes) { return CodeOf(DecodeRun(bytes)); });
  expect_refused(trace.bytes(), [](const std::string& bytes) { return CodeOf(osct::DecodeTrace(bytes)); });
  expect_refused(run_end.bytes(), [](const std::string& bytes) { return CodeOf(osct::DecodeRunEnd(bytes)); });
  expect_refused(trace_end.bytes(), [](const std::string& bytes) { return CodeOf(osct::DecodeTraceEnd(bytes)); });
}

// --- events ---

// The code of a chunk, or the last id of it, depth of it, … as text.
struct Chunk {
  std::vector<uint32_t> ids = {0};
  std::vector<uint32_t> depths{};
  std::vector<EventOutcome> outcomes{};
  std::vector<std::string> values{};

  std::string Bytes() const {
    ByteWriter out;
    osct::EncodeEvents(ids, {{}, depths, outcomes, values}, out);
    return out.Take();
  }
  TraceHeader Header() const {
    TraceHeader trace;
    trace.event_count = ids.size();
    trace.has_depths = !depths.empty();
    trace.has_outcomes = !outcomes.empty();
    trace.has_values = !values.empty();
    return trace;
  }
  std::string Code(uint32_t symbols = UINT32_MAX) const {
    osct::EventDecoder decoder;
    const auto chunk = decoder.Decode(Bytes(), Header(), symbols);
    if (!chunk.ok()) return CodeOf(chunk);
    std::vector<uint32_t> back;
    for (const SymbolId id : chunk->events) back.push_back(static_cast<uint32_t>(id));
    EXPECT_EQ(back, ids);
    EXPECT_TRUE(std::ranges::equal(chunk->depths, depths));
    EXPECT_TRUE(std::ranges::equal(chunk->outcomes, outcomes));
    EXPECT_TRUE(std::ranges::equal(chunk->values, values));
    return "ok";
  }
};

TEST(OsctLimits, OfEventsInAChunk) {
  EXPECT_EQ(Chunk{.ids = std::vector<uint32_t>(limits::kChunkEvents, 1)}.Code(), "ok");
  EXPECT_EQ(Chunk{.ids = std::vector<uint32_t>(limits::kChunkEvents + 1, 1)}.Code(), "limit");
  EXPECT_EQ(Chunk{.ids = {}}.Code(), "corrupt");
}

// Ids take a byte each while all are below 256: the 257th symbol of a file is where that ends.
TEST(OsctLimits, OfIdsInAByte) {
  const auto coding = [](const Chunk& chunk) { return static_cast<IdCoding>(chunk.Bytes()[1]); };
  const Chunk bytes{.ids = {0, 255, 254}}, varints{.ids = {0, 256, 255}};
  EXPECT_EQ(coding(bytes), IdCoding::kByte);
  EXPECT_EQ(coding(varints), IdCoding::kVarint);
  EXPECT_EQ(bytes.Code(256), "ok");
  EXPECT_EQ(bytes.Code(255), "corrupt") << "255 symbols have no number 255";
  EXPECT_EQ(varints.Code(257), "ok");
  EXPECT_EQ(varints.Code(256), "corrupt");
  EXPECT_EQ((Chunk{.ids = {UINT32_MAX - 1}}.Code(UINT32_MAX)), "ok");
  EXPECT_EQ((Chunk{.ids = {UINT32_MAX}}.Code(UINT32_MAX)), "corrupt");
}

TEST(OsctLimits, TracesOfTheBoundOfByteIdsComeBack) {
  for (const size_t symbols : {size_t{255}, size_t{256}, size_t{257}}) {
    Sample sample = TinySample();
    Trace& trace = sample.runs[0].traces[0];
    trace.events.clear();
    for (size_t i = 0; i < symbols; ++i) trace.events.push_back(sample.symbols.Intern(fmt::format("f{}", i)));
    trace.FinishHeader();
    const ReadBack back = Read(Write(sample, {.compress = false, .level = 1}));
    ASSERT_TRUE(back.status.ok()) << back.status.error().message;
    EXPECT_EQ(Difference(sample, back.content), "") << symbols;
  }
}

TEST(OsctLimits, OfTheCodingOfIds) {
  const auto code = [](const std::string& payload, uint32_t symbols) {
    TraceHeader trace;
    trace.event_count = 9;
    osct::EventDecoder decoder;
    return CodeOf(decoder.Decode(payload, trace, symbols));
  };
  EXPECT_EQ(code(std::string("\x01\x01\x07", 3), 8), "ok");
  EXPECT_EQ(code(std::string("\x01\x02\x07", 3), 8), "unsupported") << "a third coding";
  EXPECT_EQ(code(std::string("\x01\x00\x07", 3), 8), "corrupt") << "a varint where a byte would do";
  EXPECT_EQ(code(std::string("\x01\x00\x80\x02", 4), 257), "ok");
  EXPECT_EQ(code(std::string("\x01\x00\x80", 3), 257), "corrupt") << "cut in a number";
  EXPECT_EQ(code(std::string("\x02\x00\x80\x02", 4), 257), "corrupt") << "cut before a number";
  EXPECT_EQ(code(std::string("\x02\x01\x07", 3), 8), "corrupt") << "a byte for two events";
  EXPECT_EQ(code(std::string("\x01\x00\xff\xff\xff\xff\x0f", 7), UINT32_MAX), "corrupt")
      << "id 2^32 - 1 of as many symbols";
  EXPECT_EQ(code(std::string("\x01\x00\xfe\xff\xff\xff\x0f", 7), UINT32_MAX), "ok");
  EXPECT_EQ(code(std::string("\x01\x00\xfe\xff\xff\xff\x1f", 7), UINT32_MAX), "corrupt") << "33 bits";
  EXPECT_EQ(code(std::string("\x01\x00\xfe\xff\xff\xff\x8f\x01", 8), UINT32_MAX), "corrupt") << "six bytes";
  EXPECT_EQ(code(std::string("\x01\x01\x07\x07", 4), 8), "corrupt") << "a byte is left over";
  EXPECT_EQ(code("", 8), "corrupt");
}

TEST(OsctLimits, OfDepthsOutcomesAndValues) {
  constexpr uint32_t kDepth = limits::kMaxDepth;
  EXPECT_EQ((Chunk{.ids = {0, 0, 0}, .depths = {kDepth, 0, kDepth}}.Code()), "ok");
  EXPECT_EQ((Chunk{.ids = {0, 0}, .depths = {0, kDepth + 1}}.Code()), "limit");
  EXPECT_EQ((Chunk{.ids = {0, 0}, .depths = {kDepth + 1, 0}}.Code()), "limit");
  EXPECT_EQ((Chunk{.ids = {0}, .outcomes = {EventOutcome::kThrew}}.Code()), "ok");
  EXPECT_EQ((Chunk{.ids = {0, 0}, .outcomes = {static_cast<EventOutcome>(5), EventOutcome::kNone}}.Code()), "corrupt");
  EXPECT_EQ((Chunk{.ids = {0, 0}, .values = {TextOf(limits::kMaxNameBytes), ""}}.Code()), "ok");
  EXPECT_EQ((Chunk{.ids = {0, 0}, .values = {TextOf(limits::kMaxNameBytes + 1), ""}}.Code()), "limit");
}

TEST(OsctLimits, EveryChunkThatIsCutIsRefused) {
  const Chunk chunk{.ids = {3, 300, 2},
                    .depths = {0, 1'000, 7},
                    .outcomes = {EventOutcome::kNone, EventOutcome::kThrew, EventOutcome::kTaken},
                    .values = {"ab", "", "c"}};
  ASSERT_EQ(chunk.Code(), "ok");
  const std::string payload = chunk.Bytes();
  osct::EventDecoder decoder;
  for (size_t size = 0; size < payload.size(); ++size) {
    EXPECT_EQ(CodeOf(decoder.Decode(payload.substr(0, size), chunk.Header(), 1'000)), "corrupt") << size;
  }
  EXPECT_EQ(CodeOf(decoder.Decode(payload + "x", chunk.Header(), 1'000)), "corrupt");
}

TEST(OsctLimits, TheWriterRefusesListsThatTheHeaderDoesNotAnnounce) {
  const auto code = [](bool depths, bool outcomes, bool values, const EventChunk& chunk) {
    Sample sample = TinySample();
    TraceHeader trace = sample.runs[0].traces[0].header;
    trace.has_depths = depths;
    trace.has_outcomes = outcomes;
    trace.has_values = values;
    OsctWriter writer([](std::string_view) -> Status { return {}; });
    EXPECT_TRUE(writer.BeginRun(sample.runs[0].header, sample.symbols).ok());
    EXPECT_TRUE(writer.BeginTrace(trace).ok());
    EventChunk two = chunk;
    two.events = sample.runs[0].traces[0].events;
    return CodeOf(writer.AddEvents(two));
  };
  const std::vector<uint32_t> depths = {0, limits::kMaxDepth}, deep = {0, limits::kMaxDepth + 1}, few = {0};
  const std::vector<EventOutcome> outcomes(2, EventOutcome::kTaken);
  const std::vector<std::string> values(2, TextOf(limits::kMaxNameBytes)),
      long_values(2, TextOf(limits::kMaxNameBytes + 1));
  EXPECT_EQ(code(true, true, true, {{}, depths, outcomes, values}), "ok");
  EXPECT_EQ(code(false, true, true, {{}, depths, outcomes, values}), "invalid");
  EXPECT_EQ(code(true, false, true, {{}, depths, outcomes, values}), "invalid");
  EXPECT_EQ(code(true, true, false, {{}, depths, outcomes, values}), "invalid");
  EXPECT_EQ(code(true, true, true, {{}, {}, outcomes, values}), "invalid");
  EXPECT_EQ(code(true, true, true, {{}, depths, {}, values}), "invalid");
  EXPECT_EQ(code(true, true, true, {{}, depths, outcomes, {}}), "invalid");
  EXPECT_EQ(code(true, true, true, {{}, few, outcomes, values}), "invalid");
  EXPECT_EQ(code(true, true, true, {{}, deep, outcomes, values}), "limit");
  EXPECT_EQ(code(true, true, true, {{}, depths, outcomes, long_values}), "limit");
}

// --- blocks ---

struct BlockFields {
  uint8_t kind = 1, codec = 0;
  uint16_t zero = 0;
  uint32_t stored = 0, raw = 0;
};

// A file of one block with these fields in its header, under a checksum that fits, and no trailer.
std::string BlockOf(const BlockFields& fields, std::string_view bytes) {
  ByteWriter block;
  block.U8(fields.kind);
  block.U8(fields.codec);
  block.U16(fields.zero);
  block.U32(fields.stored);
  block.U32(fields.raw);
  block.Bytes(bytes);
  ByteWriter file;
  file.Bytes(Write(TinySample()).substr(0, osct::kFileHeaderBytes));
  file.U64(Xxh3(block.bytes()));
  file.Bytes(block.bytes());
  return file.Take();
}

Error ErrorOfBlock(const BlockFields& fields, std::string_view bytes) {
  const ReadBack back = Read(BlockOf(fields, bytes));
  return back.status.ok() ? Error{ErrorCode::kBusy, "no error"} : back.status.error();
}

std::string CodeOfBlock(const BlockFields& fields, std::string_view bytes) {
  return std::string(ErrorCodeName(ErrorOfBlock(fields, bytes).code));
}

TEST(OsctLimits, OfBlocks) {
  const std::string largest(limits::kMaxBlockBytes, '\0');
  // It is read: what is wrong is the record in it.
  const Error read = ErrorOfBlock({.stored = limits::kMaxBlockBytes, .raw = limits::kMaxBlockBytes}, largest);
  EXPECT_NE(read.message.find("record kind 0 is unknown"), std::string::npos) << read.message;
  const Error beyond =
      ErrorOfBlock({.stored = limits::kMaxBlockBytes + 1, .raw = limits::kMaxBlockBytes + 1}, largest + "x");
  EXPECT_EQ(beyond.code, ErrorCode::kLimit);
  EXPECT_EQ(CodeOfBlock({.stored = 5, .raw = 4}, "abcde"), "corrupt") << "a plain block of two lengths";
  EXPECT_EQ(CodeOfBlock({.codec = 1, .stored = 4, .raw = 4}, "abcd"), "corrupt") << "compressed, and no smaller";
  EXPECT_EQ(CodeOfBlock({.codec = 2, .stored = 4, .raw = 4}, "abcd"), "unsupported");
  EXPECT_EQ(CodeOfBlock({.kind = 0, .stored = 4, .raw = 4}, "abcd"), "unsupported");
  EXPECT_EQ(CodeOfBlock({.kind = 3, .stored = 4, .raw = 4}, "abcd"), "unsupported");
  EXPECT_EQ(CodeOfBlock({.zero = 1, .stored = 4, .raw = 4}, "abcd"), "unsupported");
  EXPECT_EQ(ErrorOfBlock({.kind = 2, .codec = 1, .stored = 4, .raw = 48}, "abcd").message,
            "block at byte 8: the trailer is compressed");
}

TEST(OsctLimits, OfTheInflateRatio) {
  constexpr uint32_t kStored = 100,
                     kMost = static_cast<uint32_t>(limits::kMaxInflateRatio * (kStored + osct::kBlockHeaderBytes));
  static_assert(kMost < limits::kMaxBlockBytes);
  // At the limit it is looked at, and is no zstd frame.
  EXPECT_EQ(CodeOfBlock({.codec = 1, .stored = kStored, .raw = kMost}, std::string(kStored, 'x')), "corrupt");
  EXPECT_EQ(CodeOfBlock({.codec = 1, .stored = kStored, .raw = kMost + 1}, std::string(kStored, 'x')), "limit");
}

TEST(OsctLimits, UnknownFlagsOfTheFileAreRefused) {
  std::string file = Write(TinySample());
  file[6] = 1;
  EXPECT_EQ(Read(file).status.error().message, ".osct flags 0x0001 are unknown");
  EXPECT_EQ(CodeOf(Read(file).status), "unsupported");
}

// A whole file without its trailer, and then one that says these numbers.
std::string WithTrailer(const osct::Totals& totals, Hash128 flip, std::string_view more = {}) {
  const std::string file = Write(TinySample(), {.compress = false, .level = 1});
  const std::string_view records =
      std::string_view(file).substr(0, file.size() - osct::kBlockHeaderBytes - osct::kTrailerBytes);
  const Hash128 digest = Xxh3Wide(records);
  ByteWriter raw;
  for (const uint64_t number :
       {totals.bugs, totals.runs, totals.traces, totals.events, digest.high ^ flip.high, digest.low ^ flip.low})
    raw.U64(number);
  raw.Bytes(more);
  std::string whole(records);
  osct::BlockWriter blocks([&](std::string_view bytes) -> Status { return whole += bytes, Status(); }, false, 1);
  EXPECT_TRUE(blocks.Write(osct::BlockKind::kTrailer, raw.bytes()).ok());
  return whole;
}

TEST(OsctLimits, TheTrailerCountsAndHashesAllThatCame) {
  EXPECT_EQ(CodeOf(Read(WithTrailer({0, 1, 1, 2}, {})).status), "ok");
  for (const osct::Totals& totals :
       {osct::Totals{1, 1, 1, 2}, {0, 2, 1, 2}, {0, 0, 1, 2}, {0, 1, 2, 2}, {0, 1, 0, 2}, {0, 1, 1, 3}, {0, 1, 1, 1}}) {
    const ReadBack back = Read(WithTrailer(totals, {}));
    EXPECT_EQ(CodeOf(back.status), "corrupt");
    EXPECT_EQ(back.status.error().message, "the trailer's counts differ from what came");
  }
  EXPECT_EQ(Read(WithTrailer({0, 1, 1, 2}, {1, 0})).status.error().message,
            "the trailer's checksum of the file is wrong");
  EXPECT_EQ(Read(WithTrailer({0, 1, 1, 2}, {0, 1})).status.error().message,
            "the trailer's checksum of the file is wrong");
  EXPECT_EQ(Read(WithTrailer({0, 1, 1, 2}, {}, "x")).status.error().message, "trailer: 1 bytes left over at offset 48");
}

// What the runs' ends say is counted too.
TEST(OsctLimits, TheEndsOfRunsAndTracesCount) {
  const auto message = [](const osct::RunEnd& run_end, uint64_t trace_end) {
    const Sample sample = TinySample();
    ByteWriter raw, payload;
    const auto put = [&](osct::RecordKind kind) {
      raw.Varint(static_cast<uint64_t>(kind));
      raw.String(payload.Take());
    };
    osct::EncodeRun(sample.runs[0].header, payload);
    put(osct::RecordKind::kRun);
    osct::EncodeSymbol("main", {}, payload);
    put(osct::RecordKind::kSymbols);
    osct::EncodeTrace(sample.runs[0].traces[0].header, payload);
    put(osct::RecordKind::kTrace);
    osct::EncodeEvents(std::vector<uint32_t>{0, 0}, {}, payload);
    put(osct::RecordKind::kEvents);
    osct::EncodeTraceEnd(trace_end, payload);
    put(osct::RecordKind::kTraceEnd);
    osct::EncodeRunEnd(run_end, payload);
    put(osct::RecordKind::kRunEnd);
    const Status status = Read(Seal(raw.bytes())).status;
    EXPECT_EQ(CodeOf(status), "corrupt");
    return status.error().message;
  };
  // All is well up to the trailer, which counts nothing.
  EXPECT_EQ(message({1, 2}, 2), "the trailer's counts differ from what came");
  EXPECT_NE(message({2, 2}, 2).find("1 traces and 2 events came, the run's end says 2 and 2"), std::string::npos);
  EXPECT_NE(message({1, 3}, 2).find("1 traces and 2 events came, the run's end says 1 and 3"), std::string::npos);
  EXPECT_NE(message({1, 2}, 1).find("2 events came, the trace's end says 1, its header 2"), std::string::npos);
}

TEST(OsctLimits, ATrailerInsideARunIsRefused) {
  ByteWriter raw, payload;
  osct::EncodeRun(TinySample().runs[0].header, payload);
  raw.Varint(static_cast<uint64_t>(osct::RecordKind::kRun));
  raw.String(payload.bytes());
  EXPECT_EQ(Read(Seal(raw.bytes())).status.error().message, "the trailer comes before a run's end");
}

// A header as large as a block may be is written and read; with one byte more it is refused by the writer.
TEST(OsctLimits, OfARecordInABlock) {
  Sample sample = TinySample();
  RunHeader& run = sample.runs[0].header;
  run.inputs = {{"a", TextOf(limits::kMaxTextBytes)}, {"b", TextOf(limits::kMaxTextBytes / 2)}};
  ByteWriter payload;
  osct::EncodeRun(run, payload);
  constexpr size_t kHead = 1 + 4;  // the kind, and the length as a varint of four bytes
  const size_t room = limits::kMaxBlockBytes - kHead - payload.size();
  run.inputs[1].bytes += std::string(room, 'y');
  const OsctWriterOptions plain{.compress = false, .level = 1};
  {
    const ReadBack back = Read(Write(sample, plain));
    ASSERT_TRUE(back.status.ok()) << back.status.error().message;
    EXPECT_EQ(Difference(sample, back.content), "");
  }
  run.inputs[1].bytes += 'z';
  OsctWriter writer([](std::string_view) -> Status { return {}; }, plain);
  EXPECT_EQ(CodeOf(Send(sample, writer)), "limit");
}

TEST(OsctLimits, OfTheBlockWriter) {
  std::string file;
  osct::BlockWriter blocks([&](std::string_view bytes) -> Status { return file += bytes, Status(); }, true, 1);
  EXPECT_EQ(CodeOf(blocks.Write(osct::BlockKind::kRecords, std::string(limits::kMaxBlockBytes + 1, 'x'))), "limit");
  EXPECT_TRUE(file.empty());
  EXPECT_EQ(CodeOf(blocks.Write(osct::BlockKind::kRecords, std::string(limits::kMaxBlockBytes, 'x'))), "ok");
}

}  // namespace
}  // namespace oscope
