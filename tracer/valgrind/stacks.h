/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Stacks of the program's threads, as STACK records. */
#ifndef OSCOPE_TRACER_VALGRIND_STACKS_H_
#define OSCOPE_TRACER_VALGRIND_STACKS_H_

#include <pub_tool_basics.h>

#include "tracer/raw/raw_format.h"

typedef struct {
  UInt count;
  Addr frames[OSC_RAW_MAX_STACK];
} Stack;

/* The stack of thread `tid`, which runs and whose registers are as the program has them. */
void StackOf(ThreadId tid, Stack* stack);

/* The same for a thread that will not run again and whose stack may be broken: what can be read. Not from generated
 * code. */
void StackOfDead(ThreadId tid, Stack* stack);

void WriteStack(const Stack* stack, OscRawExtended why);

#endif /* OSCOPE_TRACER_VALGRIND_STACKS_H_ */
