/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Function starts of code without symbols, from the sorted table that the unwinder uses (.eh_frame_hdr), read where the
 * program has it mapped. Stripped files keep it, since exceptions need it. */
#ifndef OSCOPE_TRACER_VALGRIND_FUNCTION_STARTS_H_
#define OSCOPE_TRACER_VALGRIND_FUNCTION_STARTS_H_

#include <pub_tool_basics.h>

#include "tracer/valgrind/objects.h"

/* Finds the function that holds `address` and says whether its start is one that callers go to: neither a procedure
 * linkage stub nor a part that the compiler moved away. Where the table does not know, `start` and `end` are left alone
 * and the answer is no. */
Bool FindFunctionStart(const Object* object, Addr address, Addr* start, Addr* end);

#endif /* OSCOPE_TRACER_VALGRIND_FUNCTION_STARTS_H_ */
