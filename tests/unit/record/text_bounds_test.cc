// Texts of secrets, values and configurations at their bounds.
#include <gtest/gtest.h>

#include "tracer/model/granularity.h"
#include "tracer/record/secrets.h"
#include "tracer/record/trace_config.h"
#include "tracer/record/value_text.h"

namespace oscope {
namespace {

using Words = std::vector<std::string>;

std::string Masked(const std::string& argument) { return MaskSecrets({"x", argument}).at(1); }

TEST(SecretBounds, EveryKindIsMasked) {
  EXPECT_EQ(Masked("passphrase: abc; rest"), "passphrase: ***; rest");
  EXPECT_EQ(Masked("--my-secret=abc"), "--my-secret=***");
  EXPECT_EQ(Masked("accessKey=abc&other=1"), "accessKey=***&other=1");
  EXPECT_EQ(Masked("private_key=abc,x"), "private_key=***,x");
  EXPECT_EQ(Masked("a credentials=b token=c"), "a credentials=*** token=***") << "all of them";
  EXPECT_EQ(Masked("ftp://u:p@h/ http://v:q@k/"), "ftp://u:***@h/ http://v:***@k/");
  EXPECT_EQ(Masked("authorization: abc"), "authorization: ***");
  EXPECT_EQ(Masked("glpat-0123456789abcdef"), "***");
  EXPECT_EQ(Masked("xoxb-0123456789"), "***");
  EXPECT_EQ(Masked("eyJ01234567.01234567.x"), "***");
  EXPECT_EQ(Masked("a\n-----BEGIN RSA PRIVATE KEY-----\nabc\n"), "a\n***");
}

TEST(SecretBounds, ShorterOnesAreNone) {
  for (const char* text : {"AKIAABCDEFGHIJKLMNO", "ghp_0123456789abcdefghi", "glpat-0123456789abcde", "xoxb-012345678",
                           "eyJ0123456.01234567.x", "http://host:80/a@b"}) {
    EXPECT_EQ(Masked(text), text);
  }
}

TEST(SecretBounds, TheProgramIsNoOptionAndAValueIsMaskedOnce) {
  EXPECT_EQ(MaskSecrets({"--token", "value"}), (Words{"--token", "value"}));
  EXPECT_EQ(MaskSecrets({"x", "--token", "value", "next"}), (Words{"x", "--token", "***", "next"}));
  EXPECT_EQ(MaskSecrets({"x", "token", "value"}), (Words{"x", "token", "value"}))
      << "a word without a dash is no option";
  EXPECT_EQ(MaskSecrets({"x", "--token", "--auth", "value"}), (Words{"x", "--token", "--auth", "***"}));
}

TEST(ValueBounds, NumbersAtTheEndsOfTheirHalves) {
  EXPECT_EQ(ValueText({0x7fffffff, {}}), "2147483647");
  EXPECT_EQ(ValueText({0x80000000, {}}), "-2147483648");
  EXPECT_EQ(ValueText({0x100000000, {}}), "0x100000000");
  EXPECT_EQ(ValueText({0xffffffff80000000, {}}), "-2147483648");
  EXPECT_EQ(ValueText({0xffffffff7fffffff, {}}), "0xffffffff7fffffff");
  EXPECT_EQ(ValueText({0, ""}), "\"\"");
}

TEST(ValueBounds, ParametersOfSignatures) {
  const std::vector<RecordedValue> three = {{1, {}}, {2, {}}, {3, {}}};
  EXPECT_EQ(ArgumentsText("f", "f(void (*)(int, int), int)", three), "(1, 2)");
  EXPECT_EQ(ArgumentsText("f", "f( )", three), "()");
  EXPECT_EQ(ArgumentsText("f", "f(int, int, int, int)", three), "(1, 2, 3)") << "no more than there are";
  EXPECT_EQ(ArgumentsText("f", "int)", three), "(1, 2, 3)") << "no beginning";
  EXPECT_EQ(ArgumentsText("f", "f(int) volatile", three), "(1, 2, 3)") << "not understood";
  EXPECT_EQ(ArgumentsText("A::f", "A::f()", three), "(1)");
  EXPECT_EQ(ArgumentsText("fork", "", three), "()");
}

TEST(TraceConfigBounds, EveryKey) {
  const auto config = ParseTraceConfig(
      "[trace]\ngranularity = \"block\"\nrecorder = \"valgrind\"\nlimit = 1\nleave_out = [\"a\"]\nkeep = [\"b\"]\n"
      "leave_out_objects = [\"c\"]\nkeep_objects = [\"d\"]\nvalues = [\"e\", \"f\"]\n",
      "x.toml");
  ASSERT_TRUE(config.ok()) << config.error().message;
  EXPECT_EQ(config->settings.granularity, Granularity::kBlock);
  EXPECT_EQ(config->recorder, "valgrind");
  EXPECT_EQ(config->settings.event_limit, 1u);
  EXPECT_EQ(config->settings.values, (Words{"e", "f"}));
  std::string rules;
  for (const KeepRule& rule : config->settings.rules)
    rules +=
        fmt::format("{}{}:{} ", rule.keep ? '+' : '-', rule.what == KeepRule::What::kObject ? 'o' : 'n', rule.glob);
  EXPECT_TRUE(rules.find("-n:a ") != std::string::npos && rules.find("+n:b ") != std::string::npos &&
              rules.find("-o:c ") != std::string::npos && rules.find("+o:d ") != std::string::npos)
      << rules;
  EXPECT_EQ(rules.size(), 20u);
}

TEST(TraceConfigBounds, EveryFaultNamesItsLine) {
  const auto message = [](const std::string& text) {
    const auto config = ParseTraceConfig(text, "x.toml");
    return config.ok() ? "none" : config.error().message;
  };
  EXPECT_EQ(message(""), "none");
  EXPECT_EQ(message("[other]\nlimit = 0\n"), "none");
  EXPECT_EQ(message("\ntrace = 1\n"), "x.toml:2: trace must be a table: [trace]");
  EXPECT_EQ(message("[trace]\nlimit = 0\n"), "x.toml:2: trace.limit must be a number of events above 0");
  EXPECT_EQ(message("[trace]\nlimit = \"1\"\n"), "x.toml:2: trace.limit must be a number of events above 0");
  EXPECT_EQ(message("[trace]\nrecorder = 1\n"), "x.toml:2: trace.recorder must be a text");
  EXPECT_EQ(message("[trace]\nkeep = \"a\"\n"), "x.toml:2: trace.keep must be a list of texts");
  EXPECT_EQ(message("[trace]\nvalues = [\"a\",\n1]\n"), "x.toml:3: trace.values must be a text");
  for (const char* key : {"leave_out", "keep", "leave_out_objects", "keep_objects"}) {
    EXPECT_EQ(message(fmt::format("[trace]\n{} = [1]\n", key)), fmt::format("x.toml:2: trace.{} must be a text", key));
  }
  EXPECT_TRUE(message("[trace]\ngranularity = \"fine\"\n").starts_with("x.toml:2: "))
      << message("[trace]\ngranularity = \"fine\"\n");
  EXPECT_TRUE(message("[trace]\n\nvalue = []\n").starts_with("x.toml:3: trace.value: not known; "))
      << message("[trace]\n\nvalue = []\n");
  EXPECT_TRUE(message("[trace\n").starts_with("x.toml:1: "));
}

}  // namespace
}  // namespace oscope
