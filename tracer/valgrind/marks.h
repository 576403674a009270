/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Failure functions of the settings: abort, __assert_fail, a test framework's report. */
#ifndef OSCOPE_TRACER_VALGRIND_MARKS_H_
#define OSCOPE_TRACER_VALGRIND_MARKS_H_

#include "tracer/valgrind/wishes.h"

/* At the function's entry: writes MARK and STACK if the argument is one that the line asks for. */
void MarkEntered(const Registers* registers, const MarkLine* line);

#endif /* OSCOPE_TRACER_VALGRIND_MARKS_H_ */
