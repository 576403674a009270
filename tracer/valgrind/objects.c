/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/objects.h"

#include <pub_tool_aspacemgr.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_mallocfree.h>

#include "tracer/valgrind/sites.h"

static Object objects[kMaxObjects];
static UInt count;

static Object Register(const HChar* path, Addr bias) {
  for (UInt i = 0; i < count; ++i) {
    if (objects[i].bias == bias && VG_STREQ(objects[i].path, path)) return objects[i];
  }
  if (count == kMaxObjects) return (Object){kNoObject, "", 0, NULL};
  const Object object = {(Int)count, VG_(strdup)("oscope.object", path), bias, NULL};
  objects[count++] = object;
  SitesTellObject((UInt)object.id, bias, path);
  return object;
}

/* Valgrind finds an object by its .text section alone; code in .init, .plt and the like is known by its mapping. */
static const DebugInfo* FindByMapping(Addr address) {
  const NSegment* const segment = VG_(am_find_nsegment)(address);
  if (segment == NULL || segment->kind != SkFileC) return NULL;
  const HChar* const path = VG_(am_get_filename)(segment);
  if (path == NULL) return NULL;
  for (const DebugInfo* info = VG_(next_DebugInfo)(NULL); info != NULL; info = VG_(next_DebugInfo)(info)) {
    if (VG_STREQ(VG_(DebugInfo_get_filename)(info), path)) return info;
  }
  return NULL;
}

Object ObjectAt(Addr address) {
  /* Most questions in a row are about the same object. */
  static Object last;
  static UInt last_epoch;
  static Addr last_begin, last_end;
  const DiEpoch epoch = VG_(current_DiEpoch)();
  if (last.info != NULL && epoch.n == last_epoch && address >= last_begin && address < last_end) return last;
  const DebugInfo* info = VG_(find_DebugInfo)(epoch, address);
  const Bool in_text = info != NULL;
  if (!in_text) info = FindByMapping(address);
  if (info == NULL) return (Object){kNoObject, "", 0, NULL};
  Object object = Register(VG_(DebugInfo_get_filename)(info), (Addr)VG_(DebugInfo_get_text_bias)(info));
  if (object.id == kNoObject) return object;
  object.info = info;
  if (in_text) {
    last = object;
    last_epoch = epoch.n;
    last_begin = VG_(DebugInfo_get_text_avma)(info);
    last_end = last_begin + VG_(DebugInfo_get_text_size)(info);
  }
  return object;
}

UInt ObjectCount(void) { return count; }
