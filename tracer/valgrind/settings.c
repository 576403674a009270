/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The whole file is read into memory that stays; the lines point into it. */
#include "tracer/valgrind/settings.h"

#include <pub_tool_libcassert.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcfile.h>
#include <pub_tool_libcprint.h>
#include <pub_tool_mallocfree.h>
#include <pub_tool_vki.h>

Settings g_settings = {.granularity = kMethod, .ring_chunks = 64, .string_limit = 256};

enum { kMaxSettingsBytes = 16 << 20, kMaxWords = 8 };

typedef struct {
  UInt count;
  HChar* words[kMaxWords];
} Line;

void SettingsFail(const HChar* problem, const HChar* detail) {
  VG_(umsg)("oscope: %s: %s\n", problem, detail);
  VG_(exit)(125);
}

static HChar* ReadWhole(const HChar* path) {
  const Int fd = VG_(fd_open)(path, VKI_O_RDONLY, 0);
  if (fd < 0) SettingsFail("cannot read the settings", path);
  SizeT size = 0, room = 4096;
  HChar* text = VG_(malloc)("oscope.settings", room);
  while (True) {
    const Int got = VG_(read)(fd, text + size, (Int)(room - size - 1));
    if (got < 0) SettingsFail("cannot read the settings", path);
    if (got == 0) break;
    size += (SizeT)got;
    if (size > kMaxSettingsBytes) SettingsFail("the settings are too long", path);
    if (room - size < 2048) text = VG_(realloc)("oscope.settings", text, room *= 2);
  }
  VG_(close)(fd);
  text[size] = '\0';
  return text;
}

/* Splits the line at `text` in place and returns the beginning of the next. The last word takes all that is left. */
static HChar* SplitLine(HChar* text, Line* line) {
  line->count = 0;
  HChar* word = text;
  for (;; ++text) {
    const HChar c = *text;
    if (c != '\0' && c != '\n' && (c != '\t' || line->count == kMaxWords - 1)) continue;
    *text = '\0';
    line->words[line->count++] = word;
    word = text + 1;
    if (c == '\n') return text + 1;
    if (c == '\0') return NULL;
  }
}

static Bool ReadNumber(const HChar* word, Long low, Long high, Long* number) {
  HChar* end;
  *number = VG_(strtoll10)(word, &end);
  return end != word && *end == '\0' && *number >= low && *number <= high;
}

static Bool ReadGranularity(const HChar* word, Granularity* granularity) {
  static const HChar* const kNames[] = {"off", "method", "statement", "block", "instruction"};
  for (UInt i = 0; i < sizeof kNames / sizeof kNames[0]; ++i) {
    if (!VG_STREQ(word, kNames[i])) continue;
    *granularity = (Granularity)i;
    return True;
  }
  return False;
}

/* Room for one more in a list that grows a line at a time. */
static void* Append(void** list, UInt* count, SizeT item_bytes) {
  *list = VG_(realloc)("oscope.settings.list", *list, (*count + 1) * item_bytes);
  void* const item = (HChar*)*list + *count * item_bytes;
  VG_(memset)(item, 0, item_bytes);
  ++*count;
  return item;
}

static Bool ReadFilter(const Line* line, Bool keep) {
  if (line->count != 3) return False;
  const Bool by_object = VG_STREQ(line->words[1], "object");
  if (!by_object && !VG_STREQ(line->words[1], "name")) return False;
  FilterLine* const filter = Append((void**)&g_settings.filters, &g_settings.filter_count, sizeof *filter);
  filter->keep = keep;
  filter->by_object = by_object;
  filter->glob = line->words[2];
  return True;
}

static Bool ReadCaptures(HChar* word, MarkLine* mark) {
  if (VG_STREQ(word, "-")) return True;
  HChar* rest;
  for (HChar* item = VG_(strtok_r)(word, ",", &rest); item != NULL; item = VG_(strtok_r)(NULL, ",", &rest)) {
    Long argument;
    if (mark->capture_count == kMaxCaptures || (item[0] != 's' && item[0] != 'S' && item[0] != 'i')) return False;
    if (!ReadNumber(item + 1, 0, 63, &argument)) return False;
    mark->captures[mark->capture_count++] = (Capture){item[0], (UInt)argument};
  }
  return True;
}

static Bool ReadMark(const Line* line) {
  if (line->count != 7) return False;
  MarkLine* const mark = Append((void**)&g_settings.marks, &g_settings.mark_count, sizeof *mark);
  Long index, argument = 0;
  mark->always = VG_STREQ(line->words[2], "-");
  if (!ReadNumber(line->words[1], 0, 0x7fffffff, &index)) return False;
  if (!mark->always && (!ReadNumber(line->words[2], 0, 63, &argument) ||
                        !ReadNumber(line->words[3], -0x80000000ll, 0x7fffffff, &mark->low) ||
                        !ReadNumber(line->words[4], -0x80000000ll, 0x7fffffff, &mark->high))) {
    return False;
  }
  mark->index = (UInt)index;
  mark->argument = (UInt)argument;
  mark->glob = line->words[6];
  return ReadCaptures(line->words[5], mark);
}

static Bool ReadChop(const Line* line) {
  if (line->count != 4) return False;
  ChopLine* const chop = Append((void**)&g_settings.chops, &g_settings.chop_count, sizeof *chop);
  HChar* const where = line->words[3];
  if (VG_STREQ(line->words[1], "stop")) {
    chop->kind = kChopStop;
  } else if (!VG_STREQ(line->words[1], "start")) {
    return False;
  }
  if (VG_STREQ(line->words[2], "name")) {
    chop->name_glob = where;
    return True;
  }
  HChar* const colon = VG_(strrchr)(where, ':');
  Long number;
  if (!VG_STREQ(line->words[2], "line") || colon == NULL || colon == where) return False;
  if (!ReadNumber(colon + 1, 1, 0x7fffffff, &number)) return False;
  *colon = '\0';
  chop->file = where;
  chop->line = (UInt)number;
  return True;
}

static Bool ReadWithin(const Line* line) {
  if (line->count != 5 || !VG_STREQ(line->words[3], "name")) return False;
  ChopLine* const chop = Append((void**)&g_settings.chops, &g_settings.chop_count, sizeof *chop);
  chop->kind = kChopWithin;
  chop->name_glob = line->words[4];
  return ReadGranularity(line->words[2], &chop->granularity);
}

static Bool ReadLine(const Line* line) {
  HChar* const word = line->words[0];
  HChar* const value = line->count > 1 ? line->words[1] : NULL;
  const Bool single = line->count == 2;
  Long number;
  if (VG_STREQ(word, "version")) return single && VG_STREQ(value, "1");
  if (VG_STREQ(word, "granularity")) return single && ReadGranularity(value, &g_settings.granularity);
  if (VG_STREQ(word, "threads")) {
    g_settings.main_thread_only = VG_STREQ(value, "main");
    return single && (g_settings.main_thread_only || VG_STREQ(value, "all"));
  }
  if (VG_STREQ(word, "ring-chunks")) {
    if (!single || !ReadNumber(value, 1, 1 << 24, &number)) return False;
    g_settings.ring_chunks = (UInt)number;
    return True;
  }
  if (VG_STREQ(word, "string-limit")) {
    if (!single || !ReadNumber(value, 0, 0x7fffffff, &number)) return False;
    g_settings.string_limit = number < kMaxTextBytes ? (UInt)number : kMaxTextBytes;
    return True;
  }
  if (VG_STREQ(word, "stdin-limit")) {
    if (!single || !ReadNumber(value, 0, 1ll << 62, &number)) return False;
    g_settings.stdin_limit = (ULong)number;
    return True;
  }
  if (VG_STREQ(word, "leave-out")) return ReadFilter(line, False);
  if (VG_STREQ(word, "keep")) return ReadFilter(line, True);
  if (VG_STREQ(word, "values")) {
    if (!single) return False;
    *(const HChar**)Append((void**)&g_settings.value_globs, &g_settings.value_count, sizeof(HChar*)) = value;
    return True;
  }
  if (VG_STREQ(word, "mark")) return ReadMark(line);
  if (VG_STREQ(word, "chop")) return line->count == 5 ? ReadWithin(line) : ReadChop(line);
  return False;
}

void SettingsRead(const HChar* directory) {
  HChar* const path = VG_(malloc)("oscope.settings.path", VG_(strlen)(directory) + sizeof "/settings");
  VG_(sprintf)(path, "%s/settings", directory);
  HChar* text = ReadWhole(path);
  for (UInt number = 1; text != NULL; ++number) {
    Line line;
    text = SplitLine(text, &line);
    if (line.count == 1 && line.words[0][0] == '\0') continue;
    if (!ReadLine(&line)) {
      HChar where[32];
      VG_(sprintf)(where, "line %u", number);
      SettingsFail(path, where);
    }
  }
  VG_(free)(path);
}
