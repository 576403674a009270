/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/records.h"

#include <pub_tool_libcassert.h>
#include <pub_tool_libcbase.h>

#include "tracer/valgrind/client_memory.h"
#include "tracer/valgrind/settings.h"
#include "tracer/valgrind/sink.h"
#include "tracer/valgrind/sites.h"
#include "tracer/valgrind/threads.h"

/* The longest: a mark with all its texts. */
enum { kMaxWords = 64 + OSC_RAW_MAX_STACK + kMaxCaptures * (kMaxTextBytes / 4 + 2) };

static UInt words[kMaxWords];
static UInt count;
static OscRawExtended kind;

void RecordBegin(OscRawExtended type) {
  kind = type;
  count = 1;
}

void RecordWord(UInt word) {
  tl_assert(count < kMaxWords);
  words[count++] = word;
}

void RecordNumber(ULong number) {
  RecordWord((UInt)number);
  RecordWord((UInt)(number >> 32));
}

void RecordText(const HChar* text, UInt size) {
  if (size > g_settings.string_limit) size = g_settings.string_limit;
  const UInt text_words = (size + 3) / 4;
  tl_assert(count + 1 + text_words <= kMaxWords);
  words[count++] = size;
  if (text_words == 0) return;
  words[count + text_words - 1] = 0;
  VG_(memcpy)(&words[count], text, size);
  count += text_words;
}

void RecordNoText(void) { RecordWord(OSC_RAW_NO_TEXT); }

void RecordStringAt(Addr address, Bool must_be_printable) {
  static HChar text[kMaxTextBytes];
  UInt size;
  const Bool is_string = ReadClientString(address, text, g_settings.string_limit, &size);
  if (!is_string || (must_be_printable && (size == 0 || !IsPrintable(text, size)))) {
    RecordNoText();
  } else {
    RecordText(text, size);
  }
}

void RecordCode(Addr address) { RecordWord(SiteOf('c', address, NULL)); }

Addr CallBefore(Addr return_address) { return return_address == 0 ? 0 : return_address - 1; }

void RecordEnd(void) {
  SitesFlush();
  UInt* const record = SinkReserve(RunningThread()->ordinal, count);
  if (record == NULL) return;
  VG_(memcpy)(record + 1, words + 1, (count - 1) * sizeof(UInt));
  SinkCommit(record, OSC_RAW_EXTENDED_WORD(kind, count - 1), count);
}
