/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Arguments and results of the functions that the settings name. */
#ifndef OSCOPE_TRACER_VALGRIND_VALUES_H_
#define OSCOPE_TRACER_VALGRIND_VALUES_H_

#include "tracer/valgrind/wishes.h"

/* At the function's entry: writes VALUES and waits for its return. */
void ValuesEntered(const Registers* registers, UInt site);

/* The function that was entered at `sp` is gone: returned `value`, or left by an exception or longjmp. */
void ValuesReturned(UInt site, Addr sp, UWord value);
void ValuesLeft(UInt site, Addr sp);

#endif /* OSCOPE_TRACER_VALGRIND_VALUES_H_ */
