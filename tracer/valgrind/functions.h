/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Functions of the program: where each begins and what the settings want of it.
 *
 * A function is known by its symbol; in code that no symbol covers, by the table of unwinding information
 * (function_starts.h). What is found is remembered until an object is loaded or unloaded. */
#ifndef OSCOPE_TRACER_VALGRIND_FUNCTIONS_H_
#define OSCOPE_TRACER_VALGRIND_FUNCTIONS_H_

#include <pub_tool_basics.h>
#include <pub_tool_hashtable.h>

#include "tracer/valgrind/wishes.h"

typedef struct Function {
  VgHashNode* next;
  UWord start; /* the hash key */
  Addr end;
  Bool is_entry;        /* `start` is where callers go; else a part, or a place without a known function */
  Bool kept;            /* what it does is recorded */
  const HChar* symbol;  /* as the object spells it, or NULL */
  UInt site;            /* of kind m, once it has one */
  const Wishes* wishes; /* NULL: none */
  const HChar* chooses; /* the name of the function whose implementation it chooses, or NULL (ifuncs.h) */
} Function;

/* The function that holds `address`; never NULL. Valid until the next load or unload of an object. */
Function* FunctionAt(Addr address);

/* `from` jumps to `target` if a condition holds. Where that is the start of code without a symbol, it is a part of
 * `from` that the compiler moved away: what only the name would tell otherwise. */
void FunctionJumps(const Function* from, Addr target);

/* The number of its site of kind m, given at the first call. */
UInt FunctionSite(Function* function);

#endif /* OSCOPE_TRACER_VALGRIND_FUNCTIONS_H_ */
