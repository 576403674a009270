/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Functions whose implementation is chosen when the program starts (strlen, memcpy): the symbol stands at the code that
 * chooses, and the chosen one has, in a stripped library, no name at all. What was chosen for a name is learned when
 * the choice is made. */
#ifndef OSCOPE_TRACER_VALGRIND_IFUNCS_H_
#define OSCOPE_TRACER_VALGRIND_IFUNCS_H_

#include <pub_tool_basics.h>

/* For generated code, at the return of the code that chooses for `name`: it chose `address`. */
void IfuncChose(const HChar* name, Addr address);

/* A copy of `name` that stays, for that code to hold. */
const HChar* IfuncName(const HChar* name);

/* The name for which `address` was chosen, or NULL. */
const HChar* IfuncAt(Addr address);

#endif /* OSCOPE_TRACER_VALGRIND_IFUNCS_H_ */
