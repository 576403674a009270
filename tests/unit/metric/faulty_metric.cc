// A shared library's metric that does what its argument says: crash, hang, … or answers what it was told.
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "query/distance/user/oscope_metric.h"

namespace {
std::string& Fault() {
  static std::string fault;
  return fault;
}
int configured = 0;
}  // namespace

extern "C" {

uint32_t oscope_metric_abi(void) { return FAULTY_ABI; }

int oscope_metric_configure(const char* const* arguments, size_t arguments_size) {
  ++configured;
  if (arguments_size > 0) Fault() = arguments[0];
  return Fault() == "refuse" ? 7 : 0;
}

int64_t oscope_metric_distance(const uint32_t* a, size_t a_size, const uint32_t*, size_t b_size,
                               const char* const* names, size_t) {
  if (Fault() == "crash") {
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would exit instead
    std::raise(SIGSEGV);
  }
  if (Fault() == "abort") std::abort();
  if (Fault() == "exit") std::exit(0);
  if (Fault() == "negative") return -3;
  if (Fault() == "print") {
    std::puts("not an answer");
    std::fflush(stdout);
  }
  if (Fault() == "configured") return configured;
  if (Fault() == "bytes") {
    int64_t bytes = 0;
    for (size_t i = 0; i < a_size; ++i) bytes += static_cast<int64_t>(std::strlen(names[a[i]]));
    return bytes;
  }
  if (Fault() == "core") {
    rlimit limit{};
    getrlimit(RLIMIT_CORE, &limit);
    return limit.rlim_cur == 0 ? 0 : 1;
  }
  volatile bool forever = Fault() == "hang";
  while (forever) {
  }
  return static_cast<int64_t>(a_size + b_size);
}
}
