#include "query/similarity/name_words.h"

#include <gtest/gtest.h>

#include <random>
#include <regex>

namespace oscope {
namespace {

using Words = std::vector<std::string>;

// The definition as a regular expression, for ASCII.
Words ByRegularExpression(const std::string& name) {
  static const std::regex word("[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+");
  Words words;
  for (std::sregex_iterator i(name.begin(), name.end(), word), end; i != end; ++i) {
    std::string text = i->str();
    for (char& c : text) c = static_cast<char>(std::tolower(c));
    words.push_back(std::move(text));
  }
  return words;
}

TEST(NameWords, KnownNames) {
  EXPECT_EQ(NameWords(""), Words());
  EXPECT_EQ(NameWords("<>::"), Words());
  EXPECT_EQ(NameWords("org.jfree.XMLParserTest.testBug2849731_2"),
            (Words{"org", "jfree", "xml", "parser", "test", "test", "bug", "2849731", "2"}));
  EXPECT_EQ(NameWords("net::Socket::read_all"), (Words{"net", "socket", "read", "all"}));
  EXPECT_EQ(NameWords("Outer$1.<init>"), (Words{"outer", "1", "init"}));
  EXPECT_EQ(NameWords("parseJSON"), (Words{"parse", "json"}));
  EXPECT_EQ(NameWords("A"), (Words{"a"}));
}

TEST(NameWords, BytesBeyondAsciiStayTogether) { EXPECT_EQ(NameWords("größeAendern"), (Words{"größe", "aendern"})); }

TEST(NameWords, IsTheRegularExpression) {
  std::mt19937 random(1);
  const std::string alphabet = "abAB01._$<";
  for (int round = 0; round < 5000; ++round) {
    std::string name(random() % 12, ' ');
    for (char& c : name) c = alphabet[random() % alphabet.size()];
    ASSERT_EQ(NameWords(name), ByRegularExpression(name)) << name;
  }
}

TEST(NameWords, AnyBytesAreTaken) {
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    std::string name(random() % 40, ' ');
    for (char& c : name) c = static_cast<char>(random());
    for (const std::string& word : NameWords(name)) ASSERT_FALSE(word.empty());
  }
}

}  // namespace
}  // namespace oscope
