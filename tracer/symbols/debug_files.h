// Separate debug information: where a distribution or a build puts what was stripped from an object.
//
// A candidate counts only if it has the object's build-id, or, where one of them has none, the check sum of the debug
// link.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tracer/symbols/elf_image.h"

namespace oscope {

// The debug file of a stripped object: <root>/.build-id/ab/cdef.debug, then by .gnu_debuglink beside the object, in
// .debug/ there and in <root>/<its directory>. nullptr: there is none.
std::unique_ptr<ElfImage> FindDebugFile(const ElfImage& object, const std::vector<std::string>& roots);

// The file that dwz moved shared parts of several debug files to, which `debug_file` names `link` and whose build-id is
// `build_id` (hexadecimal). nullptr: it is not there.
std::unique_ptr<ElfImage> FindSharedDebugFile(const ElfImage& debug_file, const std::string& link,
                                              const std::string& build_id, const std::vector<std::string>& roots);

// The check sum of .gnu_debuglink: CRC-32 as in zlib.
uint32_t DebugLinkChecksum(std::string_view bytes);

}  // namespace oscope
