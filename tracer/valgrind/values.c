/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/values.h"

#include "tracer/valgrind/frames.h"
#include "tracer/valgrind/records.h"

enum { kArguments = 6 };

void ValuesEntered(const Registers* registers, UInt site) {
  FramesPush(FrameEntered(registers, site));
  RecordBegin(OSC_RAW_VALUES);
  RecordWord(site);
  RecordWord((UInt)registers->guest_RSP);
  RecordWord(kArguments);
  for (UInt i = 0; i < kArguments; ++i) {
    const UWord argument = ArgumentOf(registers, i);
    RecordNumber(argument);
    RecordStringAt(argument, True);
  }
  RecordEnd();
}

static void BeginResult(UInt site, Addr sp, UInt how) {
  RecordBegin(OSC_RAW_RESULT);
  RecordWord(site);
  RecordWord((UInt)sp);
  RecordWord(how);
}

void ValuesReturned(UInt site, Addr sp, UWord value) {
  BeginResult(site, sp, 0);
  RecordNumber(value);
  RecordStringAt(value, True);
  RecordEnd();
}

void ValuesLeft(UInt site, Addr sp) {
  BeginResult(site, sp, 1);
  RecordNumber(0);
  RecordNoText();
  RecordEnd();
}
