/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/ifuncs.h"

#include <pub_tool_hashtable.h>
#include <pub_tool_mallocfree.h>

typedef struct {
  VgHashNode* next;
  UWord address; /* the hash key */
  const HChar* name;
} Choice;

static VgHashTable* choices;

void IfuncChose(const HChar* name, Addr address) {
  if (choices == NULL) choices = VG_(HT_construct)("oscope.ifuncs");
  if (VG_(HT_lookup)(choices, address) != NULL) return;
  Choice* const choice = VG_(malloc)("oscope.ifunc", sizeof *choice);
  choice->address = address;
  choice->name = name;
  VG_(HT_add_node)(choices, choice);
}

const HChar* IfuncName(const HChar* name) { return VG_(strdup)("oscope.ifunc.name", name); }

const HChar* IfuncAt(Addr address) {
  const Choice* const choice = choices == NULL ? NULL : VG_(HT_lookup)(choices, address);
  return choice == NULL ? NULL : choice->name;
}
