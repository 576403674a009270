/* A distance of your own between two traces, as a shared library. Plain C, so that any language can export it.
 *
 * The library defines oscope_metric_abi and oscope_metric_distance, and may define oscope_metric_configure. It runs in
 * a process of its own: a crash or a hang fails the query and nothing else. One thread calls it. docs/user-metrics.md
 * has the whole story.
 */
#ifndef OSCOPE_METRIC_H_
#define OSCOPE_METRIC_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OSCOPE_METRIC_ABI 1

/* Returns OSCOPE_METRIC_ABI. */
uint32_t oscope_metric_abi(void);

/* The distance of two sequences of event ids: 0 or more; a negative number is an error. names[id] is the text of event
 * `id`, for every id that occurs in a or b; ids are below `names_size`, small and given out in the order in which
 * events come up. The arrays live until the function returns; the texts as long as the library. */
int64_t oscope_metric_distance(const uint32_t* a, size_t a_size, const uint32_t* b, size_t b_size,
                               const char* const* names, size_t names_size);

/* Optional: what follows the name in DISTANCE u(name, ...). Called once, before any distance, also when there is
 * nothing; returns 0, or another number to refuse. */
int oscope_metric_configure(const char* const* arguments, size_t arguments_size);

#ifdef __cplusplus
}
#endif

#endif /* OSCOPE_METRIC_H_ */
