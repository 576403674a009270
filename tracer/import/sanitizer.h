// Reports of AddressSanitizer, UndefinedBehaviorSanitizer, ThreadSanitizer, LeakSanitizer and
// MemorySanitizer (gcc and clang).
//
//   ==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010 at pc 0x… bp 0x…
//   sp 0x… READ of size 4 at 0x602000000010 thread T0
//       #0 0x55d0c0de in f /src/a.c:5:3
//   freed by thread T0 here:
//       #0 0x7f00c0de in free (/src/a+0x1234) (BuildId: 00ff)
//   SUMMARY: AddressSanitizer: heap-use-after-free /src/a.c:5:3 in f
//
// Each report is a run. Its first stack is thread 0 and marked; the further ones (who freed, who
// allocated, the other side of a race) are threads 1, 2, … whose thread_name is the line that
// introduced them.
#pragma once

#include "tracer/import/importer.h"

namespace oscope {

const Importer& SanitizerImporter();

}  // namespace oscope
