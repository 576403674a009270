// The threads of the program: where each writes, and what it has under way.
//
// Threads: a Thread belongs to the one it describes.
#pragma once

#include <pin.H>

#include <cstdint>
#include <vector>

#include "tracer/pin/chop.h"
#include "tracer/pin/open_calls.h"
#include "tracer/pin/record.h"
#include "tracer/pin/sink.h"

namespace oscope::pin {

// What translated code may write before it checks again whether there is space.
constexpr uint32_t kMarginWords = 64;

// A place in a chunk. While next <= limit there are kMarginWords left.
struct Cursor {
  uint32_t* next;
  uint32_t* limit;
  Chunk chunk;
};

struct Thread {
  Cursor events;  // first: translated code uses it
  uint64_t lowest_open_sp = OpenCalls::kNone;
  uint32_t ordinal = 0;
  // A thread that is not to be recorded discards its events. What is recorded of every thread is written to `always`.
  bool muted = false;
  Cursor always;

  OpenCalls calls;
  ThreadChop chop;
  std::vector<ADDRINT> thrown_at;  // the stack of the last throw, until it is written
  uint64_t thrown = 0;             // the object of the last throw, until the thread frees it

  // The system call under way: whether it may put another program in this one's place, and what it reads from standard
  // input.
  bool executes = false;
  ADDRINT input_call = 0;
  ADDRINT input_address = 0;
  ADDRINT input_count = 0;
  bool reads_input = false;
};

void OnThreadStart(THREADID number, CONTEXT* context, INT32 flags, VOID*);
void OnThreadEnd(THREADID number, const CONTEXT* context, INT32 code, VOID*);

Thread* ThreadOf(THREADID number);  // nullptr: not one of the program's

// The one thread that there is after a fork, in the child.
void RestartThread(Thread* thread);

void NextChunk(Thread* thread, Cursor* cursor);

// Writes words that belong together. Afterwards there are kMarginWords left.
void WriteWords(Thread* thread, Cursor* cursor, const uint32_t* words, size_t count);

inline Cursor* CursorForAlways(Thread* thread) { return thread->muted ? &thread->always : &thread->events; }

inline void WriteRecord(Thread* thread, Record* record) {
  const std::vector<uint32_t>& words = record->Finish();
  WriteWords(thread, CursorForAlways(thread), words.data(), words.size());
}

}  // namespace oscope::pin
