// usage: caught WHO HOW: an exception that is caught, and a failure long after it or at once.
#include <cassert>
#include <cstdlib>
#include <future>
#include <stdexcept>
#include <string>

static volatile int sink;

void step() { ++sink; }
void toss() { throw std::runtime_error("an old one"); }
void tolerant() {
  try {
    toss();
  } catch (const std::exception&) {
    step();
  }
}
void rethrower() {
  try {
    toss();
  } catch (const std::exception&) {
    throw;
  }
}
void outer() {
  try {
    rethrower();
  } catch (const std::exception&) {
    step();
  }
}
// The standard library catches it and keeps it.
void kept() {
  auto task = std::async(std::launch::deferred, toss);
  task.wait();
}
void work() {
  for (int i = 0; i < 100; ++i) step();
}

int main(int argc, char** argv) {
  if (argc < 3) return 9;
  const std::string who = argv[1], how = argv[2];
  if (who == "function") tolerant();
  if (who == "rethrown") outer();
  if (who == "library") kept();
  if (who == "main") {
    try {
      toss();
    } catch (const std::exception&) {
      if (how == "at-once") return 1;
    }
  }
  work();
  if (how == "exit") std::exit(1);
  if (how == "assert") assert(sink == 4711);
  if (how == "abort") std::abort();
  if (how == "crash") *(volatile int*)nullptr = 1;
  return 1;
}
