/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Puts the writing of records into translated code. Valgrind calls it for each superblock before it runs for the first
 * time. */
#ifndef OSCOPE_TRACER_VALGRIND_INSTRUMENT_H_
#define OSCOPE_TRACER_VALGRIND_INSTRUMENT_H_

#include <pub_tool_basics.h>
#include <pub_tool_tooliface.h>

IRSB* Instrument(VgCallbackClosure* closure, IRSB* in, const VexGuestLayout* layout, const VexGuestExtents* extents,
                 const VexArchInfo* host, IRType guest_word, IRType host_word);

#endif /* OSCOPE_TRACER_VALGRIND_INSTRUMENT_H_ */
