/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/syscalls.h"

#include <pub_tool_vki.h>
#include <pub_tool_vkiscnums.h>

#include "tracer/valgrind/exceptions.h"
#include "tracer/valgrind/records.h"
#include "tracer/valgrind/sink.h"
#include "tracer/valgrind/standard_input.h"

static void WriteExit(UInt status) {
  WriteThrowStack();
  RecordBegin(OSC_RAW_EXIT);
  RecordWord(status);
  RecordEnd();
}

void BeforeSyscall(ThreadId tid, UInt number, UWord* arguments, UInt count) {
  (void)tid, (void)count;
  switch (number) {
    case __NR_exit_group: WriteExit((UInt)arguments[0]); break;
    case __NR_execve:
    case __NR_execveat:
      /* If it succeeds, this process has ended here. */
      SinkFlag(OSC_RAW_FINISHED, True);
      break;
    default: break;
  }
}

void AfterSyscall(ThreadId tid, UInt number, UWord* arguments, UInt count, SysRes result) {
  (void)tid, (void)count;
  switch (number) {
    case __NR_execve:
    case __NR_execveat: SinkFlag(OSC_RAW_FINISHED, False); break;
    case __NR_read:
    case __NR_pread64:
      if (arguments[0] == 0 && !sr_isError(result)) StandardInputRead(arguments[1], sr_Res(result));
      break;
    case __NR_readv:
    case __NR_preadv:
      if (arguments[0] == 0 && !sr_isError(result)) StandardInputReadVector(arguments[1], arguments[2], sr_Res(result));
      break;
    default: break;
  }
}
