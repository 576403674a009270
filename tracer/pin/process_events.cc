// What Pin reports about the whole process. A fork is the difficult one: the child has a copy of our memory with the
// parent's mapping and its locks, so the sink's lock is held over the fork, and the child starts a recording of its own
// that continues the parent's numbers of sites.
#include "tracer/pin/process_events.h"

#include <algorithm>
#include <string>

#include "tracer/pin/kernel.h"
#include "tracer/pin/stacks.h"
#include "tracer/pin/thread.h"
#include "tracer/pin/tool.h"

namespace oscope::pin {
namespace {

// Numbers of the x86-64 Linux interface.
enum SystemCall : ADDRINT {
  kRead = 0,
  kPread = 17,
  kReadv = 19,
  kExecve = 59,
  kExitGroup = 231,
  kPreadv = 295,
  kExecveat = 322
};

uint64_t input_kept = 0;  // bytes; under the client lock

void WriteSignal(Thread* thread, INT32 signal, bool fatal, const CONTEXT* context) {
  WriteStackOfThrow(thread);
  Record record(OSC_RAW_SIGNAL);
  record.Word(static_cast<uint32_t>(signal));
  record.Word(fatal ? 1 : 0);
  WriteRecord(thread, &record);
  if (fatal && context != nullptr) WriteStack(thread, OSC_RAW_SIGNAL, StackAt(context));
}

// Appends what the program read, up to the limit.
void KeepInput(ADDRINT address, ADDRINT count) {
  const ClientLock lock;
  const uint64_t left = tool.settings.stdin_limit - std::min(input_kept, tool.settings.stdin_limit);
  if (left == 0 || !tool.sink.recording()) return;
  const int64_t file = kernel::Open(tool.sink.PathOf("stdin"), kernel::kAppend);
  if (file < 0) return;
  uint64_t rest = std::min<uint64_t>(left, count);
  char buffer[4096];
  while (rest > 0) {
    const size_t copied = ReadProgram(buffer, address, static_cast<size_t>(std::min<uint64_t>(rest, sizeof buffer)));
    if (copied == 0 || input_kept + copied > kernel::FileSizeLimit() || !kernel::WriteAll(file, buffer, copied)) break;
    address += copied;
    rest -= copied;
    input_kept += copied;
  }
  kernel::Close(file);
}

// `count` bytes went into the buffers of a readv.
void KeepScattered(ADDRINT vectors, ADDRINT vector_count, ADDRINT count) {
  struct Vector {
    uint64_t address, size;
  } vector = {};
  for (ADDRINT i = 0; i < vector_count && count > 0; ++i) {
    if (ReadProgram(&vector, vectors + i * sizeof vector, sizeof vector) != sizeof vector) return;
    const uint64_t here = std::min<uint64_t>(vector.size, count);
    KeepInput(vector.address, here);
    count -= here;
  }
}

}  // namespace

void OnContextChange(THREADID number, CONTEXT_CHANGE_REASON reason, const CONTEXT* from, CONTEXT*, INT32 signal,
                     VOID*) {
  Thread* thread = ThreadOf(number);
  if (thread == nullptr) return;
  if (reason == CONTEXT_CHANGE_REASON_SIGNAL) WriteSignal(thread, signal, false, from);
  if (reason != CONTEXT_CHANGE_REASON_FATALSIGNAL) return;
  WriteSignal(thread, signal, true, from);
  tool.sink.SetFlag(OSC_RAW_FINISHED);
}

void OnSystemCall(THREADID number, CONTEXT* context, SYSCALL_STANDARD standard, VOID*) {
  Thread* thread = ThreadOf(number);
  if (thread == nullptr) return;
  const ADDRINT call = PIN_GetSyscallNumber(context, standard);
  if (call == kExitGroup) {
    WriteStackOfThrow(thread);
    Record record(OSC_RAW_EXIT);
    record.Word(static_cast<uint32_t>(PIN_GetSyscallArgument(context, standard, 0)));
    WriteRecord(thread, &record);
  }
  // If it succeeds, this process has ended here; Pin starts the tool anew in what it becomes.
  thread->executes = call == kExecve || call == kExecveat;
  if (thread->executes) tool.sink.SetFlag(OSC_RAW_FINISHED);
  const bool reads = call == kRead || call == kPread || call == kReadv || call == kPreadv;
  thread->reads_input =
      reads && tool.settings.stdin_limit > 0 && static_cast<int32_t>(PIN_GetSyscallArgument(context, standard, 0)) == 0;
  if (!thread->reads_input) return;
  thread->input_call = call;
  thread->input_address = PIN_GetSyscallArgument(context, standard, 1);
  thread->input_count = PIN_GetSyscallArgument(context, standard, 2);
}

void OnSystemCallEnd(THREADID number, CONTEXT* context, SYSCALL_STANDARD standard, VOID*) {
  Thread* thread = ThreadOf(number);
  if (thread == nullptr) return;
  if (thread->executes) tool.sink.ClearFlag(OSC_RAW_FINISHED);
  thread->executes = false;
  if (!thread->reads_input) return;
  thread->reads_input = false;
  if (PIN_GetSyscallErrno(context, standard) != 0) return;
  const ADDRINT count = PIN_GetSyscallReturn(context, standard);
  if (thread->input_call == kReadv || thread->input_call == kPreadv) {
    KeepScattered(thread->input_address, thread->input_count, count);
  } else {
    KeepInput(thread->input_address, std::min(count, thread->input_count));
  }
}

void OnEnd(INT32, VOID*) { tool.sink.SetFlag(OSC_RAW_FINISHED); }

void BeforeFork(THREADID, const CONTEXT*, VOID*) { PIN_MutexLock(&tool.sink_lock); }
void AfterForkInParent(THREADID, const CONTEXT*, VOID*) { PIN_MutexUnlock(&tool.sink_lock); }

void AfterForkInChild(THREADID number, const CONTEXT*, VOID*) {
  // Threads that waited for the lock are not here.
  PIN_MutexInit(&tool.sink_lock);
  std::string error;
  const Sink::Started started = tool.sink.StartForked(tool.sites.site_count(), tool.sites.object_count(), &error);
  // Beyond the limit, and where no file can be made, the child runs on and records nothing.
  tool.sites.Open(started == Sink::Started::kRecording ? tool.sink.PathOf("sites") : std::string());
  input_kept = 0;
  Thread* thread = ThreadOf(number);
  if (thread != nullptr) RestartThread(thread);
}

}  // namespace oscope::pin
