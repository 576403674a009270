/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/standard_input.h"

#include <pub_tool_libcfile.h>
#include <pub_tool_vki.h>

#include "tracer/valgrind/client_memory.h"
#include "tracer/valgrind/recording.h"
#include "tracer/valgrind/settings.h"
#include "tracer/valgrind/sink.h"
#include "tracer/valgrind/sites.h"

static Int fd = -1;
static ULong kept;
static Bool failed;

static void Fail(void) {
  failed = True;
  SitesNote("standard input could not be kept whole");
}

static Bool IsOpen(void) {
  if (fd < 0 && !failed) fd = RecordingCreate("stdin", VKI_O_APPEND);
  if (fd < 0 && !failed) Fail();
  return !failed;
}

static Bool Append(const UChar* bytes, UInt size) {
  if (!RecordingMayWrite(kept, size)) return False;
  for (UInt done = 0; done < size;) {
    const Int wrote = VG_(write)(fd, bytes + done, (Int)(size - done));
    if (wrote == -VKI_EINTR) continue;
    if (wrote <= 0) return False;
    done += (UInt)wrote;
  }
  return True;
}

void StandardInputRead(Addr address, SizeT size) {
  static UChar piece[4096];
  if (kept >= g_settings.stdin_limit || !SinkIsOpen() || size == 0 || !IsOpen()) return;
  if (size > g_settings.stdin_limit - kept) size = (SizeT)(g_settings.stdin_limit - kept);
  while (size > 0) {
    const UInt part = size < sizeof piece ? (UInt)size : (UInt)sizeof piece;
    if (!ReadClient(address, piece, part) || !Append(piece, part)) {
      Fail();
      return;
    }
    kept += part;
    address += part;
    size -= part;
  }
}

void StandardInputReadVector(Addr vector, UWord count, SizeT size) {
  for (UWord i = 0; i < count && size > 0; ++i) {
    struct vki_iovec buffer;
    if (!ReadClient(vector + i * sizeof buffer, &buffer, sizeof buffer)) return;
    const SizeT part = buffer.iov_len < size ? buffer.iov_len : size;
    StandardInputRead((Addr)buffer.iov_base, part);
    size -= part;
  }
}

void StandardInputClose(void) {
  if (fd >= 0) VG_(close)(fd);
  fd = -1;
  kept = 0;
  failed = False;
}
