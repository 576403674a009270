// The Pin tool: which function Pin calls when.
//
//   pin -follow_execv -t oscope_pin.so -recording DIRECTORY -- command...
#include <pin.H>

#include <string>

#include "tracer/pin/images.h"
#include "tracer/pin/instrument.h"
#include "tracer/pin/kernel.h"
#include "tracer/pin/process_events.h"
#include "tracer/pin/thread.h"
#include "tracer/pin/tool.h"

namespace oscope::pin {
namespace {

KNOB<std::string> directory_option(KNOB_MODE_WRITEONCE, "pintool", "recording", "",
                                   "the directory of the recording, an absolute path");

// False: there is nothing to record into, and the program runs on without us.
bool Prepare(const std::string& directory) {
  constexpr int64_t kNotThere = -2;
  std::string text, error;
  int64_t reason = 0;
  if (!kernel::ReadFile(directory + "/settings", &text, &reason)) {
    // A program that outlives its recording may start others.
    if (reason == kNotThere) return false;
    Refuse(directory, directory + "/settings: cannot be read");
  }
  if (!ParseSettings(text, &tool.settings, &error)) Refuse(directory, error);
  for (const ChopPoint& chop : tool.settings.chops) tool.has_line_chops |= chop.by_line;
  tool.has_chops = !tool.settings.chops.empty();
  tool.watches_returns = !tool.settings.values.empty() || tool.settings.Chops(ChopPoint::Kind::kWithin);
  tool.chop_switch = ChopSwitch(tool.settings);
  tool.needs_lines = tool.has_line_chops || IsWanted(Granularity::kStatement);

  const Sink::Started started = tool.sink.Start(directory, tool.settings.ring_chunks, &error);
  if (started == Sink::Started::kFailed) Refuse(directory, error);
  if (started == Sink::Started::kOverLimit) return false;
  tool.sites.Open(tool.sink.PathOf("sites"));
  return true;
}

void Register() {
  IMG_AddInstrumentFunction(OnImageLoad, nullptr);
  IMG_AddUnloadFunction(OnImageUnload, nullptr);
  TRACE_AddInstrumentFunction(OnTrace, nullptr);
  PIN_AddThreadStartFunction(OnThreadStart, nullptr);
  PIN_AddThreadFiniFunction(OnThreadEnd, nullptr);
  PIN_AddContextChangeFunction(OnContextChange, nullptr);
  PIN_AddSyscallEntryFunction(OnSystemCall, nullptr);
  PIN_AddSyscallExitFunction(OnSystemCallEnd, nullptr);
  PIN_AddForkFunction(FPOINT_BEFORE, BeforeFork, nullptr);
  PIN_AddForkFunction(FPOINT_AFTER_IN_PARENT, AfterForkInParent, nullptr);
  PIN_AddForkFunction(FPOINT_AFTER_IN_CHILD, AfterForkInChild, nullptr);
  PIN_AddFiniFunction(OnEnd, nullptr);
}

}  // namespace

int Main(int argc, char** argv) {
  PIN_InitSymbols();
  const bool wrong_options = PIN_Init(argc, argv);
  const std::string directory = directory_option.Value();
  if (wrong_options || directory.empty() || directory[0] != '/') {
    Refuse(directory, "usage: pin -follow_execv -t oscope_pin.so -recording DIRECTORY -- command");
  }
  tool.thread_register = PIN_ClaimToolRegister();
  tool.thread_key = PIN_CreateThreadDataKey(nullptr);
  if (!REG_valid(tool.thread_register) || tool.thread_key == INVALID_TLS_KEY || !PIN_MutexInit(&tool.sink_lock)) {
    Refuse(directory, "Pin has no register, no thread data or no lock left for the tool");
  }
  if (Prepare(directory)) Register();
  PIN_StartProgram();  // does not return
  return 0;
}

}  // namespace oscope::pin

int main(int argc, char** argv) { return oscope::pin::Main(argc, argv); }
