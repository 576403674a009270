// Attachments in .osct files: in pieces, in their place, and left out whole where a file is cut.
#include <gtest/gtest.h>

#include "tests/unit/format/sample.h"
#include "tracer/format/osct_records.h"

namespace oscope {
namespace {

using osct::RecordKind;

void PutRecord(RecordKind kind, std::string_view payload, ByteWriter& out) {
  out.Varint(static_cast<uint64_t>(kind));
  out.String(payload);
}

ByteWriter Begun(const Attachment& attachment) {
  ByteWriter raw, payload;
  osct::EncodeAttachment(attachment.header, payload);
  PutRecord(RecordKind::kAttachment, payload.bytes(), raw);
  return raw;
}

const Attachment kAttachment = MakeAttachment({RunId{{1, 2}}, {}}, "file", "log", "abcdef");

std::string WhyNot(const ByteWriter& raw) {
  const ReadBack back = Read(Seal(raw.bytes()));
  return back.status.ok() ? "read" : back.status.error().message;
}

TEST(OsctAttachments, LargeOnesComeInPieces) {
  Sample sample = TinySample();
  std::string bytes;
  std::mt19937_64 random(3);
  while (bytes.size() < 5'000'000) bytes += std::to_string(random());
  sample.attachments = {MakeAttachment({sample.runs[0].header.id, {}}, "file", "large", bytes),
                        MakeAttachment({sample.runs[0].header.id, {}}, "file", "small", "x")};
  for (const bool compress : {false, true}) {
    const ReadBack back = Read(Write(sample, {.compress = compress, .level = 1}));
    ASSERT_TRUE(back.status.ok()) << back.status.error().message;
    EXPECT_EQ(Difference(sample, back.content), "");
  }
}

TEST(OsctAttachments, PiecesMayBeOfAnySize) {
  ByteWriter raw = Begun(kAttachment);
  for (const char* piece : {"a", "bcde", "f"}) PutRecord(RecordKind::kContent, piece, raw);
  const ReadBack back = Read(Seal(raw.bytes()));
  ASSERT_TRUE(back.status.ok()) << back.status.error().message;
  EXPECT_EQ(back.content.attachments, std::vector{kAttachment});
}

TEST(OsctAttachments, WhatIsNotInItsPlaceIsRefused) {
  ByteWriter nothing;
  PutRecord(RecordKind::kContent, "abc", nothing);
  EXPECT_NE(WhyNot(nothing).find("out of place: no attachment is open"), std::string::npos);
  for (const RecordKind kind :
       {RecordKind::kBug, RecordKind::kRun, RecordKind::kTrace, RecordKind::kRunEnd, RecordKind::kAttachment}) {
    ByteWriter raw = Begun(kAttachment);
    PutRecord(kind, "", raw);
    EXPECT_NE(WhyNot(raw).find("out of place: an attachment is open"), std::string::npos) << static_cast<int>(kind);
  }
  EXPECT_NE(WhyNot(Begun(kAttachment)).find("before an attachment's end"), std::string::npos);
  ByteWriter empty = Begun(kAttachment);
  PutRecord(RecordKind::kContent, "", empty);
  EXPECT_NE(WhyNot(empty).find("it is empty"), std::string::npos);
  ByteWriter more = Begun(kAttachment);
  PutRecord(RecordKind::kContent, "abcdefg", more);
  EXPECT_NE(WhyNot(more).find("more bytes came"), std::string::npos);
  ByteWriter other = Begun(kAttachment);
  PutRecord(RecordKind::kContent, "abcdeg", other);
  EXPECT_NE(WhyNot(other).find("do not match its digest"), std::string::npos);
}

TEST(OsctAttachments, ACutOneIsLeftOutByRecovery) {
  Sample sample = TinySample();
  sample.attachments = {MakeAttachment({sample.runs[0].header.id, {}}, "file", "whole", "x"),
                        MakeAttachment({sample.runs[0].header.id, {}}, "file", "cut", std::string(3'000'000, 'y'))};
  std::string file = Write(sample, {.compress = false, .level = 1});
  file.resize(file.size() - 1'500'000);
  EXPECT_FALSE(Read(file).status.ok());
  const ReadBack back = Read(file, /*recover=*/true);
  ASSERT_TRUE(back.status.ok()) << back.status.error().message;
  EXPECT_NE(back.report.lost.find("an attachment that was cut is left out"), std::string::npos) << back.report.lost;
  sample.attachments.pop_back();
  EXPECT_EQ(Difference(sample, back.content), "");
}

TEST(OsctAttachments, Version1HasNone) {
  Sample sample;
  sample.attachments = {kAttachment};
  std::string file = Write(sample, {.compress = false, .level = 1});
  file[4] = 1;
  EXPECT_NE(Read(Reseal(file)).status.error().message.find("record kind 8 is unknown"), std::string::npos);
}

}  // namespace
}  // namespace oscope
