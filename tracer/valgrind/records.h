/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Extended records, built a word at a time and written whole, as the doing of the thread that runs:
 *   RecordBegin(OSC_RAW_EXIT); RecordWord(status); RecordEnd(); */
#ifndef OSCOPE_TRACER_VALGRIND_RECORDS_H_
#define OSCOPE_TRACER_VALGRIND_RECORDS_H_

#include <pub_tool_basics.h>

#include "tracer/raw/raw_format.h"

void RecordBegin(OscRawExtended type);
void RecordWord(UInt word);
void RecordNumber(ULong number);
void RecordText(const HChar* text, UInt size);
void RecordNoText(void);

/* The C string at `address` of the program, cut at the settings' limit; no text where there is none, or where it must
 * be printable and is not. An empty one counts only if it need not be printable: a pointer to a zero is most often no
 * string. */
void RecordStringAt(Addr address, Bool must_be_printable);

/* `address` as a code site: an exact one, or one that `CallBefore` made of a return address. */
void RecordCode(Addr address);

/* The last byte of the call that returns to `return_address`: it lies on the line of the call. */
Addr CallBefore(Addr return_address);

void RecordEnd(void);

#endif /* OSCOPE_TRACER_VALGRIND_RECORDS_H_ */
