// Sink: the events file of this process, and its place in the recording (tracer/raw/raw_format.h).
//
// Threads of a process run side by side, so each fills a chunk of its own. A slot whose chunk is still being filled is
// passed over when the ring comes round to it: the sequence numbers in between are used up, and every thread keeps its
// newest records.
//
// No file stays open: a program may close descriptors that are not its own, and would get other numbers for those that
// are.
//
// Threads: one at a time (the tool has a lock). The words of a chunk belong to the thread that took it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tracer/raw/raw_format.h"

namespace oscope::pin {

// Where a thread writes. Without a slot: memory that is never read.
struct Chunk {
  uint32_t* begin = nullptr;
  uint32_t* end = nullptr;
  uint32_t slot = UINT32_MAX;
};

class Sink {
 public:
  enum class Started { kRecording, kOverLimit, kFailed };

  // Takes the next ordinal of the recording and makes the events file. kFailed: `error` says why.
  Started Start(const std::string& directory, uint32_t ring_chunks, std::string* error);
  // In the child of a fork: the same for it. The parent's chunks are no longer ours.
  Started StartForked(uint32_t parent_sites, uint32_t parent_objects, std::string* error);

  bool recording() const { return header_ != nullptr; }
  uint32_t process() const { return process_; }
  std::string PathOf(const char* suffix) const;  // <directory>/<process>.<suffix>

  // The next chunk for a thread, in place of `old`, which is given back. Where there is none to be had: one without a
  // slot.
  Chunk Take(uint32_t thread, const Chunk& old);
  void GiveBack(const Chunk& chunk);
  Chunk Nowhere();  // one without a slot

  void SetFlag(uint32_t flag);  // any thread
  void ClearFlag(uint32_t flag);

 private:
  Started Begin(OscRawOrigin origin, uint32_t parent, uint32_t parent_sites, uint32_t parent_objects,
                std::string* error);
  bool TakeOrdinal(uint32_t* limit, std::string* error);
  bool MakeFile(std::string* error);
  bool NextSequence(uint64_t* sequence) const;
  bool Zero(uint32_t slot) const;

  std::string directory_;
  uint32_t asked_chunks_ = 0;
  uint32_t process_ = 0;
  OscRawHeader* header_ = nullptr;  // the mapped file
  size_t mapped_bytes_ = 0;
  std::vector<bool> held_;  // by slot
  std::vector<uint32_t> nowhere_;
};

}  // namespace oscope::pin
