// Attachments in JSON lines: as oscope writes them, and as a script would.
#include <gtest/gtest.h>

#include "base/limits.h"
#include "tracer/import/json_lines.h"
#include "tracer/import/json_lines_writer.h"

namespace oscope {
namespace {

struct Imported {
  Status status;
  RunCollector content;
};

Imported Read(std::string_view text) {
  Imported imported;
  std::vector<ImportProblem> problems;
  imported.status = JsonLinesImporter().Import(text, {.project = "Default"}, imported.content, problems);
  return imported;
}

std::string WhyNot(std::string_view text) {
  const Imported imported = Read(text);
  return imported.status.ok() ? "read" : imported.status.error().message;
}

std::string Write(const std::vector<Attachment>& attachments) {
  std::string text;
  JsonLinesWriter writer([&](std::string_view line) {
    text += line;
    return Status();
  });
  for (const Attachment& attachment : attachments) EXPECT_TRUE(writer.AddAttachment(attachment).ok());
  return text;
}

TEST(JsonAttachments, ComeBackAsTheyWere) {
  const AttachmentOwner run{RunId{{1, 2}}, {}}, bug{{}, {"demo", "7"}};
  const std::vector<Attachment> attachments = {
      MakeAttachment(run, "bitcode", "a.out", std::string("\0\xff", 2)), MakeAttachment(bug, "file", "empty", ""),
      MakeAttachment(bug, "kind-of-2031", "\xff", std::string(9 << 20, 'x')), MakeAttachment(run, "file", "last", "z")};
  const std::string text = Write(attachments);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 6) << "the large one is three lines";
  const Imported imported = Read(text);
  ASSERT_TRUE(imported.status.ok()) << imported.status.error().message;
  EXPECT_EQ(imported.content.attachments, attachments);
}

TEST(JsonAttachments, AScriptNeedSayLittle) {
  const Imported imported = Read(R"({"type":"run","traces":[]})"
                                 "\n"
                                 R"({"type":"attachment","name":"log","text":"one"})"
                                 "\n"
                                 R"({"type":"attachment","bug":"7","name":"log","kind":"log","base64":"dHdv"})");
  ASSERT_TRUE(imported.status.ok()) << imported.status.error().message;
  const RunId run = imported.content.runs[0].header.id;
  EXPECT_EQ(imported.content.attachments, (std::vector{MakeAttachment({run, {}}, "file", "log", "one"),
                                                       MakeAttachment({{}, {"Default", "7"}}, "log", "log", "two")}));
}

TEST(JsonAttachments, WhatIsWrongIsToldWithItsLine) {
  EXPECT_EQ(WhyNot(R"({"type":"attachment","name":"log","text":"one"})"),
            "1 problem, the first: line 1: it names neither a run nor a bug, and no run line stands before it");
  EXPECT_EQ(WhyNot(R"({"type":"attachment","bug":"7","text":"one"})"),
            "line 1: attachment '' of bug Default-7: it has no name");
  EXPECT_EQ(WhyNot(R"({"type":"attachment","bug":"7","name":"n","text":"one","size":3})"),
            "1 problem, the first: line 1: size: there is no sha256 with it");
  EXPECT_NE(WhyNot(R"({"type":"attachment","bug":"7","name":"n","extra":1})"), "read");
  const std::string large = Write({MakeAttachment({{}, {"demo", "7"}}, "file", "n", std::string(9 << 20, 'x'))});
  const size_t first = large.find('\n') + 1, second = large.find('\n', first) + 1;
  EXPECT_EQ(WhyNot(large.substr(0, second)),
            fmt::format("1 problem, the first: line 1: {} bytes of the attachment's {} are there", 8 << 20, 9 << 20));
  EXPECT_EQ(WhyNot(large.substr(0, first) + large.substr(second)).substr(0, 10), "1 problem,") << "one is missing";
  EXPECT_EQ(WhyNot(large.substr(first)).substr(0, 11), "2 problems,") << "the first is missing";
  std::string other = Write({MakeAttachment({{}, {"demo", "7"}}, "file", "n", "abc")});
  other.replace(other.find("YWJj"), 4, "YWJk");
  EXPECT_EQ(WhyNot(other), "line 1: attachment 'n' of bug demo-7: its bytes do not match its digest");
}

TEST(JsonAttachments, ALyingSizeIsRefusedAtOnce) {
  std::string text = Write({MakeAttachment({{}, {"demo", "7"}}, "file", "n", "abc")});
  text.replace(text.find("\"size\":3"), 8, fmt::format("\"size\":{}", limits::kMaxAttachmentBytes + 1));
  const Imported imported = Read(text);
  EXPECT_EQ(imported.status.error().code, ErrorCode::kLimit);
}

}  // namespace
}  // namespace oscope
