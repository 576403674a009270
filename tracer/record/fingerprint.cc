#include "tracer/record/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/checksum.h"

namespace oscope {
namespace {

constexpr size_t kFrames = 3;
constexpr size_t kLines = 2;

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool IsWordChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// "/home/x/a.cc:12" -> "a.cc"; "0x7f00" and "42" -> "#".
std::string StableWord(std::string_view word) {
  if (const size_t slash = word.rfind('/'); slash != std::string_view::npos && slash + 1 < word.size())
    word.remove_prefix(slash + 1);
  std::string stable;
  for (size_t i = 0; i < word.size();) {
    const bool begins = i == 0 || !IsWordChar(word[i - 1]);
    if (!IsDigit(word[i]) || !begins) {
      stable += word[i++];
      continue;
    }
    while (i < word.size() && (IsWordChar(word[i]) || word[i] == '.')) ++i;
    // The line of a place goes with its colon.
    if (!stable.empty() && stable.back() == ':') {
      stable.pop_back();
    } else {
      stable += '#';
    }
  }
  return stable;
}

}  // namespace

std::string StableMessage(std::string_view message) {
  std::string stable, word;
  size_t lines = 0;
  char quote = 0;
  const auto end_word = [&] {
    const std::string piece = StableWord(word);
    word.clear();
    if (piece.empty()) return;
    if (!stable.empty()) stable += ' ';
    stable += piece;
  };
  for (const char c : message) {
    if (c == '\n') {
      end_word();
      quote = 0;
      if (!stable.empty() && ++lines == kLines) break;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"') {
      quote = c;
      word += "\"\"";
    } else if (c == ' ' || c == '\t') {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  return stable;
}

std::string StableExitMessage(std::string_view message) {
  constexpr std::string_view kPlain = "exit code ";
  if (message == "exit") return {};
  if (message.starts_with(kPlain)) {
    std::string_view code = message.substr(kPlain.size());
    if (code.starts_with('-')) code.remove_prefix(1);
    if (std::ranges::all_of(code, IsDigit)) return {};
  }
  return StableMessage(message);
}

std::string FailureFingerprint(std::string_view reason, std::string_view message, std::span<const std::string> frames,
                               std::optional<int> exit_code) {
  std::string text = reason == "exit" && exit_code
                         ? fmt::format("exit {}\n{}\n", *exit_code, StableExitMessage(message))
                         : fmt::format("{}\n{}\n", reason, StableMessage(message));
  for (size_t i = 0; i < std::min(kFrames, frames.size()); ++i) text += frames[i] + "\n";
  return fmt::format("{:016x}", Xxh3(text));
}

}  // namespace oscope
