/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The name that the settings' patterns see: scope and name, as `oscope` shows a method. */
#ifndef OSCOPE_TRACER_VALGRIND_METHOD_NAME_H_
#define OSCOPE_TRACER_VALGRIND_METHOD_NAME_H_

#include <pub_tool_basics.h>

enum { kMaxMethodName = 4096 };

/* Writes to `name` the method that the symbol stands for: demangled, without return type, parameters, qualifiers, ABI
 * tags, symbol version, anonymous namespaces and what compilers append to clones. Cut at kMaxMethodName - 1.
 *   _ZN3net6Socket4readEi.isra.0 -> net::Socket::read        abort@@GLIBC_2.2.5 -> abort */
void MethodName(const HChar* symbol, HChar name[kMaxMethodName]);

/* A part of a function that the compiler put elsewhere and jumps to (.cold, .part): it is no function of its own. */
Bool IsPartOfFunction(const HChar* symbol);

#endif /* OSCOPE_TRACER_VALGRIND_METHOD_NAME_H_ */
