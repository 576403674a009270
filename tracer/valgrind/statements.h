/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where statements begin, by the debug information's lines. */
#ifndef OSCOPE_TRACER_VALGRIND_STATEMENTS_H_
#define OSCOPE_TRACER_VALGRIND_STATEMENTS_H_

#include <pub_tool_basics.h>

typedef struct {
  const HChar* directory;
  const HChar* file;
  UInt line;
} Place;

/* Does a statement begin at the instruction at `address`: is its line another than that of the byte before, or does a
 * function begin there? No where there is no line. */
Bool StatementBegins(Addr address, Bool is_function_start, Place* place);

#endif /* OSCOPE_TRACER_VALGRIND_STATEMENTS_H_ */
