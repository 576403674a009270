/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/sink.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_libcproc.h>
#include <pub_tool_vki.h>
#include <pub_tool_vkiscnums.h>

#include "tracer/valgrind/core_symbols.h"
#include "tracer/valgrind/recording.h"
#include "tracer/valgrind/settings.h"
#include "tracer/valgrind/sites.h"

enum { kScratchBytes = 16384, kReadWrite = VKI_PROT_READ | VKI_PROT_WRITE };

Sink g_sink;

static UWord scratch[kScratchBytes / sizeof(UWord)];
static UChar zeros[OSC_RAW_CHUNK_BYTES];

static Int events_fd = -1;
static OscRawHeader* header; /* mapped; NULL while closed */
static Addr window;          /* a chunk's bytes, mapped; 0 before the first */
static UInt slots;           /* that the file has */
static Bool listening;
static UWord file_next;    /* where the next record goes while generated code writes elsewhere */
static UInt stream_thread; /* whose doing the file's last record was */

static UWord WindowLimit(void) { return window + OSC_RAW_CHUNK_BYTES - kSinkSlackBytes; }

static ULong SlotOffset(UInt slot) { return OSC_RAW_HEADER_BYTES + (ULong)slot * OSC_RAW_CHUNK_BYTES; }

/* Takes the space from the disk, where touching a hole would be a SIGBUS. */
static Bool WriteZeros(ULong offset, UInt count) {
  if (!RecordingMayWrite(offset, count)) return False;
  for (UInt done = 0; done < count;) {
    const SysRes wrote =
        VG_(do_syscall)(__NR_pwrite64, (RegWord)events_fd, (RegWord)zeros, count - done, offset + done, 0, 0, 0, 0);
    if (sr_isError(wrote) && sr_Err(wrote) == VKI_EINTR) continue;
    if (sr_isError(wrote) || sr_Res(wrote) == 0) return False;
    done += (UInt)sr_Res(wrote);
  }
  return True;
}

static Bool MapWindow(UInt slot) {
  const Off64T offset = (Off64T)SlotOffset(slot);
  if (window == 0) {
    const SysRes map = VG_(am_shared_mmap_file_float_valgrind)(OSC_RAW_CHUNK_BYTES, kReadWrite, events_fd, offset);
    if (!sr_isError(map)) window = sr_Res(map);
    return !sr_isError(map);
  }
  const UInt flags = VKI_MAP_SHARED | VKI_MAP_FIXED;
  return !sr_isError(VG_(am_do_mmap_NO_NOTIFY)(window, OSC_RAW_CHUNK_BYTES, kReadWrite, flags, events_fd, offset));
}

/* One slot more from the disk. Where there is none to be had, the slots that there are become the ring. */
static Bool AddSlot(void) {
  if (slots == header->ring_chunks) return False;
  if (WriteZeros(SlotOffset(slots), OSC_RAW_CHUNK_BYTES)) {
    ++slots;
    return True;
  }
  header->flags |= OSC_RAW_DISK_FULL;
  header->ring_chunks = slots;
  SitesNote("no space for more chunks: the newest are kept");
  return False;
}

/* Begins the next chunk, for `ordinal`. */
static Bool BeginChunk(UInt ordinal) {
  const Bool fresh = AddSlot();
  if (slots == 0) return False;
  const ULong sequence = header->chunks;
  const UInt slot = (UInt)(sequence % header->ring_chunks);
  header->chunks = sequence + 1;
  /* The program may have forbidden longer files meanwhile, so that not even what is there may be written over. */
  const Bool may_write = fresh || RecordingMayWrite(SlotOffset(slot), OSC_RAW_CHUNK_BYTES);
  if (!fresh && may_write && !WriteZeros(SlotOffset(slot), OSC_RAW_CHUNK_BYTES)) return False;
  if (!MapWindow(slot)) return False;
  if (!may_write) VG_(memset)((void*)window, 0, OSC_RAW_CHUNK_BYTES);
  OscRawChunk* const chunk = (OscRawChunk*)window;
  chunk->thread = ordinal;
  chunk->sequence = sequence;
  *(volatile UInt*)&chunk->magic = OSC_RAW_CHUNK_MAGIC;
  stream_thread = ordinal;
  file_next = window + OSC_RAW_CHUNK_HEADER_BYTES;
  return True;
}

static void PointAtScratch(void) {
  listening = False;
  g_sink.next = (UWord)scratch;
  g_sink.limit = (UWord)scratch + kScratchBytes - kSinkSlackBytes;
}

/* The file's position, whoever writes. */
static UWord* FileNext(void) { return listening ? &g_sink.next : &file_next; }

/* Room for `bytes` more in the chunk, with `ordinal` as the thread. */
static Bool MakeRoom(UInt ordinal, UInt bytes) {
  if (*FileNext() + bytes + sizeof(UInt) > WindowLimit()) {
    if (!BeginChunk(ordinal)) {
      SinkClose();
      return False;
    }
    g_sink.next = listening ? file_next : g_sink.next;
  }
  if (stream_thread != ordinal) {
    UInt* const word = (UInt*)*FileNext();
    *word = OSC_RAW_WORD(OSC_RAW_THREAD, ordinal);
    *FileNext() += sizeof(UInt);
    stream_thread = ordinal;
  }
  return True;
}

static Bool MapHeader(void) {
  if (!WriteZeros(0, OSC_RAW_HEADER_BYTES)) return False;
  const SysRes map = VG_(am_shared_mmap_file_float_valgrind)(OSC_RAW_HEADER_BYTES, kReadWrite, events_fd, 0);
  if (sr_isError(map)) return False;
  header = (OscRawHeader*)sr_Res(map);
  return True;
}

void SinkOpen(UInt parent, UInt parent_sites, UInt parent_objects) {
  slots = 0;
  events_fd = RecordingCreate("events", 0);
  if (events_fd < 0 || !MapHeader()) {
    VG_(umsg)("oscope: cannot make an events file: process %d is not recorded\n", VG_(getpid)());
    SinkClose();
    return;
  }
  header->version = OSC_RAW_VERSION;
  header->chunk_bytes = OSC_RAW_CHUNK_BYTES;
  header->ring_chunks = g_settings.ring_chunks;
  header->process = RecordingOrdinal();
  header->parent = parent;
  header->parent_sites = parent_sites;
  header->parent_objects = parent_objects;
  header->origin = parent == OSC_RAW_NO_PROCESS ? OSC_RAW_STARTED : OSC_RAW_FORKED;
  header->pid = (UInt)VG_(getpid)();
  *(volatile ULong*)&header->magic = OSC_RAW_EVENTS_MAGIC;
  PointAtScratch();
  if (!BeginChunk(0)) SinkClose();
}

/* The window stays mapped where it was, to be used again after a fork, but not over the file. */
void SinkClose(void) {
  PointAtScratch();
  if (window != 0) {
    VG_(am_do_mmap_NO_NOTIFY)(window, OSC_RAW_CHUNK_BYTES, kReadWrite,
                              VKI_MAP_PRIVATE | VKI_MAP_FIXED | VKI_MAP_ANONYMOUS, -1, 0);
  }
  if (header != NULL) VG_(am_munmap_valgrind)((Addr)header, OSC_RAW_HEADER_BYTES);
  header = NULL;
  if (events_fd >= 0) VG_(close)(events_fd);
  events_fd = -1;
}

Bool SinkIsOpen(void) { return header != NULL; }

void SinkListen(UInt ordinal) {
  if (header == NULL) return;
  if (!listening) {
    listening = True;
    g_sink.next = file_next;
    g_sink.limit = WindowLimit();
  }
  MakeRoom(ordinal, 0);
}

void SinkIgnore(void) {
  if (!listening) return;
  file_next = g_sink.next;
  PointAtScratch();
}

void SinkTurn(void) {
  if (!listening) {
    g_sink.next = (UWord)scratch;
  } else {
    MakeRoom(stream_thread, OSC_RAW_CHUNK_BYTES);
  }
}

UInt* SinkReserve(UInt ordinal, UInt words) {
  if (header == NULL || !MakeRoom(ordinal, words * (UInt)sizeof(UInt))) return NULL;
  return (UInt*)*FileNext();
}

void SinkCommit(UInt* record, UInt first_word, UInt words) {
  *(volatile UInt*)record = first_word;
  *FileNext() += words * sizeof(UInt);
}

void SinkFlag(UInt flag, Bool set) {
  if (header == NULL) return;
  header->flags = set ? header->flags | flag : header->flags & ~flag;
}
