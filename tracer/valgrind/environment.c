/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * On the stack lie the pointers to the variables, a NULL, and right behind it the auxiliary vector, which the program
 * finds by that
 * NULL: all that follows a variable that goes moves down by one. */
#include "tracer/valgrind/environment.h"

#include <pub_tool_basics.h>
#include <pub_tool_libcbase.h>
#include <pub_tool_libcproc.h>

#include "tracer/valgrind/core_symbols.h"

static Bool StartsWith(const HChar* text, const HChar* what) {
  return VG_(strncmp)(text, what, VG_(strlen)(what)) == 0;
}

static void Remove(HChar** variable) {
  UWord* end = VG_(client_auxv);
  while (end[0] != 0) end += 2;
  end += 2;
  VG_(memmove)(variable, variable + 1, (SizeT)((HChar*)end - (HChar*)(variable + 1)));
  --VG_(client_auxv);
}

/* Takes Valgrind's entry, which is the first, from the list in `variable`. False: nothing is left. */
static Bool WithoutOurPreload(HChar* variable) {
  HChar* const list = variable + sizeof "LD_PRELOAD=" - 1;
  const SizeT folder = VG_(strlen)(VG_(libdir));
  if (VG_(strncmp)(list, VG_(libdir), folder) != 0 || !StartsWith(list + folder, "/vgpreload_core")) return True;
  const HChar* const rest = VG_(strchr)(list, ':');
  if (rest == NULL) return False;
  VG_(memmove)(list, rest + 1, VG_(strlen)(rest + 1) + 1);
  return True;
}

void EnvironmentRestore(void) {
  for (HChar** variable = VG_(client_envp); *variable != NULL;) {
    const Bool is_library = StartsWith(*variable, "VALGRIND_LIB=") || StartsWith(*variable, "VALGRIND_LAUNCHER=");
    if (is_library || (StartsWith(*variable, "LD_PRELOAD=") && !WithoutOurPreload(*variable))) {
      Remove(variable);
    } else {
      ++variable;
    }
  }
}
