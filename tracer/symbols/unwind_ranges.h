// The extents of functions as .eh_frame has them: all that is left of functions in a stripped object.
//
// The format: Linux Standard Base Core, "Exception Frames". Entries that cannot be read are left out.
#pragma once

#include <vector>

#include "tracer/symbols/elf_image.h"

namespace oscope {

// Sorted by start, which differ; empty when there is no .eh_frame.
std::vector<AddressRange> ReadUnwindRanges(const ElfImage& image);

// The same of the bytes of an .eh_frame section that lies at `address`.
std::vector<AddressRange> DecodeUnwindRanges(std::string_view bytes, uint64_t address, bool is_64);

}  // namespace oscope
