#include "tracer/pin/tool.h"

#include "tracer/pin/kernel.h"

namespace oscope::pin {

Tool tool;

void FlushSites() {
  if (!tool.sites.Flush()) tool.sink.SetFlag(OSC_RAW_SITES_LOST);
}

void Refuse(const std::string& directory, const std::string& reason) {
  const std::string line = "oscope: " + reason + "\n";
  const int64_t log = directory.empty() ? -1 : kernel::Open(directory + "/log.tool", kernel::kAppend);
  constexpr int64_t kStandardError = 2;
  kernel::WriteAll(log < 0 ? kStandardError : log, line.data(), line.size());
  constexpr INT32 kCannotRecord = 125;
  PIN_ExitProcess(kCannotRecord);
}

size_t ReadProgram(void* to, uint64_t from, size_t count) {
  return PIN_SafeCopy(to, reinterpret_cast<const VOID*>(from), count);
}

}  // namespace oscope::pin
