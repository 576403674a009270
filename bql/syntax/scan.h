// The spelling of BQL's tokens, which the grammar, the splitter of statements and the completion share.
//
// Each function takes a text and an offset into it and returns the offset after what it found. Nothing here recurses,
// allocates or fails.
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace oscope::bql {

inline constexpr size_t kUnclosed = std::string_view::npos;

bool IsWordByte(char c);  // letters, digits, _, and every byte of a character beyond ASCII
bool EqualsIgnoringCase(std::string_view a, std::string_view b);

// Returns the offset after blanks and `-- …` comments.
size_t SkipBlanks(std::string_view text, size_t at);
// Returns the offset after a word, which is word bytes with single dashes inside (b527, BEANUTILS-342, 2026-01-02), or
// `at` when there is no word.
size_t WordEnd(std::string_view text, size_t at);
// Returns the offset after a number (-3, 10, 0.5), or `at` when there is none or it is the beginning of a word.
size_t NumberEnd(std::string_view text, size_t at);
// Returns the offset after the quote that closes the one at `at`, or kUnclosed when there is none. A doubled quote does
// not close.
size_t QuotedEnd(std::string_view text, size_t at);
// Returns the offset after the slash that closes the one at `at`, in the same line, or kUnclosed when there is none.
// `\/` does not close.
size_t RegexEnd(std::string_view text, size_t at);
// Returns the offset after an unquoted glob (org/apache/*, net::*).
size_t BareEnd(std::string_view text, size_t at);

// A token, with just enough detail to find the end of a statement or the place where parsing can go on after an error.
struct Token {
  enum class Kind : uint8_t { kEnd, kWord, kParameter, kQuoted, kRegex, kPunctuation };
  Kind kind = Kind::kEnd;
  size_t begin = 0, end = 0;
  bool closed = true;  // of kQuoted: false when the text ends first
  std::string_view In(std::string_view text) const { return text.substr(begin, end - begin); }
};

// Reads tokens from left to right. A slash after a comma or a `!` begins a regular expression, any other is
// punctuation.
class TokenScanner {
 public:
  explicit TokenScanner(std::string_view text, size_t at = 0) : text_(text), at_(at) {}
  Token Next();

 private:
  std::string_view text_;
  size_t at_;
  char before_ = 0;  // the last byte of the token before, when it is punctuation
};

}  // namespace oscope::bql
