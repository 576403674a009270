// Byte sizes and counts as people write and read them.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace oscope {

// A number, which may have a decimal fraction, and a unit in either case: none or B; K, M, G, T or KiB, MiB, … (powers
// of 1024); KB, MB, … (powers of 1000). 10G, 512M, 1.5GiB. Fractions of a byte are dropped; below 2^63.
Result<uint64_t> ParseByteSize(std::string_view text);

// A whole number, which may end in K, M, G (powers of 1000) and have a decimal fraction before that: 8M, 1.5K, 300.
// Above 0.
Result<uint64_t> ParseCount(std::string_view text);

std::string FormatByteSize(uint64_t bytes);  // 512 B, 1.2 GiB
std::string FormatCount(uint64_t count);     // 1,234,567

}  // namespace oscope
