// CMake's regular expressions, as CTest applies them to a test's output.
//
// Known are ^ $ . [] [^] * + ? | (); a backslash takes the next character as it is; ^ and $ are the ends of the whole
// text, and . also fits a line break. Braces, classes such as \d and lazy repetition do not exist there. Matched by
// RE2, so in linear time.
// Threads: a compiled expression may be used from any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace oscope {

// The same expression in RE2's syntax.
std::string TranslateCMakeRegex(std::string_view regex);

class CMakeRegex {
 public:
  explicit CMakeRegex(std::string_view regex);
  CMakeRegex(CMakeRegex&&) noexcept;
  ~CMakeRegex();

  // Whether it is found anywhere in `text`. One that is malformed is never found, as CTest has it.
  bool FoundIn(std::string_view text) const;

 private:
  std::unique_ptr<re2::RE2> regex_;
};

}  // namespace oscope
