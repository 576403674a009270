/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How finely is recorded now: chop points of the settings start and stop recording in the whole process, and set the
 * granularity while a method is on a thread's stack.
 *
 * Without chop points the granularity never changes and generated code stores unasked. With them it asks g_steps: the
 * bytes by which a record of a kind moves the position on, 0 while that kind is not recorded. */
#ifndef OSCOPE_TRACER_VALGRIND_CHOP_H_
#define OSCOPE_TRACER_VALGRIND_CHOP_H_

#include <pub_tool_basics.h>

#include "tracer/valgrind/settings.h"
#include "tracer/valgrind/wishes.h"

typedef enum { kEntryRecord = 0, kBranchRecord, kStatementRecord, kInstrRecord, kRecordKinds } RecordKind;

extern UWord g_steps[kRecordKinds];

enum { kNotWithin = -1 };

void ChopInit(void);

/* Must generated code ask? */
Bool ChopPointsExist(void);

/* Can records of `kind` be wanted at all? */
Bool ChopMayRecord(RecordKind kind);

/* The granularity of the settings: what holds for a thread while its records say nothing else. */
Granularity ChopAtFirst(void);

/* For generated code, before the ENTRY of a function that chop lines name. */
void ChopEntered(const Registers* registers, const Wishes* wishes);

/* For generated code, before the first instruction of a statement at a line that `line` names. */
void ChopReached(const ChopLine* line);

/* The function that set the thread's granularity is gone; `before` it there was this. */
void ChopLeave(Int before);

/* Another thread runs. */
void ChopThreadRuns(void);

/* The first line of kind line that fits, or NULL. */
const ChopLine* ChopAtLine(const HChar* directory, const HChar* file, UInt line);

#endif /* OSCOPE_TRACER_VALGRIND_CHOP_H_ */
