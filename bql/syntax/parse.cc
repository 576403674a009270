// Refuses texts over the limits, counting parentheses with the scanner, and hands the rest to the grammar.
#include "bql/syntax/parse.h"

#include <fmt/core.h>

#include <algorithm>

#include "bql/syntax/grammar.h"
#include "bql/syntax/scan.h"

namespace oscope::bql {
namespace {

// Checked before Spirit sees the text: its rules recurse where parentheses nest, and nowhere else.
std::optional<Diagnostic> OverLimit(std::string_view text, const SyntaxLimits& limits) {
  if (text.size() > limits.bytes) {
    return Diagnostic{Severity::kError,
                      {},
                      fmt::format("the statement has {} bytes, more than {} (--max-query-bytes raises this limit)",
                                  text.size(), limits.bytes)};
  }
  size_t depth = 0;
  TokenScanner scanner(text);
  for (Token token = scanner.Next(); token.kind != Token::Kind::kEnd; token = scanner.Next()) {
    const std::string_view part = token.In(text);
    if (part == "(" || part == "[") ++depth;
    if ((part == ")" || part == "]") && depth > 0) --depth;
    if (depth > limits.nesting) {
      return Diagnostic{Severity::kError,
                        {static_cast<uint32_t>(token.begin), static_cast<uint32_t>(token.end)},
                        fmt::format("nested deeper than {} (--max-nesting raises this limit)", limits.nesting)};
    }
  }
  return std::nullopt;
}

}  // namespace

ParsedStatement ParseStatement(std::string_view text, const SyntaxLimits& limits) {
  ParsedStatement parsed;
  if (auto over = OverLimit(text, limits)) {
    parsed.diagnostics.push_back(*std::move(over));
    return parsed;
  }
  ParseWithGrammar(text, limits, parsed);
  std::stable_sort(parsed.diagnostics.begin(), parsed.diagnostics.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return a.span.begin < b.span.begin; });
  return parsed;
}

}  // namespace oscope::bql
