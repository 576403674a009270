/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The ELF files that the program's code comes from. An object is a file at one place: loaded again elsewhere it is
 * another. */
#ifndef OSCOPE_TRACER_VALGRIND_OBJECTS_H_
#define OSCOPE_TRACER_VALGRIND_OBJECTS_H_

#include <pub_tool_basics.h>
#include <pub_tool_debuginfo.h>

enum { kNoObject = -1, kMaxObjects = 4094 };

typedef struct {
  Int id; /* kNoObject: code without a file */
  const HChar* path;
  Addr bias;
  const DebugInfo* info; /* until the next load or unload; NULL without an object */
} Object;

/* The object that the code at `address` belongs to. Tells the sites file of each new one. */
Object ObjectAt(Addr address);

UInt ObjectCount(void);

#endif /* OSCOPE_TRACER_VALGRIND_OBJECTS_H_ */
