// Secrets, fingerprints and values: what is made of texts.
#include <gtest/gtest.h>

#include "tracer/record/fingerprint.h"
#include "tracer/record/secrets.h"
#include "tracer/record/value_text.h"

namespace oscope {
namespace {

using Words = std::vector<std::string>;

TEST(SecretsTest, MasksWhatLooksSecret) {
  EXPECT_EQ(MaskSecrets({"curl", "--password", "hunter2", "--token=abc", "-u", "x"}),
            (Words{"curl", "--password", "***", "--token=***", "-u", "x"}));
  EXPECT_EQ(MaskSecrets({"env", "API_KEY=123", "DB_PASSWORD=p", "HOME=/x"}),
            (Words{"env", "API_KEY=***", "DB_PASSWORD=***", "HOME=/x"}));
  EXPECT_EQ(MaskSecrets({"git", "clone", "https://me:pw@example.org/x.git"}),
            (Words{"git", "clone", "https://me:***@example.org/x.git"}));
  EXPECT_EQ(MaskSecrets({"curl", "-H", "Authorization: Bearer abc.def"}),
            (Words{"curl", "-H", "Authorization: Bearer ***"}));
  EXPECT_EQ(MaskSecrets({"x", "AKIAABCDEFGHIJKLMNOP"}), (Words{"x", "***"}));
  EXPECT_EQ(MaskSecrets({"x", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"}), (Words{"x", "***"}));
}

TEST(SecretsTest, LeavesTheRestAlone) {
  const Words command = {"./tokenizer_test", "--gtest_filter=Token.*", "secret.txt", "--verbose", "a=b"};
  EXPECT_EQ(MaskSecrets(command), command);
  EXPECT_EQ(MaskSecrets({"x", "--token", "--verbose"}), (Words{"x", "--token", "--verbose"}))
      << "an option is no value";
}

TEST(FingerprintTest, MessageWithoutWhatVaries) {
  EXPECT_EQ(StableMessage("/home/x/src/a.cc:12: Expected equality of these values:\n  f(3)\n  Which is: 7\n"),
            "a.cc: Expected equality of these values: f(#)");
  EXPECT_EQ(StableMessage("read \"some file\" failed at 0x7ffe12 after 12.5 s"), "read \"\" failed at # after # s");
  EXPECT_EQ(StableMessage("vec2 grew"), "vec2 grew");
  EXPECT_EQ(StableMessage(""), "");
}

TEST(FingerprintTest, TellsFailuresApart) {
  const Words frames = {"f", "g", "h", "main"};
  const std::string one = FailureFingerprint("throw", "exception E: at 5", frames);
  EXPECT_EQ(one.size(), 16u);
  EXPECT_EQ(one, FailureFingerprint("throw", "exception E: at 6", Words{"f", "g", "h", "other"}));
  EXPECT_NE(one, FailureFingerprint("throw", "exception F: at 5", frames));
  EXPECT_NE(one, FailureFingerprint("abort", "exception E: at 5", frames));
  EXPECT_NE(one, FailureFingerprint("throw", "exception E: at 5", Words{"f", "g", "k"}));
}

TEST(FingerprintTest, AnExitIsToldByItsCode) {
  const Words frames = {"f", "main"};
  const std::string one = FailureFingerprint("exit", "exit code 1", frames, 1);
  EXPECT_EQ(one, FailureFingerprint("exit", "exit code 257", frames, 1))
      << "as the program said it, and as it came out";
  EXPECT_NE(one, FailureFingerprint("exit", "exit code 2", frames, 2));
  EXPECT_NE(one, FailureFingerprint("exit", "no such table", frames, 1));
  EXPECT_NE(FailureFingerprint("exit", "no such file", frames, 1),
            FailureFingerprint("exit", "no such table", frames, 1));
  EXPECT_NE(FailureFingerprint("exit", "no such file", frames, 1),
            FailureFingerprint("exit", "no such file", frames, 2));
  EXPECT_EQ(FailureFingerprint("exit", "line 3: no such file", frames, 1),
            FailureFingerprint("exit", "line 4: no such file", frames, 1));
  EXPECT_EQ(FailureFingerprint("throw", "exception E", frames, 1),
            FailureFingerprint("throw", "exception E", frames, 2))
      << "others tell enough";
}

TEST(FingerprintTest, WhatAnExitSaysBesideItsCode) {
  for (const char* plain : {"", "exit", "exit code 3", "exit code -1"})
    EXPECT_EQ(StableExitMessage(plain), "") << plain;
  EXPECT_EQ(StableExitMessage("exit code 3 of the server"), "exit code # of the server");
  EXPECT_EQ(StableExitMessage("a.cc:12: no table"), "a.cc: no table");
}

TEST(ValueTextTest, NumbersAndTexts) {
  EXPECT_EQ(ValueText({3, {}}), "3");
  EXPECT_EQ(ValueText({0xffffffff, {}}), "-1") << "an int comes in the low half of a register";
  EXPECT_EQ(ValueText({~uint64_t{0}, {}}), "-1");
  EXPECT_EQ(ValueText({0x7ffe00001234, {}}), "0x7ffe00001234");
  EXPECT_EQ(ValueText({1, "a\"b\\c\n"}), "\"a\\\"b\\\\c\\n\"");
}

TEST(ValueTextTest, AsManyArgumentsAsAFunctionHas) {
  const std::vector<RecordedValue> six = {{1, "p"}, {2, {}}, {3, {}}, {4, {}}, {5, {}}, {6, {}}};
  EXPECT_EQ(ArgumentsText("close", "", six), "(\"p\")");
  EXPECT_EQ(ArgumentsText("f", "f(int, std::pair<int, long>)", six), "(\"p\", 2)");
  EXPECT_EQ(ArgumentsText("f", "f()", six), "()");
  EXPECT_EQ(ArgumentsText("A::f", "A::f(int) const", six), "(\"p\", 2)") << "`this` comes first";
  EXPECT_EQ(ArgumentsText("unknown", "", six), "(\"p\", 2, 3, 4, 5, 6)");
}

}  // namespace
}  // namespace oscope
