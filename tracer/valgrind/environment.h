/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The program's environment without what Valgrind put there. */
#ifndef OSCOPE_TRACER_VALGRIND_ENVIRONMENT_H_
#define OSCOPE_TRACER_VALGRIND_ENVIRONMENT_H_

/* Takes VALGRIND_LIB and Valgrind's own entry of LD_PRELOAD (which helps tools that replace functions) from the
 * program's initial stack, before its first instruction. Valgrind gives exec'd programs theirs by itself. */
void EnvironmentRestore(void);

#endif /* OSCOPE_TRACER_VALGRIND_ENVIRONMENT_H_ */
