/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The tool: options, and which of our functions Valgrind calls when. README.md says what it records. */
#include <pub_tool_basics.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_options.h>
#include <pub_tool_tooliface.h>

#include "tracer/raw/raw_format.h"
#include "tracer/valgrind/chop.h"
#include "tracer/valgrind/core_symbols.h"
#include "tracer/valgrind/environment.h"
#include "tracer/valgrind/instrument.h"
#include "tracer/valgrind/objects.h"
#include "tracer/valgrind/recording.h"
#include "tracer/valgrind/settings.h"
#include "tracer/valgrind/signals.h"
#include "tracer/valgrind/sink.h"
#include "tracer/valgrind/sites.h"
#include "tracer/valgrind/standard_input.h"
#include "tracer/valgrind/syscalls.h"
#include "tracer/valgrind/threads.h"

static const HChar* recording = NULL;

static Bool ReadOption(const HChar* argument) {
  if (VG_STR_CLO(argument, "--recording", recording)) return True;
  return False;
}

static void PrintUsage(void) {
  VG_(printf)("    --recording=<dir>         the recording's directory, as an absolute path\n");
}
static void PrintDebugUsage(void) { VG_(printf)("    (none)\n"); }

static void Join(UInt parent) {
  const UInt parent_sites = SitesCount();
  const UInt parent_objects = ObjectCount();
  if (!RecordingJoin()) return;
  SinkOpen(parent, parent_sites, parent_objects);
  SitesOpen();
}

/* What was the parent's is not touched: its files are left before anything is written. */
static void AfterFork(ThreadId tid) {
  const UInt parent = RecordingOrdinal();
  SinkClose();
  SitesClose();
  StandardInputClose();
  Join(parent);
  ThreadsAfterFork(tid);
}

static void Begin(void) {
  if (recording == NULL) SettingsFail("an option is missing", "--recording");
  VG_(clo_vgdb) = 0;
  /* Not before: handlers run in the order they came, and Valgrind's own opens the child's log, which is then to be out
   * of the way. */
  VG_(atfork)(NULL, NULL, AfterFork);
  SettingsRead(recording);
  RecordingOpen(recording);
  EnvironmentRestore();
  ChopInit();
  ThreadsInit();
  Join(OSC_RAW_NO_PROCESS);
}

static void Finish(Int exit_code) {
  (void)exit_code;
  SitesFlush();
  SinkFlag(OSC_RAW_FINISHED, True);
  SignalsProgramEnded();
}

static void Register(void) {
  VG_(details_name)("oscope");
  VG_(details_version)(NULL);
  VG_(details_description)("records what a program did");
  VG_(details_copyright_author)("the Oscilloscope maintainers");
  VG_(details_bug_reports_to)("the Oscilloscope maintainers");
  VG_(basic_tool_funcs)(Begin, Instrument, Finish);
  VG_(needs_command_line_options)(ReadOption, PrintUsage, PrintDebugUsage);
  VG_(track_pre_thread_first_insn)(ThreadBegins);
  VG_(track_start_client_code)(ThreadRuns);
  VG_(track_pre_deliver_signal)(SignalIsHandled);
  VG_(needs_syscall_wrapper)(BeforeSyscall, AfterSyscall);
  VG_(clo_show_below_main) = True;
  /* A superblock must begin at each function and end at each conditional jump. */
  VG_(clo_vex_control).guest_chase = False;
}

VG_DETERMINE_INTERFACE_VERSION(Register)
