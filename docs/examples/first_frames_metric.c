/* An example of a metric of your own: how many of the first n events differ, by name without regard to case.
 *
 *   cc -shared -fPIC -o libfirst_frames.so first_frames_metric.c
 *
 * and in oscope.toml:
 *   [metrics.first_frames]
 *   library = "libfirst_frames.so"
 *
 * Then: SELECT b WHERE INTERSECT?(b, tbug, 2) DISTANCE u(first_frames, 5)
 */
#include <stdlib.h>
#include <strings.h>

#ifdef OSCOPE_IN_TREE
#include "query/distance/user/oscope_metric.h"
#else
#include <oscope_metric.h>
#endif

static size_t frames = 10;

uint32_t oscope_metric_abi(void) { return OSCOPE_METRIC_ABI; }

int oscope_metric_configure(const char* const* arguments, size_t arguments_size) {
  if (arguments_size == 0) return 0;
  const long given = strtol(arguments[0], NULL, 10);
  if (arguments_size > 1 || given < 1) return 1;
  frames = (size_t)given;
  return 0;
}

int64_t oscope_metric_distance(const uint32_t* a, size_t a_size, const uint32_t* b, size_t b_size,
                               const char* const* names, size_t names_size) {
  (void)names_size;
  int64_t distance = 0;
  for (size_t i = 0; i < frames && (i < a_size || i < b_size); ++i) {
    distance += i >= a_size || i >= b_size || strcasecmp(names[a[i]], names[b[i]]) != 0;
  }
  return distance;
}
