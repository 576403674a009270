/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the program read from descriptor 0, up to the settings' limit, so that the run can be repeated. */
#ifndef OSCOPE_TRACER_VALGRIND_STANDARD_INPUT_H_
#define OSCOPE_TRACER_VALGRIND_STANDARD_INPUT_H_

#include <pub_tool_basics.h>

/* `size` bytes came to `address`, or to the first buffers of the `count` that the iovecs at `vector` describe. */
void StandardInputRead(Addr address, SizeT size);
void StandardInputReadVector(Addr vector, UWord count, SizeT size);

/* After a fork: the process has a file of its own. */
void StandardInputClose(void);

#endif /* OSCOPE_TRACER_VALGRIND_STANDARD_INPUT_H_ */
