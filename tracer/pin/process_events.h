// What happens to the process as a whole: signals, its end, forks, exec, and what it reads from standard input.
#pragma once

#include <pin.H>

namespace oscope::pin {

void OnContextChange(THREADID number, CONTEXT_CHANGE_REASON reason, const CONTEXT* from, CONTEXT* to, INT32 signal,
                     VOID*);
void OnSystemCall(THREADID number, CONTEXT* context, SYSCALL_STANDARD standard, VOID*);
void OnSystemCallEnd(THREADID number, CONTEXT* context, SYSCALL_STANDARD standard, VOID*);
void OnEnd(INT32 code, VOID*);

void BeforeFork(THREADID number, const CONTEXT* context, VOID*);
void AfterForkInParent(THREADID number, const CONTEXT* context, VOID*);
void AfterForkInChild(THREADID number, const CONTEXT* context, VOID*);

}  // namespace oscope::pin
