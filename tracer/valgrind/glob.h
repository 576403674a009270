/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Patterns of the settings: * is any number of bytes, ? is one, all else is itself. */
#ifndef OSCOPE_TRACER_VALGRIND_GLOB_H_
#define OSCOPE_TRACER_VALGRIND_GLOB_H_

#include <pub_tool_basics.h>

/* Does `pattern` fit the whole of `text`? Takes at most the product of their lengths. */
Bool GlobFits(const HChar* pattern, const HChar* text);

#endif /* OSCOPE_TRACER_VALGRIND_GLOB_H_ */
