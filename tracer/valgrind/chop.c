/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/chop.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_libcprint.h>

#include "tracer/valgrind/frames.h"
#include "tracer/valgrind/records.h"
#include "tracer/valgrind/threads.h"

UWord g_steps[kRecordKinds];

static Bool stopped;
static Granularity base;
static Granularity at_first;

static Bool Records(Granularity granularity, RecordKind kind) {
  switch (kind) {
    case kEntryRecord: return granularity != kOff;
    case kBranchRecord: return granularity == kBlock;
    case kStatementRecord: return granularity == kStatement;
    default: return granularity == kInstruction;
  }
}

Bool ChopPointsExist(void) { return g_settings.chop_count > 0; }

Bool ChopMayRecord(RecordKind kind) {
  if (Records(base, kind)) return True;
  for (UInt i = 0; i < g_settings.chop_count; ++i) {
    if (g_settings.chops[i].kind == kChopWithin && Records(g_settings.chops[i].granularity, kind)) return True;
  }
  return False;
}

void ChopInit(void) {
  base = g_settings.granularity;
  for (UInt i = 0; i < g_settings.chop_count; ++i) {
    if (g_settings.chops[i].kind == kChopStart) stopped = True;
  }
  /* What starts must record something. */
  if (stopped && base == kOff) base = kMethod;
  at_first = stopped ? kOff : base;
}

Granularity ChopAtFirst(void) { return at_first; }

static Granularity InForce(const Thread* thread) {
  if (stopped) return kOff;
  return thread->within == kNotWithin ? base : (Granularity)thread->within;
}

static void Apply(void) {
  Thread* const thread = RunningThread();
  const Granularity now = InForce(thread);
  for (UInt kind = 0; kind < kRecordKinds; ++kind) {
    g_steps[kind] = Records(now, (RecordKind)kind) ? (kind == kEntryRecord ? 8 : 4) : 0;
  }
  if (now == thread->told || !thread->recorded) return;
  thread->told = now;
  RecordBegin(OSC_RAW_CHOP);
  RecordWord(now);
  RecordEnd();
}

void ChopReached(const ChopLine* line) {
  stopped = line->kind == kChopStop;
  Apply();
}

void ChopEntered(const Registers* registers, const Wishes* wishes) {
  Thread* const thread = RunningThread();
  for (UInt i = 0; i < wishes->chop_count; ++i) {
    const ChopLine* const line = wishes->chops[i];
    if (line->kind == kChopWithin) {
      Frame frame = FrameEntered(registers, wishes->site);
      frame.is_within = True;
      frame.before = thread->within;
      FramesPush(frame);
      thread->within = (Int)line->granularity;
    } else {
      stopped = line->kind == kChopStop;
    }
  }
  Apply();
}

void ChopLeave(Int before) {
  RunningThread()->within = before;
  Apply();
}

void ChopThreadRuns(void) {
  if (ChopPointsExist()) Apply();
}

/* `file` of a line fits the end of a path, at a '/'. */
static Bool PathFits(const HChar* wanted, const HChar* directory, const HChar* file) {
  HChar path[4096];
  const Bool absolute = file[0] == '/' || directory[0] == '\0';
  VG_(snprintf)(path, sizeof path, "%s%s%s", absolute ? "" : directory, absolute ? "" : "/", file);
  const SizeT wanted_size = VG_(strlen)(wanted), size = VG_(strlen)(path);
  if (wanted_size > size || !VG_STREQ(path + size - wanted_size, wanted)) return False;
  return wanted_size == size || wanted[0] == '/' || path[size - wanted_size - 1] == '/';
}

const ChopLine* ChopAtLine(const HChar* directory, const HChar* file, UInt number) {
  for (UInt i = 0; i < g_settings.chop_count; ++i) {
    const ChopLine* const line = &g_settings.chops[i];
    if (line->name_glob == NULL && line->line == number && PathFits(line->file, directory, file)) return line;
  }
  return NULL;
}
