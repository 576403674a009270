// The tool's state in this process, and its locks.
//
// Threads: Pin's client lock guards `sites`, the images and the functions: Pin holds it in instrumentation, an analysis
// routine takes it with ClientLock. `sink_lock` guards `sink`. Whoever holds the sink's lock calls nothing of Pin's and
// takes no other lock, so that it may be held over a fork. The rest is set before the program starts.
#pragma once

#include <pin.H>

#include <string>

#include "tracer/pin/chop.h"
#include "tracer/pin/settings.h"
#include "tracer/pin/sink.h"
#include "tracer/pin/sites.h"

namespace oscope::pin {

struct Tool {
  Settings settings;
  bool has_chops = false;  // records depend on what a thread has run through
  bool has_line_chops = false;
  bool needs_lines = false;              // for statements or for those
  bool watches_returns = false;          // whether the end of calls matters
  REG thread_register = REG_NONE;        // in it, each thread of the program has its Thread
  TLS_KEY thread_key = INVALID_TLS_KEY;  // the same, for callbacks
  ChopSwitch chop_switch{Settings()};
  Sites sites;
  Sink sink;
  PIN_MUTEX sink_lock;
};
extern Tool tool;

class ClientLock {
 public:
  ClientLock() { PIN_LockClient(); }
  ~ClientLock() { PIN_UnlockClient(); }
  ClientLock(const ClientLock&) = delete;
  ClientLock& operator=(const ClientLock&) = delete;
};

class SinkLock {
 public:
  SinkLock() { PIN_MutexLock(&tool.sink_lock); }
  ~SinkLock() { PIN_MutexUnlock(&tool.sink_lock); }
  SinkLock(const SinkLock&) = delete;
  SinkLock& operator=(const SinkLock&) = delete;
};

// Writes the lines of new sites, before the first use of their numbers. Under the client lock.
void FlushSites();

// Leaves the reason in the directory's log.tool, or on standard error without a directory, and ends the process with
// 125.
void Refuse(const std::string& directory, const std::string& reason);

// A MemoryReader of the program's memory.
size_t ReadProgram(void* to, uint64_t from, size_t count);

}  // namespace oscope::pin
