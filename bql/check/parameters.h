// Values for `:name`, given by the shell, the command line, the API or the arguments of a CALL.
//
// A value is a text; its place says what it is: a bug's id, a project, a number, a pattern, a field's value. Where a
// bug or a pattern may stand, a value in quotes is a pattern; a bare one is a bug if the store has it, else a pattern.
// A bug may be a run: "run/1f2e3d4c".
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace oscope::bql {

struct ParameterValue {
  enum class Kind : uint8_t {
    kAny,
    kText,     // was quoted: no bug
    kUnknown,  // stands for a value to come, while a definition is checked: fits everywhere
  };
  Kind kind = Kind::kAny;
  std::string text;

  ParameterValue() = default;
  // Quotes around the text make it kText, and go.
  ParameterValue(std::string_view value);  // NOLINT(google-explicit-constructor)
  ParameterValue(const std::string& value)
      : ParameterValue(std::string_view(value)) {}                                // NOLINT(google-explicit-constructor)
  ParameterValue(const char* value) : ParameterValue(std::string_view(value)) {}  // NOLINT(google-explicit-constructor)
  static ParameterValue Text(std::string_view text);
  static ParameterValue Unknown();
  bool operator==(const ParameterValue&) const = default;
};

using Parameters = std::map<std::string, ParameterValue, std::less<>>;

// The bug at hand: the bare name means the parameter.
inline constexpr std::string_view kBugAtHand = "tbug";

// Before the digits of a run's id, where a bug may stand. No bug is named so: ids have no slash.
inline constexpr std::string_view kRunPrefix = "run/";

}  // namespace oscope::bql
