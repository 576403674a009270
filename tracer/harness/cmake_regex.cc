// Translates CMake's regular expressions to RE2's syntax, character by character. CMake's own engine backtracks and
// may take exponential time; RE2 is linear. The dialects differ in what a backslash and a bracket mean: in CMake a
// backslash only takes the next character literally, so everything that is not one of CMake's operators is quoted for
// RE2.
#include "tracer/harness/cmake_regex.h"

#include <re2/re2.h>

namespace oscope {
namespace {

re2::RE2::Options Options() {
  re2::RE2::Options options;
  options.set_encoding(re2::RE2::Options::EncodingLatin1);  // bytes: output need not be UTF-8
  options.set_dot_nl(true);
  options.set_log_errors(false);
  return options;
}

void AppendLiteral(char byte, std::string& out) { out += re2::RE2::QuoteMeta(re2::StringPiece(&byte, 1)); }

// From '[' to its ']'; `at` is left behind it. Inside, CMake knows ranges and a leading ^ and ], and no escapes.
void AppendBrackets(std::string_view regex, size_t& at, std::string& out) {
  out += regex[at++];
  if (at < regex.size() && regex[at] == '^') out += regex[at++];
  for (bool first = true; at < regex.size() && (first || regex[at] != ']'); first = false, ++at) {
    if (regex[at] == '\\' || regex[at] == '[' || regex[at] == ']') out += '\\';
    out += regex[at];
  }
  if (at < regex.size()) out += regex[at++];
}

}  // namespace

std::string TranslateCMakeRegex(std::string_view regex) {
  std::string out;
  for (size_t at = 0; at < regex.size();) {
    const char byte = regex[at];
    if (byte == '[') {
      AppendBrackets(regex, at, out);
    } else if (byte == '\\' && at + 1 < regex.size()) {
      AppendLiteral(regex[at + 1], out);
      at += 2;
    } else if (std::string_view("^$.*+?|()").find(byte) != std::string_view::npos) {
      out += byte;
      ++at;
      // "(?" would begin one of RE2's own groups; CMake calls it malformed.
      if (byte == '(' && at < regex.size() && regex[at] == '?') out += '*';
    } else {
      AppendLiteral(byte, out);
      ++at;
    }
  }
  return out;
}

CMakeRegex::CMakeRegex(std::string_view regex)
    : regex_(std::make_unique<re2::RE2>(TranslateCMakeRegex(regex), Options())) {}
CMakeRegex::CMakeRegex(CMakeRegex&&) noexcept = default;
CMakeRegex::~CMakeRegex() = default;

bool CMakeRegex::FoundIn(std::string_view text) const {
  return regex_->ok() && re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *regex_);
}

}  // namespace oscope
