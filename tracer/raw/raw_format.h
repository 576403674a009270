/* SPDX-License-Identifier: Apache-2.0 OR GPL-2.0-or-later
 *
 * The raw recording: what a recorder inside the target writes, and what `oscope` turns into a run afterwards. C,
 * without any other header, because a Valgrind tool, a Pin tool and our reader all include it. docs/formats/raw.md
 * tells it in prose.
 *
 * A recording is a directory (mode 0700) that `oscope` makes before the program starts:
 *   settings            what to record, as text (below); written by oscope
 *   control             OscRawControl, mapped by every process; made by oscope, all zero but for `magic` and
 *                       `process_limit`
 *   <n>.events          of process n: OscRawHeader, then chunks; mapped shared, so that it outlives a kill -9
 *   <n>.sites           of process n: text lines that say what the numbers in the events mean; appended with write(2)
 *                       before their first use
 *   <n>.stdin           of process n: what it read from descriptor 0, up to the limit of the settings; only if they ask
 *                       for it
 * The recorder takes n from `processes` of the control file, atomically: 0 is the program itself; a fork or an exec
 * gets the next. A process whose n is not below `process_limit` records nothing and makes no file, but runs on.
 *
 * Events file: a header of OSC_RAW_HEADER_BYTES, then up to `ring_chunks` slots of OSC_RAW_CHUNK_BYTES. The chunk of
 * sequence s lies in slot s % ring_chunks, so that the newest are kept. A slot is filled with zeros by pwrite(2) before
 * its chunk begins: that takes the space from the disk with an error code, where touching a hole would be a SIGBUS.
 * Where the disk is full (or the limit is reached) the slots that there are become the ring: `ring_chunks` is set to
 * their number, before the first one is reused. Then, in this order: `chunks` is raised, the slot is zeroed, the
 * chunk's header is written (its magic last). A process that is killed in between leaves the newest slot empty, or
 * still with the chunk that was there before. A record does not span chunks. The records of a chunk end at the first
 * zero word or at the chunk's end.
 *
 * Records are words of 32 bits in the machine's order. The first word has the kind in its upper three bits.
 *   1 ENTRY      site; next word: low 32 bits of the stack pointer at the function's first instruction (before anything
 *                is pushed)
 *   2 BRANCH     bit 0: taken; bits 1-28: site of the conditional jump
 *   3 STATEMENT  site
 *   4 INSTR      site
 *   5 THREAD     ordinal of the thread in the process: what follows is its doing, until the next THREAD record or the
 *                chunk's end
 *   6 EXTENDED   bits 24-28: OscRawExtended; bits 0-23: how many words follow
 * A chunk begins with the thread in its header. 0 and 7 are no kinds.
 *
 * In extended records: a number of 64 bits is two words, low first; a text is a word with its length in bytes
 * (OSC_RAW_NO_TEXT: there is none), then the bytes, padded with zeros to a whole word. A text longer than the settings'
 * `string-limit` is cut there.
 *
 * Depth is not recorded: it follows from the stack pointers of the entries of a thread, through exceptions and longjmp
 * too.
 *
 * Sites file, a line each, words separated by one space, bytes below 0x21, above 0x7e and '%' in paths and names as
 * %XX:
 *   object ID BIAS PATH           an ELF file (or [vdso]); ID counts from 0; BIAS hexadecimal: run-time address less
 *                                 ELF virtual address
 *   site ID KIND OBJECT VADDR [NAME]
 *                                 KIND m b s i as above, c: a code address in a stack or of a caller (of a call under
 *                                 way: its last byte, the return address less one); OBJECT an id or "-" (no file:
 *                                 generated code); VADDR hexadecimal: the ELF virtual address (without an object: the
 *                                 run-time address); NAME the symbol that the recorder knows (mangled), if any. ID
 *                                 counts from 0 over all kinds, with gaps allowed, below 2^28.
 *   thread ORDINAL TID            the system's id, when a thread begins; ordinal 0 is the main thread (of a forked
 *                                 process: the one that forked)
 *   note TEXT                     for people: something that could not be recorded
 * A process that was forked begins with its parent's sites and objects: those below the `parent_sites` and
 * `parent_objects` of its header.
 *
 * Settings file, a line each, words separated by tabs, read in order; an unknown word is an error that the recorder
 * reports and exits with 125:
 *   version 1
 *   granularity method|statement|block|instruction
 *                                what is recorded from the start; finer ones include `method`. `off`: nothing until a
 *                                chop starts
 *   threads all|main             main: no ENTRY, BRANCH, STATEMENT, INSTR or CHOP of the others
 *   ring-chunks N                the largest number of slots
 *   string-limit N               bytes of a text
 *   stdin-limit N                bytes of standard input to keep; 0: none
 *   leave-out object GLOB        (also `keep object GLOB`) by the path or the base name of the ELF file
 *   leave-out name GLOB          (also `keep name GLOB`) by the method's name: scope and name, without return type,
 *                                parameters, clone suffixes. The last line that fits decides; where none fits, a
 *                                function is kept. (So an --include is a `leave-out name *` before `keep name GLOB`.)
 *                                Those lines bear on ENTRY, BRANCH, STATEMENT and INSTR alike. Functions of the dynamic
 *                                loader and below `main` are not special: the list that oscope writes names them.
 *   values NAME-GLOB             arguments and results of these functions, wherever they are (VALUES and RESULT
 *                                records); their entries are recorded even where they are left out
 *   mark INDEX ARG LOW HIGH CAPTURES NAME-GLOB
 *                                a failure function: on entry, if argument ARG (0 is the first; "-": always), as a
 *                                signed 32-bit number, lies in LOW..HIGH, write a MARK with INDEX, the captured texts
 *                                and a STACK. CAPTURES: "-" or words joined by commas: s2 the C string that argument 2
 *                                points at, S4 the std::string (libstdc++, new ABI) that argument 4 points at, i3
 *                                argument 3 as a signed decimal number
 *   chop start|stop name GLOB    recording begins | ends when the method is entered
 *   chop start|stop line FILE:N  the same when a statement at the line begins; FILE fits a path's end at a '/'
 *   chop within GRANULARITY name GLOB
 *                                the granularity while the method is on the stack of the thread (what it calls
 *                                included). With a `chop start`, recording is off at first (and begins as `method`
 *                                where the granularity is off). A stop ends it for `within` too. A CHOP record tells
 *                                each change, in the stream of each thread before it records more; it precedes the
 *                                ENTRY of the method, so that a start's is recorded and a stop's is not.
 * A GLOB has * and ?; it is matched against the whole name. Names are matched under all their aliases (abort,
 * __GI_abort). Always recorded, without a line: THROW, CATCH, RETHROW at __cxa_throw, __cxa_begin_catch, __cxa_rethrow;
 * at std::rethrow_exception a RETHROW of what the thread threw last, else a THROW; EXIT at the exit_group system call;
 * SIGNAL. Those records, MARK and VALUES depend neither on leave-out lines nor on chop points.
 */
#ifndef OSCOPE_TRACER_RAW_RAW_FORMAT_H_
#define OSCOPE_TRACER_RAW_RAW_FORMAT_H_

enum {
  OSC_RAW_VERSION = 1,
  OSC_RAW_HEADER_BYTES = 4096,
  OSC_RAW_CHUNK_BYTES = 1 << 18,
  OSC_RAW_CHUNK_HEADER_BYTES = 32,
  OSC_RAW_CONTROL_BYTES = 4096,
  OSC_RAW_CONTROL_PIDS = 512,
  OSC_RAW_MAX_SITES = 1 << 28,
  OSC_RAW_MAX_STACK = 256 /* frames of a STACK record */
};
#define OSC_RAW_CONTROL_MAGIC 0x314c54434353436fULL /* bytes "oCSCCTL1" */
#define OSC_RAW_EVENTS_MAGIC 0x315645434353436fULL  /* bytes "oCSCCEV1" */
#define OSC_RAW_CHUNK_MAGIC 0x4b4e4843u             /* bytes "CHNK" */
#define OSC_RAW_NO_TEXT 0xffffffffu
#define OSC_RAW_NO_PROCESS 0xffffffffu

typedef struct {
  unsigned long long magic; /* OSC_RAW_CONTROL_MAGIC */
  unsigned int process_limit;
  unsigned int processes;                  /* taken so far; may exceed the limit */
  unsigned int pids[OSC_RAW_CONTROL_PIDS]; /* of process n, when it began; for oscope to end what hangs */
} OscRawControl;

typedef enum { OSC_RAW_STARTED = 0 /* by the launcher or exec */, OSC_RAW_FORKED = 1 } OscRawOrigin;

/* OscRawHeader.flags */
enum {
  OSC_RAW_FINISHED = 1,  /* the process ended in an orderly way: all it did is here */
  OSC_RAW_DISK_FULL = 2, /* the ring is shorter than was asked for */
  OSC_RAW_SITES_LOST = 4 /* the sites file could not be written to: later sites have no line */
};

typedef struct {
  unsigned long long magic; /* OSC_RAW_EVENTS_MAGIC */
  unsigned int version;
  unsigned int chunk_bytes;    /* OSC_RAW_CHUNK_BYTES */
  unsigned int ring_chunks;    /* slots in use as a ring, see above */
  unsigned int flags;          /* grows while the process runs */
  unsigned long long chunks;   /* begun so far: the newest has the sequence chunks - 1 */
  unsigned int process;        /* its ordinal */
  unsigned int parent;         /* the ordinal of the process it was forked from; OSC_RAW_NO_PROCESS */
  unsigned int parent_sites;   /* how many site ids it inherited */
  unsigned int parent_objects; /* and objects */
  unsigned int origin;         /* OscRawOrigin */
  unsigned int pid;
} OscRawHeader;

typedef struct {
  unsigned int magic; /* OSC_RAW_CHUNK_MAGIC */
  unsigned int thread;
  unsigned long long sequence;
  unsigned int reserved[4];
} OscRawChunk;

enum { OSC_RAW_ENTRY = 1, OSC_RAW_BRANCH, OSC_RAW_STATEMENT, OSC_RAW_INSTR, OSC_RAW_THREAD, OSC_RAW_EXTENDED };
#define OSC_RAW_WORD(kind, payload) (((unsigned int)(kind) << 29) | (unsigned int)(payload))
#define OSC_RAW_EXTENDED_WORD(type, words) \
  OSC_RAW_WORD(OSC_RAW_EXTENDED, ((unsigned int)(type) << 24) | (unsigned int)(words))

/* "sp" is the stack pointer's low 32 bits; "code site" a site of kind c. */
typedef enum {
  /* sp, index of the settings' mark line, code site of the caller, number of texts, texts */
  OSC_RAW_MARK = 1,
  /* sp, code site of the caller, text: the thrown type's mangled name, text: what() where it is a std::runtime_error or
   * std::logic_error of libstdc++ (or derived from one alone) */
  OSC_RAW_THROW,
  /* sp, code site of the caller: the function that caught, or the unwinder when nobody does */
  OSC_RAW_CATCH,
  /* sp, code site of the caller */
  OSC_RAW_RETHROW,
  /* status of exit_group */
  OSC_RAW_EXIT,
  /* number, fatal (1: the process ends by it; 0: a handler of the program runs) */
  OSC_RAW_SIGNAL,
  /* why: OSC_RAW_MARK, _THROW or _SIGNAL; number of frames; their code sites, innermost first. A throw's stack is
   * written just before the MARK, EXIT or SIGNAL that follows it, since most throws are caught and forgotten */
  OSC_RAW_STACK,
  /* site of the function (kind m), sp, number of arguments (6), each: 64 bits, text (where it points at a readable
   * printable C string). Follows the function's ENTRY */
  OSC_RAW_VALUES,
  /* site of the function, sp of its entry, how: 0 returned, 1 left by an exception or longjmp; 64 bits, text */
  OSC_RAW_RESULT,
  /* granularity from here on: 0 off, 1 method, 2 statement, 3 block, 4 instruction */
  OSC_RAW_CHOP
} OscRawExtended;

#endif /* OSCOPE_TRACER_RAW_RAW_FORMAT_H_ */
