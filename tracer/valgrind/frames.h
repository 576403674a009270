/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Functions whose end somebody waits for: those with values, and those that a `chop within` names. A thread has a stack
 * of them, by the stack pointers at their entries. Returns are looked at only while there are any. */
#ifndef OSCOPE_TRACER_VALGRIND_FRAMES_H_
#define OSCOPE_TRACER_VALGRIND_FRAMES_H_

#include <pub_tool_basics.h>

#include "tracer/valgrind/wishes.h"

typedef struct {
  Addr sp;
  Addr return_address;
  Bool is_within; /* else it has values */
  UInt site;      /* of kind m */
  Int before;     /* of `within`: what was in force around it */
} Frame;

/* How many frames the running thread has; for generated code. */
extern UWord g_frames_waiting;

/* Can there be any, by the settings? */
Bool FramesAreUsed(void);

/* Function `site` is entered: what lies deeper than it is gone without a return. Returns its frame, to be completed and
 * pushed. */
Frame FrameEntered(const Registers* registers, UInt site);
void FramesPush(Frame frame);

/* For generated code, after a return: the stack pointer behind the return address, and the result. */
void FramesReturned(Addr sp, UWord result);

/* A function that was called at `sp` caught an exception: all that was entered there or deeper is gone. */
void FramesUnwound(Addr sp);

#endif /* OSCOPE_TRACER_VALGRIND_FRAMES_H_ */
