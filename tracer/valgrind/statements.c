/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/statements.h"

#include <pub_tool_debuginfo.h>
#include <pub_tool_libcbase.h>

static Bool PlaceOf(Addr address, Place* place) {
  return VG_(get_filename_linenum)(VG_(current_DiEpoch)(), address, &place->file, &place->directory, &place->line);
}

Bool StatementBegins(Addr address, Bool is_function_start, Place* place) {
  Place before;
  if (is_function_start || !PlaceOf(address - 1, &before)) return PlaceOf(address, place);
  if (!PlaceOf(address, place)) return False;
  return place->line != before.line || !VG_STREQ(place->file, before.file) ||
         !VG_STREQ(place->directory, before.directory);
}
