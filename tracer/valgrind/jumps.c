/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/jumps.h"

static Bool IsPrefix(UChar byte) {
  switch (byte) {
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65:
    case 0x66:
    case 0x67:
    case 0xf2:
    case 0xf3: return True;
    default: return (byte & 0xf0) == 0x40; /* REX */
  }
}

static UInt SkipPrefixes(const UChar* code, UInt size) {
  UInt at = 0;
  while (at < size && IsPrefix(code[at])) ++at;
  return at;
}

Bool IsConditionalJump(const UChar* code, UInt size) {
  const UInt at = SkipPrefixes(code, size);
  if (at >= size) return False;
  if ((code[at] & 0xf0) == 0x70 || (code[at] & 0xfc) == 0xe0) return True;
  return code[at] == 0x0f && at + 1 < size && (code[at + 1] & 0xf0) == 0x80;
}

Bool IsDivision(const UChar* code, UInt size) {
  const UInt at = SkipPrefixes(code, size);
  return at + 1 < size && (code[at] & 0xfe) == 0xf6 && (code[at + 1] & 0x30) == 0x30;
}
