// Arguments and results of functions.
#include <cstdio>
#include <cstring>
#include <stdexcept>

extern "C" long scale(const char* name, int factor) { return static_cast<long>(std::strlen(name)) * factor; }

extern "C" const char* label(int n) { return n > 0 ? "positive" : "other"; }

extern "C" int thrower(int n) {
  if (n > 1) throw std::runtime_error("too large");
  return n;
}

extern "C" __attribute__((noinline)) int finish(int n) { return n * 2; }

namespace app {
struct Counter {
  int value = 0;
  int add(int n) { return value += n; }
};
}  // namespace app

int main() {
  app::Counter counter;
  long sum = scale("seven77", 3);
  sum += scale("\x01\x02", -1);
  std::puts(label(1));
  sum += thrower(1);
  try {
    sum += thrower(2);
  } catch (const std::runtime_error&) {
    sum += finish(1);
  }
  return counter.add(40) + static_cast<int>(sum) - static_cast<int>(sum);
}
