// Secrets and values: what is made of texts.
#include <gtest/gtest.h>

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
