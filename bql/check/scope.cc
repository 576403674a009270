// Names, parameters and numbers as the checks read them. Each function reports what is wrong and returns nothing then,
// so that its caller only asks whether there is a value.
#include "bql/check/scope.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "base/suggest.h"

namespace oscope::bql {
namespace {

using ast::Term;

constexpr size_t kFractionDigits = 9;  // of kFractionScale

bool AllDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// How an amount was written, for messages: "0.5", or "0.5 (of :len)".
std::string Shown(const Term& term, std::string_view text) {
  return term.kind == Term::Kind::kParameter ? fmt::format("'{}' (of :{})", text, term.text) : fmt::format("{}", text);
}

// 0.25 -> 250'000'000; nothing when it is not a decimal from 0 to 1 with at most 9 digits after the dot.
std::optional<uint64_t> ParseFraction(std::string_view text) {
  const size_t dot = text.find('.');
  const std::string_view whole = text.substr(0, dot);
  std::string digits(dot == std::string_view::npos ? "" : text.substr(dot + 1));
  if (!AllDigits(whole) || whole.size() > 1 || (dot != std::string_view::npos && !AllDigits(digits)))
    return std::nullopt;
  while (digits.size() > kFractionDigits && digits.back() == '0') digits.pop_back();
  if (digits.size() > kFractionDigits) return std::nullopt;
  digits.resize(kFractionDigits, '0');
  uint64_t fraction = 0;
  for (const char c : digits) fraction = fraction * 10 + static_cast<uint64_t>(c - '0');
  const uint64_t value = static_cast<uint64_t>(whole[0] - '0') * kFractionScale + fraction;
  return value <= kFractionScale ? std::optional(value) : std::nullopt;
}

}  // namespace

std::string Nearest(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string question = DidYouMean(Suggest(name, candidates));
  return question.empty() ? "" : ": " + question;
}

bool Scope::Stopped() {
  if (!stopped_) stopped_ = !context_.ask().ok();
  return stopped_;
}

void Scope::Declare(const std::string& variable) {
  if (number_of_.emplace(variable, static_cast<uint32_t>(variables_.size())).second) variables_.push_back(variable);
}

std::optional<uint32_t> Scope::VariableNamed(std::string_view name) const {
  const auto found = number_of_.find(std::string(name));
  if (found == number_of_.end()) return std::nullopt;
  return found->second;
}

std::optional<ParameterValue> Scope::ValueOf(std::string_view name, TextSpan span) {
  const auto found = context_.parameters.find(name);
  if (found != context_.parameters.end()) return found->second;
  if (name == kBugAtHand) {
    Error(span, "tbug, the bug that the query is about, is not set");
    return std::nullopt;
  }
  const std::string nearest = Nearest(name, [&] {
    std::vector<std::string> known;
    for (const auto& [parameter, value] : context_.parameters) known.push_back(parameter);
    return known;
  });
  Error(span, fmt::format("unknown parameter ':{}'{}", name, nearest));
  return std::nullopt;
}

std::optional<ParameterValue> Scope::TextOf(const Term& term) {
  if (term.kind == Term::Kind::kParameter) return ValueOf(term.text, term.span);
  return ParameterValue::Text(term.text);
}

std::optional<uint64_t> Scope::WholeNumber(const Term& term, std::string_view what, uint64_t least) {
  if (term.kind == Term::Kind::kMissing) return std::nullopt;
  const auto value = TextOf(term);
  if (!value) return std::nullopt;
  if (value->kind == ParameterValue::Kind::kUnknown) return std::max<uint64_t>(least, 1);
  const std::string& text = value->text;
  const std::string shown = Shown(term, text);
  if (text.size() > 1 && text[0] == '-' && text[1] >= '0' && text[1] <= '9') {
    Error(term.span, fmt::format("{} is negative: {}", what, shown));
    return std::nullopt;
  }
  if (!AllDigits(text)) {
    Error(term.span, fmt::format("{} is a whole number, not {}", what, shown));
    return std::nullopt;
  }
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number > UINT64_MAX / 2) {
    Error(term.span, fmt::format("{} is too large: {}", what, shown));
    return std::nullopt;
  }
  if (number < least) {
    Error(term.span, fmt::format("{} is at least {}, not {}", what, least, shown));
    return std::nullopt;
  }
  return number;
}

std::optional<uint64_t> Scope::Fraction(const Term& term, std::string_view what) {
  const auto value = TextOf(term);
  if (!value) return std::nullopt;
  if (value->kind == ParameterValue::Kind::kUnknown) return kFractionScale;
  const auto fraction = ParseFraction(value->text);
  if (!fraction) {
    Error(term.span, fmt::format("{} is a number from 0 to 1 with at most {} decimals, not {}", what, kFractionDigits,
                                 Shown(term, value->text)));
  }
  return fraction;
}

}  // namespace oscope::bql
