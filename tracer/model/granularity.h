// How much of a program one event stands for. What the events of each granularity look like: tracer/model/event.h.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace oscope {

// From fine to coarse; each is made of the ones before it.
enum class Granularity : uint8_t { kInstruction, kStatement, kBlock, kMethod, kClass, kPackage };
inline constexpr int kGranularities = 6;

std::string_view GranularityName(Granularity granularity);  // "instruction", "statement", …
Result<Granularity> ParseGranularity(std::string_view name);

}  // namespace oscope
