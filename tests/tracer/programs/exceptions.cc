// Stacks that are left by exceptions and longjmp: depth must be right afterwards.
#include <csetjmp>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>

namespace lib {

struct Odd : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Plain {
  int code;
};

void after() {}

int deep(int n) {
  if (n == 0) throw Odd("the bottom");
  return deep(n - 1) + 1;
}

int catcher(int n) {
  try {
    return deep(n);
  } catch (const std::exception& e) {
    after();
    return -1;
  }
}

int rethrower() {
  try {
    return deep(1);
  } catch (...) {
    throw;
  }
}

}  // namespace lib

static jmp_buf place;

int jumper(int n) {
  if (n == 0) longjmp(place, 1);
  return jumper(n - 1) + 1;
}

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  lib::catcher(3);
  lib::after();
  if (setjmp(place) == 0) jumper(2);
  lib::after();
  try {
    lib::rethrower();
  } catch (const lib::Odd&) {
  }
  lib::after();
  if (how == "escape") throw std::logic_error("nobody catches this");
  if (how == "plain") throw lib::Plain{4};
  std::exception_ptr stored;
  const auto store = [&stored] {
    try {
      lib::deep(1);
    } catch (...) {
      stored = std::current_exception();
    }
  };
  if (how == "stored") store();
  if (how == "from-thread") std::thread(store).join();
  if (how == "made") stored = std::make_exception_ptr(std::out_of_range("nobody threw this"));
  if (stored) std::rethrow_exception(stored);
  return 0;
}
