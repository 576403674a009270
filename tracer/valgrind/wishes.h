/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the settings want when a function is entered, beyond its ENTRY. Generated code holds pointers to it, so it is
 * never freed. */
#ifndef OSCOPE_TRACER_VALGRIND_WISHES_H_
#define OSCOPE_TRACER_VALGRIND_WISHES_H_

#include <libvex_guest_amd64.h>
#include <pub_tool_basics.h>

#include "tracer/valgrind/settings.h"

typedef enum { kPlain = 0, kThrow, kBeginCatch, kRethrow, kThrowOn, kFreeException } FunctionRole;

typedef struct {
  FunctionRole role;
  Bool values; /* its arguments and its result */
  UInt site;   /* of kind m, if the function's end is waited for */
  UInt mark_count;
  const MarkLine** marks;
  UInt chop_count; /* by name */
  const ChopLine** chops;
} Wishes;

/* The registers at the first instruction of a function. */
typedef VexGuestAMD64State Registers;

/* Argument `index`, counted from 0, by the calling convention for integers and pointers. */
UWord ArgumentOf(const Registers* registers, UInt index);

/* The function's caller: the last byte of its call. */
Addr CallerOf(const Registers* registers);

/* For generated code: the function is entered. Runs after its ENTRY; chops come before it, see chop.h. */
void FulfilWishes(const Registers* registers, const Wishes* wishes);

#endif /* OSCOPE_TRACER_VALGRIND_WISHES_H_ */
