// What is left out of traces by default, and the functions that tell of a failure. docs/tracing.md lists both for
// people.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tracer/record/trace_settings.h"

namespace oscope {

// A function whose call means a failure.
struct MarkRule {
  std::string_view reason;    // of FailureMark; "exit" is weak: whatever else there is says more (failure.h)
  std::string_view function;  // a glob of method names
  int argument;               // that must lie in low..high; -1: always a failure
  int32_t low, high;
  std::string_view captures;  // as in raw_format.h
  std::string_view message;   // of the captured texts, {0} being the first; empty: none

  bool is_exit() const { return reason == "exit"; }
};

std::span<const MarkRule> MarkRules();

// Objects and names that are left out: test frameworks, the standard library, the C library, the loader, what compilers
// add.
std::span<const KeepRule> DefaultRules();

// First what is said of objects, then what is said of names, each by the default list (unless the settings do without
// it) and then by the settings. The last that fits decides: so a name is left out of an object that was asked for,
// unless it was asked for itself.
std::vector<KeepRule> EffectiveRules(const TraceSettings& settings);

// Whether a list of rules keeps a function. `object` is a path.
bool IsKept(std::span<const KeepRule> rules, std::string_view object, std::string_view method);

}  // namespace oscope
