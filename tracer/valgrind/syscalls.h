/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The program's system calls that a recording tells of: its end, another program in its place, and what it reads from
 * standard input. */
#ifndef OSCOPE_TRACER_VALGRIND_SYSCALLS_H_
#define OSCOPE_TRACER_VALGRIND_SYSCALLS_H_

#include <pub_tool_basics.h>

void BeforeSyscall(ThreadId tid, UInt number, UWord* arguments, UInt count);
void AfterSyscall(ThreadId tid, UInt number, UWord* arguments, UInt count, SysRes result);

#endif /* OSCOPE_TRACER_VALGRIND_SYSCALLS_H_ */
