// Each thread fills chunks of its own and therefore needs a lock only when a chunk is full. A thread begins with a
// cursor without space, so that a thread which never writes takes no chunk.
#include "tracer/pin/thread.h"

#include <cstddef>
#include <cstring>

#include "tracer/pin/tool.h"

namespace oscope::pin {
namespace {

uint32_t next_ordinal = 0;  // under the client lock

// A place without space: the first that is written takes a chunk. Threads that never write take none.
void Empty(Cursor* cursor) {
  static uint32_t nothing[2];
  cursor->limit = &nothing[0];
  cursor->next = &nothing[1];
  cursor->chunk = Chunk();
}

void Announce(const Thread& thread) {
  tool.sites.AddThread(thread.ordinal, PIN_GetTid());
  FlushSites();
}

}  // namespace

Thread* ThreadOf(THREADID number) { return static_cast<Thread*>(PIN_GetThreadData(tool.thread_key, number)); }

void OnThreadStart(THREADID number, CONTEXT* context, INT32, VOID*) {
  const ClientLock lock;
  Thread* thread = ThreadOf(number);
  if (thread == nullptr) {
    thread = new Thread();
    thread->ordinal = next_ordinal++;
    thread->muted = tool.settings.main_thread_only && thread->ordinal != 0;
    thread->chop.Begin(tool.chop_switch);
    Empty(&thread->events);
    Empty(&thread->always);
    PIN_SetThreadData(tool.thread_key, thread, number);
    Announce(*thread);
  }
  PIN_SetContextReg(context, tool.thread_register, reinterpret_cast<ADDRINT>(thread));
}

// Called on another thread at times, when this one does no more.
void OnThreadEnd(THREADID number, const CONTEXT*, INT32, VOID*) {
  Thread* thread = ThreadOf(number);
  if (thread == nullptr) return;
  {
    const SinkLock lock;
    tool.sink.GiveBack(thread->events.chunk);
    tool.sink.GiveBack(thread->always.chunk);
  }
  PIN_SetThreadData(tool.thread_key, nullptr, number);
  // Not deleted: the register may still be read on the thread's way out.
}

void RestartThread(Thread* thread) {
  next_ordinal = 1;
  thread->ordinal = 0;
  thread->muted = false;
  Empty(&thread->events);
  Empty(&thread->always);
  Announce(*thread);
}

void NextChunk(Thread* thread, Cursor* cursor) {
  const SinkLock lock;
  const bool nowhere = thread->muted && cursor == &thread->events;
  cursor->chunk = nowhere ? tool.sink.Nowhere() : tool.sink.Take(thread->ordinal, cursor->chunk);
  cursor->next = cursor->chunk.begin;
  cursor->limit = cursor->chunk.end - kMarginWords;
}

void WriteWords(Thread* thread, Cursor* cursor, const uint32_t* words, size_t count) {
  // Compared as a distance: without a chunk, `next` lies behind `limit`.
  if (cursor->limit - cursor->next < static_cast<ptrdiff_t>(count)) NextChunk(thread, cursor);
  std::memcpy(cursor->next, words, count * sizeof *words);
  cursor->next += count;
}

}  // namespace oscope::pin
