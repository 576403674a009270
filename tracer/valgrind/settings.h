/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What to record: the file `settings` of a recording (tracer/raw/raw_format.h tells its lines). Read once, before the
 * program starts. */
#ifndef OSCOPE_TRACER_VALGRIND_SETTINGS_H_
#define OSCOPE_TRACER_VALGRIND_SETTINGS_H_

#include <pub_tool_basics.h>

typedef enum { kOff = 0, kMethod, kStatement, kBlock, kInstruction } Granularity; /* the numbers of a CHOP record */

enum { kMaxCaptures = 8, kMaxTextBytes = 16384 };

typedef struct {
  Bool keep;      /* else leave out */
  Bool by_object; /* else by name */
  const HChar* glob;
} FilterLine;

typedef struct {
  HChar kind; /* 's', 'S' or 'i' */
  UInt argument;
} Capture;

typedef struct {
  UInt index;
  Bool always;
  UInt argument;
  Long low, high;
  UInt capture_count;
  Capture captures[kMaxCaptures];
  const HChar* glob;
} MarkLine;

typedef enum { kChopStart, kChopStop, kChopWithin } ChopKind;

typedef struct {
  ChopKind kind;
  Granularity granularity; /* of kChopWithin */
  const HChar* name_glob;  /* or NULL: by line */
  const HChar* file;
  UInt line;
} ChopLine;

typedef struct {
  Granularity granularity;
  Bool main_thread_only;
  UInt ring_chunks;
  UInt string_limit; /* at most kMaxTextBytes */
  ULong stdin_limit;
  UInt filter_count;
  FilterLine* filters;
  UInt value_count;
  const HChar** value_globs;
  UInt mark_count;
  MarkLine* marks;
  UInt chop_count;
  ChopLine* chops;
} Settings;

extern Settings g_settings;

/* Reads DIRECTORY/settings. Where it cannot be read or has a line that is not understood: tells which in the log, and
 * exits with 125. */
void SettingsRead(const HChar* directory);

/* Ends the tool before the program began: `problem` goes to the log, 125 to the caller. */
void SettingsFail(const HChar* problem, const HChar* detail) __attribute__((noreturn));

#endif /* OSCOPE_TRACER_VALGRIND_SETTINGS_H_ */
