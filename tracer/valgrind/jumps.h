/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What an instruction is, by its bytes: translated code has exits for much else than conditional jumps. */
#ifndef OSCOPE_TRACER_VALGRIND_JUMPS_H_
#define OSCOPE_TRACER_VALGRIND_JUMPS_H_

#include <pub_tool_basics.h>

/* Jcc, LOOPcc, JRCXZ. */
Bool IsConditionalJump(const UChar* code, UInt size);

/* DIV, IDIV: what can fail without touching memory. */
Bool IsDivision(const UChar* code, UInt size);

#endif /* OSCOPE_TRACER_VALGRIND_JUMPS_H_ */
