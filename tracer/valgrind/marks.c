/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/marks.h"

#include <pub_tool_libcprint.h>
#include <pub_tool_threadstate.h>

#include "tracer/valgrind/client_memory.h"
#include "tracer/valgrind/exceptions.h"
#include "tracer/valgrind/records.h"
#include "tracer/valgrind/stacks.h"

/* A std::string of libstdc++'s new ABI: a pointer and a length. */
static void RecordStdString(Addr address) {
  static HChar text[kMaxTextBytes];
  UWord string[2];
  if (!ReadClient(address, string, sizeof string)) {
    RecordNoText();
    return;
  }
  const UInt size = string[1] < g_settings.string_limit ? (UInt)string[1] : g_settings.string_limit;
  if (ReadClient(string[0], text, size)) {
    RecordText(text, size);
  } else {
    RecordNoText();
  }
}

static void RecordCapture(const Registers* registers, const Capture* capture) {
  const UWord argument = ArgumentOf(registers, capture->argument);
  HChar number[16];
  switch (capture->kind) {
    case 's': RecordStringAt(argument, False); break;
    case 'S': RecordStdString(argument); break;
    default: RecordText(number, VG_(sprintf)(number, "%d", (Int)argument)); break;
  }
}

void MarkEntered(const Registers* registers, const MarkLine* line) {
  const Int argument = line->always ? 0 : (Int)ArgumentOf(registers, line->argument);
  if (!line->always && (argument < line->low || argument > line->high)) return;
  WriteThrowStack();
  RecordBegin(OSC_RAW_MARK);
  RecordWord((UInt)registers->guest_RSP);
  RecordWord(line->index);
  RecordCode(CallerOf(registers));
  RecordWord(line->capture_count);
  for (UInt i = 0; i < line->capture_count; ++i) RecordCapture(registers, &line->captures[i]);
  RecordEnd();
  Stack stack;
  StackOf(VG_(get_running_tid)(), &stack);
  WriteStack(&stack, OSC_RAW_MARK);
}
