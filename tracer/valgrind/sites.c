/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/sites.h"

#include <pub_tool_hashtable.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_poolalloc.h>
#include <pub_tool_vki.h>

#include "tracer/raw/raw_format.h"
#include "tracer/valgrind/objects.h"
#include "tracer/valgrind/recording.h"
#include "tracer/valgrind/sink.h"

enum { kBufferBytes = 1 << 16, kMaxNameBytes = 8192, kNodesAtOnce = 4096 };

typedef struct {
  VgHashNode* next;
  UWord key;
  UInt id;
} SiteNode;

static Int fd = -1;
static ULong file_bytes;
static HChar buffer[kBufferBytes];
static UInt buffered;

static VgHashTable* known;
static PoolAlloc* nodes;
static UInt count;

static void Lose(void) {
  SitesClose();
  SinkFlag(OSC_RAW_SITES_LOST, True);
}

void SitesOpen(void) {
  if (known == NULL) {
    known = VG_(HT_construct)("oscope.sites");
    nodes = VG_(newPA)(sizeof(SiteNode), kNodesAtOnce, VG_(malloc), "oscope.site", VG_(free));
  }
  buffered = 0;
  file_bytes = 0;
  fd = RecordingCreate("sites", VKI_O_APPEND);
  if (fd < 0) Lose();
}

void SitesClose(void) {
  if (fd >= 0) VG_(close)(fd);
  fd = -1;
  buffered = 0;
}

UInt SitesCount(void) { return count; }

void SitesFlush(void) {
  if (buffered == 0) return;
  if (fd < 0) {
    buffered = 0;
    return;
  }
  if (!RecordingMayWrite(file_bytes, buffered)) {
    Lose();
    return;
  }
  for (UInt done = 0; done < buffered;) {
    const Int wrote = VG_(write)(fd, buffer + done, (Int)(buffered - done));
    if (wrote == -VKI_EINTR) continue;
    if (wrote <= 0) {
      Lose();
      return;
    }
    done += (UInt)wrote;
  }
  file_bytes += buffered;
  buffered = 0;
}

/* Room for a line with one name in it. */
static HChar* BeginLine(void) {
  if (buffered + 3 * kMaxNameBytes + 256 > kBufferBytes) SitesFlush();
  return buffer + buffered;
}

static void EndLine(HChar* end) {
  *end++ = '\n';
  buffered = (UInt)(end - buffer);
}

/* Cut where it is longer than any real name. */
static HChar* Escape(HChar* out, const HChar* text, Bool keep_spaces) {
  static const HChar kDigits[] = "0123456789ABCDEF";
  for (UInt i = 0; text[i] != '\0' && i < kMaxNameBytes; ++i) {
    const UChar c = (UChar)text[i];
    if ((c > 0x20 && c <= 0x7e && c != '%') || (keep_spaces && c == ' ')) {
      *out++ = (HChar)c;
    } else {
      *out++ = '%';
      *out++ = kDigits[c >> 4];
      *out++ = kDigits[c & 15];
    }
  }
  return out;
}

static void TellSite(UInt id, HChar kind, const Object* object, Addr vaddr, const HChar* name) {
  HChar* out = BeginLine();
  if (object->id == kNoObject) {
    out += VG_(sprintf)(out, "site %u %c - %lx", id, kind, vaddr);
  } else {
    out += VG_(sprintf)(out, "site %u %c %d %lx", id, kind, object->id, vaddr);
  }
  if (name != NULL) {
    *out++ = ' ';
    out = Escape(out, name, False);
  }
  EndLine(out);
}

UInt SiteOf(HChar kind, Addr address, const HChar* name) {
  const Object object = ObjectAt(address);
  const Addr vaddr = address - object.bias;
  /* Exact: addresses have 47 bits, objects 12, kinds 5. */
  const UWord key = ((UWord)(kind & 31) << 59) | ((UWord)(object.id + 1) << 47) | (vaddr & ((1ull << 47) - 1));
  const SiteNode* const found = VG_(HT_lookup)(known, key);
  if (found != NULL) return found->id;
  if (count == OSC_RAW_MAX_SITES) return kNoSite;
  SiteNode* const node = VG_(allocEltPA)(nodes);
  node->key = key;
  node->id = count++;
  VG_(HT_add_node)(known, node);
  TellSite(node->id, kind, &object, vaddr, name);
  return node->id;
}

void SitesTellObject(UInt id, Addr bias, const HChar* path) {
  HChar* out = BeginLine();
  out += VG_(sprintf)(out, "object %u %lx ", id, bias);
  EndLine(Escape(out, path, False));
}

void SitesTellThread(UInt ordinal, Int tid) {
  HChar* out = BeginLine();
  out += VG_(sprintf)(out, "thread %u %d", ordinal, tid);
  EndLine(out);
  SitesFlush();
}

void SitesNote(const HChar* text) {
  HChar* out = BeginLine();
  out += VG_(sprintf)(out, "note ");
  EndLine(Escape(out, text, True));
  SitesFlush();
}
