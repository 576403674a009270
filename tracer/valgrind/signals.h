/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Signals: those that a handler of the program takes, and the one that ends it. */
#ifndef OSCOPE_TRACER_VALGRIND_SIGNALS_H_
#define OSCOPE_TRACER_VALGRIND_SIGNALS_H_

#include <pub_tool_basics.h>

/* Valgrind is about to run the program's handler. */
void SignalIsHandled(ThreadId tid, Int number, Bool on_other_stack);

/* The process will end by the signal: writes SIGNAL and the STACK of `tid`. */
void SignalIsFatal(ThreadId tid, Int number);

/* The program has ended: what Valgrind now raises against itself is what ended it. */
void SignalsProgramEnded(void);

#endif /* OSCOPE_TRACER_VALGRIND_SIGNALS_H_ */
