// How a run was made comes back from a file; bytes that are damaged are refused or say something valid, and never cost
// more memory than they have.
#include "tracer/format/osct_repeat.h"

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "tests/unit/format/sample.h"

namespace oscope {
namespace {

using osct::DecodeRepeat;
using osct::EncodeRepeat;

Sample RepeatedSample() {
  Sample sample = ShortSample();
  for (Run& run : sample.runs) run.header.repeat = FullRepeat();
  return sample;
}

TEST(OsctRepeat, ComesBackFromAFile) {
  const Sample sample = RepeatedSample();
  const ReadBack back = Read(Write(sample));
  ASSERT_TRUE(back.status.ok()) << back.status.error().message;
  EXPECT_EQ(Difference(sample, back.content), "");
  ASSERT_FALSE(back.content.runs.empty());
  EXPECT_EQ(back.content.runs[0].header.repeat, FullRepeat());
}

TEST(OsctRepeat, EachMemberComesBackAlone) {
  const std::function<void(Repeat&)> changes[] = {
      [](Repeat& r) { r.directory = "d"; },
      [](Repeat& r) { r.revision = "d"; },
      [](Repeat& r) { r.changes = "d"; },
      [](Repeat& r) { r.selection.runner = "d"; },
      [](Repeat& r) { r.selection.framework = "d"; },
      [](Repeat& r) { r.selection.filter = "d"; },
      [](Repeat& r) { r.expected.exit_code = INT32_MIN; },
      [](Repeat& r) { r.expected.fails = true; },
      [](Repeat& r) { r.expected.output = {"d", ""}; },
      [](Repeat& r) { r.expected.forbidden_output = {"d", ""}; },
      [](Repeat& r) { r.builds = {{"d", "e", {"f", ""}}, {}}; },
      [](Repeat& r) { r.not_kept = {{"d", "e"}}; },
  };
  std::set<std::string> texts = {EncodeRepeat({})};
  for (const auto& change : changes) {
    Repeat repeat;
    change(repeat);
    const Result<Repeat> back = DecodeRepeat(EncodeRepeat(repeat));
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(*back, repeat);
    EXPECT_TRUE(texts.insert(EncodeRepeat(repeat)).second);
  }
}

TEST(OsctRepeat, ACutOrLongerOneIsCorrupt) {
  const std::string bytes = EncodeRepeat(FullRepeat());
  for (size_t size = 0; size < bytes.size(); ++size) {
    const Result<Repeat> back = DecodeRepeat(std::string_view(bytes).substr(0, size));
    ASSERT_FALSE(back.ok()) << size;
    EXPECT_EQ(back.error().code, ErrorCode::kCorrupt) << size;
  }
  EXPECT_FALSE(DecodeRepeat(bytes + '\0').ok());
}

TEST(OsctRepeat, AnyChangedByteIsRefusedOrSaysSomethingElse) {
  const std::string bytes = EncodeRepeat(FullRepeat());
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      const Result<Repeat> back = DecodeRepeat(changed);
      if (back.ok()) {
        EXPECT_NE(*back, FullRepeat()) << at << "." << bit;
      } else {
        EXPECT_TRUE(back.error().code == ErrorCode::kCorrupt || back.error().code == ErrorCode::kLimit)
            << at << "." << bit;
      }
    }
  }
}

TEST(OsctRepeat, UnknownFlagsAndLargeNumbersAreCorrupt) {
  const std::string six_empty_texts(6, '\0');
  ByteWriter flags;
  flags.Bytes(six_empty_texts);
  flags.Varint(4);
  EXPECT_EQ(DecodeRepeat(flags.Take() + std::string(4, '\0')).error().code, ErrorCode::kCorrupt);
  ByteWriter code;
  code.Bytes(six_empty_texts);
  code.Varint(1);
  code.ZigZag(int64_t{INT32_MAX} + 1);
  EXPECT_EQ(DecodeRepeat(code.Take() + std::string(4, '\0')).error().code, ErrorCode::kCorrupt);
}

// What the bytes can say and the model does not allow.
TEST(OsctRepeat, AFileWithAnInvalidOneIsRefused) {
  Sample sample = ShortSample();
  sample.runs[0].header.repeat.directory = "abc";
  std::string file = Write(sample, {.compress = false, .level = 1});
  const size_t at = file.find(
      "\x03"
      "abc");
  ASSERT_NE(at, std::string::npos);
  file[at + 1] = '/';
  const ReadBack back = Read(Reseal(file));
  ASSERT_FALSE(back.status.ok());
  EXPECT_NE(back.status.error().message.find("must be relative"), std::string::npos) << back.status.error().message;
}

// Version 1 has no such flag.
TEST(OsctRepeat, AFileOfVersion1HasNone) {
  Sample sample = SampleOfVersion1();
  std::string file = Write(sample, {.compress = false, .level = 1});
  file[4] = 1;
  ASSERT_TRUE(Read(Reseal(file)).status.ok());
  for (oscope::Run& run : sample.runs) run.header.repeat.directory = "d";
  file = Write(sample, {.compress = false, .level = 1});
  file[4] = 1;
  const ReadBack back = Read(Reseal(file));
  ASSERT_FALSE(back.status.ok());
  EXPECT_NE(back.status.error().message.find("flags 0x80 are unknown"), std::string::npos)
      << back.status.error().message;
}

}  // namespace
}  // namespace oscope
