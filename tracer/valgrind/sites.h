/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The numbers of places in the code, and the text file that says what they mean. A number is given once to a kind,
 * object and address, however often the code there is translated. Lines are gathered and must be flushed before a
 * record uses their numbers. */
#ifndef OSCOPE_TRACER_VALGRIND_SITES_H_
#define OSCOPE_TRACER_VALGRIND_SITES_H_

#include <pub_tool_basics.h>

enum { kNoSite = 0xffffffffu };

/* Makes the sites file of this process. */
void SitesOpen(void);
/* This process records nothing: lines go nowhere. */
void SitesClose(void);

UInt SitesCount(void);

/* The number of `address` as a site of `kind` (m b s i c); `name` may be NULL. kNoSite: there are too many. */
UInt SiteOf(HChar kind, Addr address, const HChar* name);

void SitesTellObject(UInt id, Addr bias, const HChar* path);
void SitesTellThread(UInt ordinal, Int tid);
void SitesNote(const HChar* text);

/* Writes what was gathered. */
void SitesFlush(void);

#endif /* OSCOPE_TRACER_VALGRIND_SITES_H_ */
