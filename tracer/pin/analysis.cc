// What runs most often: a few instructions that store one or two words. There is no check for space in them; the basic
// block has made it once for all of its records (instrument.cc). The functions with "Chopped" in their names check
// everything each time, and are used only when there are chop points.
#include "tracer/pin/analysis.h"

#include "tracer/pin/calls.h"
#include "tracer/pin/chop.h"

namespace oscope::pin {
namespace {

void WriteIfIncluded(Thread* thread, Granularity kind, ADDRINT sp, const uint32_t* words, size_t count) {
  ReachAt(thread, sp);
  if (Includes(thread->chop.now(), kind)) WriteWords(thread, &thread->events, words, count);
}

}  // namespace

ADDRINT PIN_FAST_ANALYSIS_CALL IsFull(const Thread* thread) { return thread->events.next > thread->events.limit; }

VOID PIN_FAST_ANALYSIS_CALL TakeChunk(Thread* thread) { NextChunk(thread, &thread->events); }

VOID PIN_FAST_ANALYSIS_CALL WriteEntry(Thread* thread, UINT32 word, ADDRINT sp) {
  uint32_t* next = thread->events.next;
  next[0] = word;
  next[1] = static_cast<uint32_t>(sp);
  thread->events.next = next + 2;
}

VOID PIN_FAST_ANALYSIS_CALL WriteBranch(Thread* thread, UINT32 word, BOOL taken) {
  uint32_t* next = thread->events.next;
  next[0] = word | static_cast<uint32_t>(taken);
  thread->events.next = next + 1;
}

VOID PIN_FAST_ANALYSIS_CALL WriteWord(Thread* thread, UINT32 word) {
  uint32_t* next = thread->events.next;
  next[0] = word;
  thread->events.next = next + 1;
}

VOID PIN_FAST_ANALYSIS_CALL ChoppedEntry(Thread* thread, UINT32 word, ADDRINT sp) {
  const uint32_t words[] = {word, static_cast<uint32_t>(sp)};
  WriteIfIncluded(thread, Granularity::kMethod, sp, words, 2);
}

VOID PIN_FAST_ANALYSIS_CALL ChoppedBranch(Thread* thread, UINT32 word, ADDRINT sp, BOOL taken) {
  const uint32_t words[] = {word | static_cast<uint32_t>(taken)};
  WriteIfIncluded(thread, Granularity::kBlock, sp, words, 1);
}

VOID PIN_FAST_ANALYSIS_CALL ChoppedStatement(Thread* thread, UINT32 word, ADDRINT sp) {
  WriteIfIncluded(thread, Granularity::kStatement, sp, &word, 1);
}

VOID PIN_FAST_ANALYSIS_CALL ChoppedInstruction(Thread* thread, UINT32 word, ADDRINT sp) {
  WriteIfIncluded(thread, Granularity::kInstruction, sp, &word, 1);
}

}  // namespace oscope::pin
