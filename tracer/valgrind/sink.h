/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Where records go: the process's events file, one chunk of which is mapped at a time, always at the same address.
 *
 * Generated code writes short records itself: it stores at g_sink.next and raises it, and calls SinkTurn when
 * g_sink.next lies beyond g_sink.limit, once a superblock, after its last record. Behind the limit there is room for
 * the records of one superblock more. Where nothing is to be recorded (a thread that is left out, a process beyond the
 * limit, a disk without room), next points into a scratch area, so that the code need not ask.
 *
 * Threads: Valgrind runs one thread at a time; all of this belongs to the one that runs. */
#ifndef OSCOPE_TRACER_VALGRIND_SINK_H_
#define OSCOPE_TRACER_VALGRIND_SINK_H_

#include <pub_tool_basics.h>

#include "tracer/raw/raw_format.h"

enum { kSinkSlackBytes = 1024 };

typedef struct {
  UWord next;
  UWord limit;
} Sink;

extern Sink g_sink;

/* Makes the events file of this process, which has joined the recording. `parent` and the counts go into the header.
 * Where that fails the process runs on without records. */
void SinkOpen(UInt parent, UInt parent_sites, UInt parent_objects);

/* The process records nothing (any more), now or after a fork. */
void SinkClose(void);

/* False: records go nowhere. */
Bool SinkIsOpen(void);

/* What generated code writes now goes to the file, as the doing of thread `ordinal`; or nowhere. */
void SinkListen(UInt ordinal);
void SinkIgnore(void);

/* For generated code: the chunk is full. */
void SinkTurn(void);

/* Words for one record of thread `ordinal`, which SinkCommit then makes valid by its first word. NULL: the sink is
 * closed. Words must be below a quarter of a chunk. */
UInt* SinkReserve(UInt ordinal, UInt words);
void SinkCommit(UInt* record, UInt first_word, UInt words);

/* Sets a bit of the header's flags (OSC_RAW_FINISHED ...), or clears it. */
void SinkFlag(UInt flag, Bool set);

#endif /* OSCOPE_TRACER_VALGRIND_SINK_H_ */
