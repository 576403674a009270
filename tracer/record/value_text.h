// Arguments and results as text, for the values of events: ("/etc/passwd", 0) = 3.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace oscope {

struct RecordedValue {
  uint64_t bits = 0;
  std::optional<std::string> text;  // what it points at, where that is a string
};

// A number that fits in 32 bits is shown as a signed one, since that is how C's int comes in a register; larger ones
// are hexadecimal.
std::string ValueText(const RecordedValue& value);

// "(a, b)" of the arguments that the function has: as many as its signature says, or for well-known functions of C as
// they are known to have; else all registers that may hold one.
std::string ArgumentsText(std::string_view method, std::string_view signature,
                          std::span<const RecordedValue> arguments);

}  // namespace oscope
