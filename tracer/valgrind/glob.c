/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracer/valgrind/glob.h"

/* Only the last star needs a second try: what an earlier one took too little of, the last one can take. */
Bool GlobFits(const HChar* pattern, const HChar* text) {
  const HChar* after_star = NULL;
  const HChar* retry = NULL;
  while (*text != '\0') {
    if (*pattern == '*') {
      after_star = ++pattern;
      retry = text;
    } else if (*pattern != '\0' && (*pattern == '?' || *pattern == *text)) {
      ++pattern;
      ++text;
    } else if (after_star != NULL) {
      pattern = after_star;
      text = ++retry;
    } else {
      return False;
    }
  }
  while (*pattern == '*') ++pattern;
  return *pattern == '\0';
}
