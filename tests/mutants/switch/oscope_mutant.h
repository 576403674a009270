/* OSCOPE_MUTANT(n): whether the environment variable OSCOPE_MUTANT names fault n. Included by sources of the mutants'
 * build only.
 *
 * OSCOPE_MUTANTS_REACHED names a file to which each process adds the number of every fault whose place it comes by,
 * once. It is opened anew for each, so that programs that close descriptors, or count them, are not disturbed for
 * long. */
#pragma once

#define OSCOPE_MUTANT(n) (__builtin_expect(oscope_mutant_is(n), 0))
#define OSCOPE_MUTANTS_MOST 4096

#if defined(__cplusplus)

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

struct OscopeMutantSwitch {
  int chosen;
  const char* reached;
};

inline const OscopeMutantSwitch& oscope_mutant_switch() {
  static const OscopeMutantSwitch made = [] {
    const char* chosen = std::getenv("OSCOPE_MUTANT");
    const char* reached = std::getenv("OSCOPE_MUTANTS_REACHED");
    // The name is copied: a program may change its environment.
    static char name[4096];
    if (reached != nullptr) std::snprintf(name, sizeof name, "%s", reached);
    return OscopeMutantSwitch{chosen == nullptr ? -1 : std::atoi(chosen), reached == nullptr ? nullptr : name};
  }();
  return made;
}

inline void oscope_mutant_reached(int number, const char* path) {
  static std::atomic<unsigned char> seen[OSCOPE_MUTANTS_MOST];
  if (seen[number].load(std::memory_order_relaxed) != 0 || seen[number].exchange(1) != 0) return;
  const int error = errno;
  const int file = ::open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0) {
    char text[16];
    const int length = std::snprintf(text, sizeof text, "%d\n", number);
    [[maybe_unused]] const auto written = ::write(file, text, static_cast<size_t>(length));
    ::close(file);
  }
  errno = error;
}

inline bool oscope_mutant_is(int number) {
  const OscopeMutantSwitch& state = oscope_mutant_switch();
  if (state.reached != nullptr) oscope_mutant_reached(number, state.reached);
  return state.chosen == number;
}

#else /* The Valgrind tool, which has no C library. */

#include "pub_tool_basics.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"

static __attribute__((unused)) int oscope_mutant_is(int number) {
  static int chosen = -2;
  static const char* reached;
  static unsigned char seen[OSCOPE_MUTANTS_MOST];
  if (chosen == -2) {
    const char* text = VG_(getenv)("OSCOPE_MUTANT");
    chosen = text == 0 ? -1 : (int)VG_(strtoll10)(text, 0);
    reached = VG_(getenv)("OSCOPE_MUTANTS_REACHED");
  }
  if (reached != 0 && !seen[number]) {
    seen[number] = 1;
    const SysRes file = VG_(open)(reached, VKI_O_WRONLY | VKI_O_APPEND | VKI_O_CREAT, 0600);
    if (!sr_isError(file)) {
      char text[16];
      VG_(write)((Int)sr_Res(file), text, (Int)VG_(sprintf)(text, "%d\n", number));
      VG_(close)((Int)sr_Res(file));
    }
  }
  return chosen == number;
}

#endif
