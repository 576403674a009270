/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * C++ exceptions, seen at the functions of the run-time library that throw and catch them (Itanium C++ ABI). */
#ifndef OSCOPE_TRACER_VALGRIND_EXCEPTIONS_H_
#define OSCOPE_TRACER_VALGRIND_EXCEPTIONS_H_

#include "tracer/valgrind/wishes.h"

/* At the entry of __cxa_throw, __cxa_begin_catch, __cxa_rethrow. */
void Thrown(const Registers* registers);
void Caught(const Registers* registers);
void Rethrown(const Registers* registers);

/* At the entry of std::rethrow_exception. What the thread itself threw last is rethrown; what another thread threw, or
 * nobody (std::make_exception_ptr), counts as thrown here. */
void ThrownOn(const Registers* registers);

/* Writes the stack of the thread's last throw, if it has not been written yet. Called before what ends or marks the
 * run. */
void WriteThrowStack(void);

#endif /* OSCOPE_TRACER_VALGRIND_EXCEPTIONS_H_ */
