#include "cli/repeat/shell_quote.h"

#include <string_view>

namespace oscope::cli {

std::string ShellQuoted(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string ShellLine(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    std::string quoted = ShellQuoted(word);
    // Unquoted it would be an assignment.
    if (line.empty() && quoted.find('=') != std::string::npos && quoted[0] != '\'') quoted = "'" + quoted + "'";
    line += (line.empty() ? "" : " ") + quoted;
  }
  return line;
}

}  // namespace oscope::cli
