// Names of failure kinds, validation, and the move from the older form: earlier releases kept the fingerprint and the
// place as custom fields. TakeFromCustom and WithFailureFields convert in both directions without loss. A `where` that
// PlaceText would spell differently stays a custom field.
#include "tracer/model/failure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <cstring>

#include "base/limits.h"

namespace oscope {
namespace {

constexpr std::array<std::string_view, kFailureKinds> kNames = {
    "unknown",      "signal", "abort",    "assertion",       "exception", "uncaught exception",
    "test failure", "exit",   "time-out", "sanitizer report"};

constexpr const char* kFingerprintField = "fingerprint";
constexpr const char* kPlaceField = "where";

std::string PlaceText(const FailurePlace& place) { return fmt::format("{}:{}", place.file, place.line); }

// "src/a.cc:12", as PlaceText writes it and in no other spelling, so that nothing is lost on the way.
std::optional<FailurePlace> ParsePlace(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon > limits::kMaxNameBytes) return std::nullopt;
  FailurePlace place;
  place.file = text.substr(0, colon);
  std::from_chars(text.data() + colon + 1, text.data() + text.size(), place.line);
  if (!place.has_line() || PlaceText(place) != text) return std::nullopt;
  return place;
}

}  // namespace

std::string_view FailureKindName(FailureKind kind) { return kNames[static_cast<size_t>(kind)]; }

Result<FailureKind> ParseFailureKind(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<FailureKind>(i);
  }
  return Invalid("'{}': a failure is one of {}", name, fmt::join(kNames, ", "));
}

FailureKind KindOfReason(std::string_view reason) {
  constexpr std::array<std::pair<std::string_view, FailureKind>, 7> kReasons = {
      {{"abort", FailureKind::kAbort},
       {"assertion", FailureKind::kAssertion},
       {"throw", FailureKind::kException},
       {"terminate", FailureKind::kTerminate},
       {"test failure", FailureKind::kTestFailure},
       {"exit", FailureKind::kExit},
       {"time-out", FailureKind::kTimeout}}};
  for (const auto& [name, kind] : kReasons) {
    if (reason == name) return kind;
  }
  return reason.starts_with("SIG") || reason.starts_with("signal ") ? FailureKind::kSignal : FailureKind::kUnknown;
}

void Failure::ForgetWhatWentWrong() {
  kind = FailureKind::kUnknown;
  place = {};
  fingerprint.clear();
}

void TakeFromCustom(CustomFields& custom, Failure& failure) {
  const auto print = custom.find(kFingerprintField);
  if (print != custom.end() && failure.fingerprint.empty() && !print->second.empty() &&
      print->second.size() <= limits::kMaxNameBytes) {
    failure.fingerprint = std::move(print->second);
    custom.erase(print);
  }
  const auto where = custom.find(kPlaceField);
  if (where == custom.end() || failure.place.has_line()) return;
  if (std::optional<FailurePlace> place = ParsePlace(where->second)) {
    failure.place.file = std::move(place->file);
    failure.place.line = place->line;
    custom.erase(where);
  }
}

CustomFields WithFailureFields(CustomFields custom, const Failure& failure) {
  if (!failure.fingerprint.empty()) custom.emplace(kFingerprintField, failure.fingerprint);
  if (failure.place.has_line()) custom.emplace(kPlaceField, PlaceText(failure.place));
  return custom;
}

std::string SignalName(int number) {
  const char* name = ::sigabbrev_np(number);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", number);
}

}  // namespace oscope
