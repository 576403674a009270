// Reads the unwinder's sorted table of functions in the program's memory. Not each of its entries is a function: parts
// that a compiler moved away have entries too. Those do not begin like a fresh call (their frame is set up already),
// which the first unwind instruction tells.
#include "tracer/pin/function_starts.h"

#include <algorithm>

namespace oscope::pin {
namespace {

// Encodings of pointers: signed 32-bit numbers, relative to themselves or to the table.
constexpr unsigned char kRelativeToItself = 0x1b, kPlainCount = 0x03, kRelativeToTable = 0x3b;
constexpr uint32_t kMostFunctions = 1 << 24;

struct Entry {
  int32_t function;
  int32_t description;  // of its frame
};

template <typename Value>
bool Read(MemoryReader read, uint64_t address, Value* value) {
  return read(value, address, sizeof *value) == sizeof *value;
}

// The description: length, common part, first address, size, augmentation (with its length before it), then what
// changes as the function runs. A fresh call has nothing to say before its first instruction has been executed.
bool BeginsAsACall(MemoryReader read, uint64_t description) {
  constexpr uint64_t kFixedBytes = 16;
  unsigned char augmentation = 0, first = 0;
  if (!Read(read, description + kFixedBytes, &augmentation) || augmentation >= 0x80) return false;
  if (!Read(read, description + kFixedBytes + 1 + augmentation, &first)) return false;
  const bool is_advance = (first & 0xc0) == 0x40 || (first >= 0x02 && first <= 0x04);
  constexpr unsigned char kNothing = 0x00;
  return first == kNothing || is_advance;
}

}  // namespace

std::vector<FunctionRange> ReadFunctionStarts(MemoryReader read, uint64_t table) {
  std::vector<FunctionRange> starts;
  constexpr uint64_t kHeadBytes = 12, kSizeAt = 12;
  unsigned char head[4] = {};
  uint32_t count = 0;
  if (!Read(read, table, &head) || head[0] != 1 || head[1] != kRelativeToItself) return starts;
  if (head[2] != kPlainCount || head[3] != kRelativeToTable) return starts;
  if (!Read(read, table + 8, &count) || count > kMostFunctions) return starts;
  for (uint32_t i = 0; i < count; ++i) {
    Entry entry = {};
    if (!Read(read, table + kHeadBytes + i * sizeof entry, &entry)) break;
    const uint64_t description = table + static_cast<uint64_t>(static_cast<int64_t>(entry.description));
    FunctionRange function;
    uint32_t size = 0;
    if (!BeginsAsACall(read, description) || !Read(read, description + kSizeAt, &size)) continue;
    function.start = table + static_cast<uint64_t>(static_cast<int64_t>(entry.function));
    function.end = function.start + size;
    starts.push_back(function);
  }
  std::sort(starts.begin(), starts.end());
  return starts;
}

}  // namespace oscope::pin
