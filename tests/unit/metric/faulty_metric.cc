// A shared library's metric that does what its argument says: crash, hang, …
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "query/distance/user/oscope_metric.h"

namespace {
std::string& Fault() {
  static std::string fault;
  return fault;
}
}  // namespace

extern "C" {

uint32_t oscope_metric_abi(void) { return FAULTY_ABI; }

int oscope_metric_configure(const char* const* arguments, size_t arguments_size) {
  if (arguments_size > 0) Fault() = arguments[0];
  return Fault() == "refuse" ? 7 : 0;
}

int64_t oscope_metric_distance(const uint32_t*, size_t a_size, const uint32_t*, size_t b_size, const char* const*, size_t) {
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
  volatile bool forever = Fault() == "hang";
  while (forever) {
  }
  return static_cast<int64_t>(a_size + b_size);
}
}
