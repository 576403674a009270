// The names of granularities, in the order of the enumeration.
#include "tracer/model/granularity.h"

#include <array>

namespace oscope {
namespace {

constexpr std::array<std::string_view, kGranularities> kGranularityNames = {"instruction", "statement", "block",
                                                                            "method",      "class",     "package"};

}  // namespace

std::string_view GranularityName(Granularity granularity) {
  return kGranularityNames[static_cast<size_t>(granularity)];
}

Result<Granularity> ParseGranularity(std::string_view name) {
  for (size_t i = 0; i < kGranularityNames.size(); ++i) {
    if (kGranularityNames[i] == name) return static_cast<Granularity>(i);
  }
  return Invalid("'{}': a granularity is instruction, statement, block, method, class or package", name);
}

}  // namespace oscope
