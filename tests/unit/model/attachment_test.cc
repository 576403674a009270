#include "tracer/model/attachment.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace oscope {
namespace {

const AttachmentOwner kRun{RunId{{1, 2}}, {}};
const AttachmentOwner kBug{{}, {"demo", "7"}};

TEST(Attachment, IsMadeWithDigestAndSize) {
  const Attachment made = MakeAttachment(kRun, "file", "log", "abc");
  EXPECT_EQ(made.header.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(made.header.size, 3u);
  EXPECT_TRUE(Validate(made).ok());
  EXPECT_EQ(ToString(kRun), "run 00000000000000010000000000000002");
  EXPECT_EQ(ToString(kBug), "bug demo-7");
}

TEST(Attachment, EachFieldIsChecked) {
  const auto why = [](auto change) {
    AttachmentHeader header = MakeAttachment(kBug, "file", "log", "abc").header;
    change(header);
    const Status status = Validate(header);
    return status.ok() ? std::string("valid")
                       : fmt::format("{} {}", ErrorCodeName(status.error().code), status.error().message);
  };
  const std::string of = "attachment 'log' of bug demo-7: ";
  EXPECT_EQ(why([](AttachmentHeader&) {}), "valid");
  EXPECT_EQ(why([](AttachmentHeader& h) { h.owner = {}; }),
            "invalid attachment 'log' of bug -: it must belong either to a run or to a bug");
  EXPECT_NE(why([](AttachmentHeader& h) { h.owner.run = kRun.run; }), "valid");
  EXPECT_EQ(why([](AttachmentHeader& h) { h.kind = ""; }), "invalid " + of + "kind is empty");
  EXPECT_EQ(why([](AttachmentHeader& h) { h.kind = "two words"; }).substr(0, 46), "invalid " + of + "kind: ");
  EXPECT_EQ(why([](AttachmentHeader& h) { h.name = ""; }), "invalid attachment '' of bug demo-7: it has no name");
  EXPECT_EQ(why([](AttachmentHeader& h) { h.name.assign(limits::kMaxNameBytes, 'n'); }), "valid");
  EXPECT_EQ(why([](AttachmentHeader& h) { h.name.assign(limits::kMaxNameBytes + 1, 'n'); }).substr(0, 5), "limit");
  EXPECT_EQ(why([](AttachmentHeader& h) { h.size = limits::kMaxAttachmentBytes; }), "valid");
  EXPECT_EQ(why([](AttachmentHeader& h) { h.size = limits::kMaxAttachmentBytes + 1; }).substr(0, 5), "limit");
  EXPECT_EQ(why([](AttachmentHeader& h) { h.sha256.pop_back(); }),
            "invalid " + of + "sha256: expected 64 hexadecimal digits");
  EXPECT_EQ(why([](AttachmentHeader& h) { h.sha256[5] = 'A'; }),
            "invalid " + of + "sha256: expected 64 hexadecimal digits");
}

TEST(Attachment, OtherBytesThanItTellsOfAreRefused) {
  Attachment attachment = MakeAttachment(kBug, "file", "log", "abc");
  attachment.bytes = "abd";
  EXPECT_EQ(Validate(attachment).error().message, "attachment 'log' of bug demo-7: its bytes do not match its digest");
  attachment.bytes = "ab";
  EXPECT_EQ(Validate(attachment).error().message, "attachment 'log' of bug demo-7: 2 bytes of 3 came");
  EXPECT_EQ(Validate(attachment).error().code, ErrorCode::kCorrupt);
}

TEST(AttachmentPieces, MakeAWhole) {
  const Attachment whole = MakeAttachment(kRun, "file", "log", "abcdef");
  AttachmentPieces pieces;
  EXPECT_FALSE(pieces.open());
  ASSERT_TRUE(pieces.Begin(whole.header).ok());
  EXPECT_TRUE(pieces.open());
  ASSERT_TRUE(pieces.Add("abc").ok());
  EXPECT_TRUE(pieces.open());
  ASSERT_TRUE(pieces.Add("def").ok());
  EXPECT_FALSE(pieces.open());
  EXPECT_EQ(*pieces.Take(), whole);
}

TEST(AttachmentPieces, AnEmptyOneIsWholeAtOnce) {
  AttachmentPieces pieces;
  ASSERT_TRUE(pieces.Begin(MakeAttachment(kRun, "file", "log", "").header).ok());
  EXPECT_FALSE(pieces.open());
  EXPECT_TRUE(pieces.Take().ok());
}

TEST(AttachmentPieces, TooManyOrOtherBytesAreRefused) {
  AttachmentPieces pieces;
  ASSERT_TRUE(pieces.Begin(MakeAttachment(kRun, "file", "log", "abc").header).ok());
  EXPECT_EQ(pieces.Add("abcd").error().code, ErrorCode::kCorrupt);
  ASSERT_TRUE(pieces.Add("abd").ok());
  EXPECT_EQ(pieces.Take().error().code, ErrorCode::kCorrupt);
  AttachmentHeader huge = MakeAttachment(kRun, "file", "log", "").header;
  huge.size = UINT64_MAX;
  EXPECT_EQ(pieces.Begin(huge).error().code, ErrorCode::kLimit);
  EXPECT_FALSE(pieces.open());
}

}  // namespace
}  // namespace oscope
