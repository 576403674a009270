// Patterns over events that are single letters, for tests: "a", "b", …; upper-case scopes hold methods "A::x".
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bql/pattern/pattern.h"
#include "query/semantics/bind_pattern.h"

namespace oscope::bql {

inline std::shared_ptr<const Pattern> MustParse(std::string_view text) {
  std::vector<Diagnostic> diagnostics;
  auto pattern = ParsePattern(text, {}, 0, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics)
    EXPECT_NE(diagnostic.severity, Severity::kError) << text << ": " << diagnostic.message;
  return pattern;
}

// Whether the pattern takes the trace of these event names.
inline bool Takes(std::string_view text, const std::vector<std::string_view>& trace) {
  const auto pattern = MustParse(text);
  if (pattern == nullptr) return false;
  std::vector<uint32_t> ids;
  for (uint32_t i = 0; i < trace.size(); ++i) ids.push_back(i);
  return Accepts(BindPattern(*pattern, trace), ids);
}

// The same with one letter an event.
inline bool TakesLetters(std::string_view text, std::string_view letters) {
  std::vector<std::string_view> trace;
  for (size_t i = 0; i < letters.size(); ++i) trace.push_back(letters.substr(i, 1));
  return Takes(text, trace);
}

}  // namespace oscope::bql
