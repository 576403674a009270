/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Functions of Valgrind's core that tools may link to but for which Debian ships no header. Declared as in Valgrind
 * 3.19; those whose shape could change are few, and a build against a core without one of them fails to link. */
#ifndef OSCOPE_TRACER_VALGRIND_CORE_SYMBOLS_H_
#define OSCOPE_TRACER_VALGRIND_CORE_SYMBOLS_H_

#include <pub_tool_basics.h>
#include <pub_tool_debuginfo.h>
#include <pub_tool_vki.h>

/* Memory. */
extern SysRes VG_(am_shared_mmap_file_float_valgrind)(SizeT length, UInt prot, Int fd, Off64T offset);
extern SysRes VG_(am_do_mmap_NO_NOTIFY)(Addr start, SizeT length, UInt prot, UInt flags, Int fd, Off64T offset);

/* System calls without a wrapper of their own. */
extern SysRes VG_(do_syscall)(UWord number, RegWord, RegWord, RegWord, RegWord, RegWord, RegWord, RegWord, RegWord);

/* The program's descriptors are below it. */
extern Int VG_(fd_hard_limit);

/* Where messages go; what follows the descriptor is not ours. -1: nowhere. */
typedef struct {
  Int fd;
} LogSink;
extern LogSink VG_(log_output_sink);

/* A symbol's address and all of its names, as the object spells them; by position in a table sorted by address. */
typedef struct {
  Addr main;
} SymAVMAs;
extern Int VG_(DebugInfo_syms_howmany)(const DebugInfo* info);
extern void VG_(DebugInfo_syms_getidx)(const DebugInfo* info, Int index, SymAVMAs* address, UInt* size,
                                       const HChar** name, const HChar*** more_names, Bool* is_text, Bool* is_ifunc,
                                       Bool* is_global);
extern void VG_(demangle)(Bool cxx, Bool z_encoded, const HChar* name, const HChar** result);

/* The debugger's stub: an enumeration, 0 is "no". */
extern UInt VG_(clo_vgdb);
/* The program's auxiliary vector, on its stack. */
extern UWord* VG_(client_auxv);

#endif /* OSCOPE_TRACER_VALGRIND_CORE_SYMBOLS_H_ */
