// Records that are well made and come where they may not, and which of several errors a reader names.
#include <gtest/gtest.h>

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

ByteWriter OpenRun() {
  ByteWriter raw, payload;
  osct::EncodeRun(TinySample().runs[0].header, payload);
  PutRecord(RecordKind::kRun, payload.bytes(), raw);
  return raw;
}

ByteWriter OpenTrace() {
  ByteWriter raw = OpenRun(), payload;
  osct::EncodeTrace({}, payload);
  PutRecord(RecordKind::kTrace, payload.bytes(), raw);
  return raw;
}

void ExpectOutOfPlace(const ByteWriter& open, std::string_view what, std::initializer_list<RecordKind> kinds) {
  for (const RecordKind kind : kinds) {
    ByteWriter raw = open;
    PutRecord(kind, "", raw);
    const ReadBack back = Read(Seal(raw.bytes()));
    ASSERT_FALSE(back.status.ok()) << static_cast<int>(kind);
    EXPECT_EQ(back.status.error().code, ErrorCode::kCorrupt);
    EXPECT_NE(back.status.error().message.find(fmt::format("out of place: {} is open", what)), std::string::npos)
        << static_cast<int>(kind) << ": " << back.status.error().message;
  }
}

TEST(OsctOrder, ARecordOutOfPlaceIsNamedBeforeItIsRead) {
  using enum RecordKind;
  ExpectOutOfPlace({}, "no run", {kTrace, kEvents, kTraceEnd, kRunEnd});
  ExpectOutOfPlace(OpenRun(), "a run", {kBug, kRun, kEvents, kTraceEnd});
  ExpectOutOfPlace(OpenTrace(), "a trace", {kBug, kRun, kTrace, kRunEnd});
}

// What follows a length that is refused is not read: here its bytes would be lengths over the limit too.
TEST(OsctOrder, TheFirstFieldOverItsLimitIsNamed) {
  std::string lengths;
  while (lengths.size() <= limits::kMaxNameBytes) lengths += "\xff\xff\xff\x7f";
  Bug bug;
  bug.key = {"demo", "1"};
  bug.title = lengths;
  ByteWriter payload;
  osct::EncodeBug(bug, payload);
  const auto decoded = osct::DecodeBug(payload.bytes(), osct::kVersion);
  ASSERT_FALSE(decoded.ok());
  EXPECT_EQ(decoded.error().code, ErrorCode::kLimit);
  EXPECT_NE(decoded.error().message.find(
                fmt::format("title: {} is over the limit of {}", lengths.size(), limits::kMaxNameBytes)),
            std::string::npos)
      << decoded.error().message;
}

}  // namespace
}  // namespace oscope
