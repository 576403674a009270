// ContentHasher: a 128-bit hash of what a run says, to tell a retried upload from another run under the same id.
//
// Covers every field of the run and its traces, the events' texts and the parallel lists. Leaves out `RunHeader::bug`,
// since a run may be linked to a bug later, the symbols' attributes, which are never compared, and the kind, place and
// fingerprint that an importer made from a text.
// Guarantees: the same for any numbering of the symbols and any chunking of the events; stable between releases (a
// store keeps it).
// Threads:    one run at a time, from one thread. Begin starts the next; the cache of names' hashes stays.
#pragma once

#include <cstdint>
#include <vector>

#include "base/checksum.h"
#include "tracer/model/run_sink.h"

namespace oscope {

class ContentHasher {
 public:
  void Begin(const RunHeader& run);
  void BeginTrace(const TraceHeader& trace);
  // Every event must be in `symbols`.
  void AddEvents(const EventChunk& chunk, const SymbolTable& symbols);
  void EndTrace();
  Hash128 Digest() const;

 private:
  void CacheNames(const SymbolTable& symbols);

  // One stream a list, so that where a chunk ends cannot show.
  WideHasher headers_;
  WideHasher events_;
  WideHasher depths_;
  WideHasher outcomes_;
  WideHasher values_;

  uint64_t events_in_trace_ = 0;
  uint64_t cached_uid_ = 0;
  std::vector<uint64_t> name_hashes_;  // by SymbolId, of the table `cached_uid_`
};

}  // namespace oscope
