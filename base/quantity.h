// Byte sizes and counts as people write and read them.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace oscope {

// Parses a size such as 10G, 512M or 1.5GiB: a number, which may have a decimal fraction, and a unit in upper or lower
// case. No unit and B are bytes; K, M, G, T and KiB, MiB, … are powers of 1024; KB, MB, … are powers of 1000. Fractions
// of a byte are dropped. Fails with kInvalid for any other text and for 2^63 bytes or more.
Result<uint64_t> ParseByteSize(std::string_view text);

// Parses a count such as 300, 8M or 1.5K: a number above 0, which may end in K, M or G (powers of 1000) and may have a
// decimal fraction only then. Fails with kInvalid for any other text.
Result<uint64_t> ParseCount(std::string_view text);

std::string FormatByteSize(uint64_t bytes);  // 512 B, 1.2 GiB
std::string FormatCount(uint64_t count);     // 1,234,567

}  // namespace oscope
