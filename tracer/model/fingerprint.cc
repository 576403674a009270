// Reduces a failure to what stays the same when it happens again: kind, stable words of the message, and three frames.
// fingerprint.h says why. Fingerprints are stored and looked up by equality, so a change of any rule here makes known
// failures look new.
#include "tracer/model/fingerprint.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "base/checksum.h"
#include "tracer/model/project_frames.h"

namespace oscope {
namespace {

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
    // The line number of a place is removed together with its colon.
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

namespace {

std::string TwoLines(std::string_view what, std::string_view message) { return fmt::format("{}\n{}\n", what, message); }

// The part of a fingerprint that is not frames. The words are those of the failure marks, so that the
// fingerprints of earlier releases stay what they were wherever the message counts or says no more than the mark.
std::string WhatCounts(const Failure& failure) {
  const auto with_message = [&](std::string_view what) { return TwoLines(what, StableMessage(failure.message)); };
  switch (failure.kind) {
    case FailureKind::kSignal: {
      const std::string name = SignalName(failure.signal.value_or(0));
      return TwoLines(name, name);
    }
    case FailureKind::kAbort: return TwoLines("abort", "abort");
    case FailureKind::kAssertion: return TwoLines("assertion", "assertion");
    case FailureKind::kTerminate: return TwoLines("terminate", "terminate");
    case FailureKind::kExit:
      if (!failure.exit_code) return with_message("exit");
      return TwoLines(fmt::format("exit {}", *failure.exit_code), StableExitMessage(failure.message));
    case FailureKind::kException: return with_message("throw");
    case FailureKind::kTestFailure: return with_message("test failure");
    case FailureKind::kTimeout: return with_message("time-out");
    case FailureKind::kSanitizer: return with_message("sanitizer report");
    case FailureKind::kUnknown: break;
  }
  return with_message("unknown");
}

}  // namespace

std::string FailureFingerprint(const Failure& failure, std::span<const std::string> frames) {
  std::string text = WhatCounts(failure);
  for (size_t i = 0; i < std::min(kFingerprintFrames, frames.size()); ++i) text += frames[i] + "\n";
  return fmt::format("{:016x}", Xxh3(text));
}

std::string FailureFingerprint(const Failure& failure, const Trace& trace, const SymbolTable& symbols) {
  std::vector<std::string> frames;
  for (const SymbolId frame : ProjectFrames(trace, symbols, kFingerprintFrames)) frames.push_back(symbols.name(frame));
  return FailureFingerprint(failure, frames);
}

}  // namespace oscope
