/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reading what the program's pointers point at, without trusting them: a page may be absent, or mapped from a file that
 * has become shorter. */
#ifndef OSCOPE_TRACER_VALGRIND_CLIENT_MEMORY_H_
#define OSCOPE_TRACER_VALGRIND_CLIENT_MEMORY_H_

#include <pub_tool_basics.h>

/* Copies `size` bytes. False: not all of them can be read. */
Bool ReadClient(Addr address, void* to, SizeT size);

/* The word at `address`, or 0. */
UWord ReadClientWord(Addr address);

/* Copies the bytes before the first zero, at most `limit`. False: there is no zero before the memory ends. */
Bool ReadClientString(Addr address, HChar* to, UInt limit, UInt* size);

/* Is it text as people write it: UTF-8 without control bytes other than tab and line ends? A character may be cut off
 * at the end. */
Bool IsPrintable(const HChar* text, UInt size);

#endif /* OSCOPE_TRACER_VALGRIND_CLIENT_MEMORY_H_ */
