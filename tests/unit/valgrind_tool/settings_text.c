/* The settings as text, for tests in another language. */
#include <stdio.h>

#include "tracer/valgrind/settings.h"

extern const char* TakeSettings(void);

const char* TakeSettings(void) {
  static char text[1 << 16];
  static const char* const kKinds[] = {"start", "stop", "within"};
  int at = 0;
#define TELL(...) at += snprintf(text + at, sizeof text - (unsigned long)at, __VA_ARGS__)
  const Settings* const all = &g_settings;
  TELL("granularity %d main %d ring %u string %u stdin %llu\n", (int)all->granularity, (int)all->main_thread_only,
       all->ring_chunks, all->string_limit, all->stdin_limit);
  for (UInt i = 0; i < all->filter_count; ++i) {
    const FilterLine* const one = &all->filters[i];
    TELL("%s %s [%s]\n", one->keep ? "keep" : "leave-out", one->by_object ? "object" : "name", one->glob);
  }
  for (UInt i = 0; i < all->value_count; ++i) TELL("values [%s]\n", all->value_globs[i]);
  for (UInt i = 0; i < all->mark_count; ++i) {
    const MarkLine* const one = &all->marks[i];
    TELL("mark %u always %d argument %u %lld..%lld", one->index, (int)one->always, one->argument, one->low, one->high);
    for (UInt capture = 0; capture < one->capture_count; ++capture)
      TELL(" %c%u", one->captures[capture].kind, one->captures[capture].argument);
    TELL(" [%s]\n", one->glob);
  }
  for (UInt i = 0; i < all->chop_count; ++i) {
    const ChopLine* const one = &all->chops[i];
    TELL("chop %s %d", kKinds[one->kind], (int)one->granularity);
    if (one->name_glob != NULL) {
      TELL(" name [%s]\n", one->name_glob);
    } else {
      TELL(" line [%s] %u\n", one->file, one->line);
    }
  }
#undef TELL
  g_settings = (Settings){.granularity = kMethod, .ring_chunks = 64, .string_limit = 256};
  return text;
}
