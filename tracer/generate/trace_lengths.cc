// Quantiles of trace lengths as a table of integers with straight lines between them: the exponential function would
// not give the same lengths on every machine.
#include "tracer/generate/trace_lengths.h"

#include <array>

#include "base/result.h"

namespace oscope {
namespace {

// exp(N(ln 2058.86, 1.5)) at i / 32, the ends set to the thesis's bounds. The median was chosen so that the mean of
// straight lines between them is 5,431.1.
constexpr std::array<uint32_t, 33> kQuantiles = {kThesisShortest,
                                                 126,
                                                 206,
                                                 285,
                                                 367,
                                                 453,
                                                 544,
                                                 642,
                                                 749,
                                                 864,
                                                 989,
                                                 1126,
                                                 1277,
                                                 1442,
                                                 1626,
                                                 1830,
                                                 2059,
                                                 2316,
                                                 2607,
                                                 2939,
                                                 3320,
                                                 3764,
                                                 4286,
                                                 4908,
                                                 5663,
                                                 6598,
                                                 7790,
                                                 9366,
                                                 11561,
                                                 14867,
                                                 20560,
                                                 33658,
                                                 kThesisLongest};

}  // namespace

uint32_t ThesisLength(uint32_t numerator, uint32_t denominator) {
  OSCOPE_CHECK(numerator <= denominator && denominator > 0);
  const uint64_t scaled = uint64_t{numerator} * (kQuantiles.size() - 1);
  const uint64_t below = scaled / denominator;
  if (below + 1 == kQuantiles.size()) return kThesisLongest;
  const uint64_t step = kQuantiles[below + 1] - kQuantiles[below];
  return kQuantiles[below] + static_cast<uint32_t>(step * (scaled % denominator) / denominator);
}

uint32_t RandomThesisLength(Random& random) {
  constexpr uint32_t kSteps = 1 << 24;
  return ThesisLength(random.Below(kSteps + 1), kSteps);
}

}  // namespace oscope
