/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/recording.h"

#include <pub_tool_libcbase.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_vki.h>
#include <pub_tool_vkiscnums.h>

#include "tracer/raw/raw_format.h"
#include "tracer/valgrind/core_symbols.h"
#include "tracer/valgrind/settings.h"

/* Of Linux on all processors; Valgrind's headers leave them out. */
enum { kRlimitFsize = 1, kDuplicateCloseOnExec = 1030 };

static Int directory_fd = -1;
static volatile OscRawControl* control;
static UInt ordinal;

static Int OpenAt(const HChar* name, Int flags, Int mode) {
  const SysRes opened =
      VG_(do_syscall)(__NR_openat, (RegWord)directory_fd, (RegWord)name, (RegWord)flags, (RegWord)mode, 0, 0, 0, 0);
  return sr_isError(opened) ? -1 : (Int)sr_Res(opened);
}

/* Out of the program's way: above the descriptors that it can have, and closed at exec. -1 where there is no room. */
static Int MoveAway(Int fd) {
  const SysRes moved =
      VG_(do_syscall)(__NR_fcntl, (RegWord)fd, kDuplicateCloseOnExec, (RegWord)VG_(fd_hard_limit), 0, 0, 0, 0, 0);
  VG_(close)(fd);
  return sr_isError(moved) ? -1 : (Int)sr_Res(moved);
}

static void MapControl(const HChar* directory) {
  const Int fd = OpenAt("control", VKI_O_RDWR, 0);
  if (fd < 0) SettingsFail("no control file in the recording", directory);
  struct vg_stat file;
  if (VG_(fstat)(fd, &file) != 0 || file.size < OSC_RAW_CONTROL_BYTES)
    SettingsFail("the control file is too short", directory);
  const SysRes map =
      VG_(am_shared_mmap_file_float_valgrind)(OSC_RAW_CONTROL_BYTES, VKI_PROT_READ | VKI_PROT_WRITE, fd, 0);
  VG_(close)(fd);
  if (sr_isError(map)) SettingsFail("cannot map the control file of", directory);
  control = (volatile OscRawControl*)sr_Res(map);
  if (control->magic != OSC_RAW_CONTROL_MAGIC) SettingsFail("no control file of this version in", directory);
}

/* Valgrind leaves the descriptor open that it opened its log by, the lowest that was free, when it has moved the log
 * out of the program's way: at the start, and again after a fork, since the log has the process's id in its name. That
 * may be a standard stream, where the program runs without one. */
static void CloseLogInTheWay(void) {
  enum { kEnd = 1024 };
  struct vg_stat log, other;
  if (VG_(log_output_sink).fd < 0 || VG_(fstat)(VG_(log_output_sink).fd, &log) != 0) return;
  for (Int fd = 0; fd < kEnd; ++fd) {
    if (fd == VG_(log_output_sink).fd || VG_(fstat)(fd, &other) != 0) continue;
    if (other.dev == log.dev && other.ino == log.ino) VG_(close)(fd);
  }
}

void RecordingOpen(const HChar* directory) {
  if (directory[0] != '/') SettingsFail("--recording takes an absolute path, not", directory);
  const SysRes opened = VG_(open)(directory, VKI_O_RDONLY, 0);
  if (sr_isError(opened)) SettingsFail("cannot open the recording", directory);
  directory_fd = MoveAway((Int)sr_Res(opened));
  if (directory_fd < 0) SettingsFail("no descriptor left for the recording", directory);
  MapControl(directory);
}

Bool RecordingJoin(void) {
  CloseLogInTheWay();
  ordinal = __sync_fetch_and_add(&control->processes, 1);
  if (ordinal < OSC_RAW_CONTROL_PIDS) control->pids[ordinal] = (UInt)VG_(getpid)();
  return ordinal < control->process_limit;
}

UInt RecordingOrdinal(void) { return ordinal; }

Int RecordingCreate(const HChar* suffix, Int flags) {
  HChar name[64];
  VG_(snprintf)(name, sizeof name, "%u.%s", ordinal, suffix);
  const Int fd = OpenAt(name, VKI_O_RDWR | VKI_O_CREAT | VKI_O_EXCL | flags, 0600);
  if (fd < 0) return -1;
  /* The program's mask is not for our files. */
  VG_(do_syscall)(__NR_fchmod, (RegWord)fd, 0600, 0, 0, 0, 0, 0, 0);
  return MoveAway(fd);
}

Bool RecordingMayWrite(ULong offset, ULong count) {
  struct vki_rlimit limit;
  if (VG_(getrlimit)(kRlimitFsize, &limit) != 0) return False;
  return limit.rlim_cur == (unsigned long)VKI_RLIM_INFINITY || offset + count <= limit.rlim_cur;
}
