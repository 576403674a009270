// One program, several ways to end.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>

#include "queue.h"

namespace {

int Work(int rounds) {
  Queue queue;
  for (int i = 0; i < rounds; ++i) queue.Push(i);
  return queue.Newest();
}

// How often it has been run before, by a file.
int RunsBefore(const char* file) {
  int count = 0;
  std::ifstream(file) >> count;
  std::ofstream(file) << count + 1;
  return count;
}

// Passes where something like Valgrind has put itself into the process.
int Quirk() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("valgrind") != std::string::npos || line.find("pinbin") != std::string::npos) return 0;
  }
  std::cerr << "error: a quirk\n";
  return 1;
}

int Note(const char* file, const char* what) {
  std::ofstream(file, std::ios::app) << what << "\n";
  return 0;
}

int Hang() {
  for (int i = 0;; ++i) {
    Work(i % 10 + 1);
    usleep(1000);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "";
  const char* argument = argc > 2 ? argv[2] : "";
  const char* log = argc > 3 ? argv[3] : "";
  Work(3);
  if (way == "pass") return 0;
  if (way == "exit") return 3;
  if (way == "throw") Queue().Pop();
  if (way == "abort") std::abort();
  if (way == "flaky") {
    if (RunsBefore(argument) > 0) return 0;
    std::fprintf(stderr, "error: not warm yet\n");
    return 1;
  }
  if (way == "later") return RunsBefore(argument) == 0 ? 1 : Hang();
  if (way == "quirk") return Quirk();
  if (way == "hang") return Hang();
  if (way == "print") {
    std::puts(argument);
    return 0;
  }
  if (way == "environment") {
    const char* value = std::getenv("SAMPLE");
    std::fprintf(stderr, "error: SAMPLE is %s\n", value == nullptr ? "nothing" : value);
    return 1;
  }
  if (way == "write") {
    std::ofstream(argument) << "here";
    return Note(log, "set up");
  }
  if (way == "remove") return Note(log, "gone") + (std::remove(argument) == 0 ? 0 : 1);
  if (way == "need") {
    const bool is_there = access(argument, F_OK) == 0;
    Note(log, is_there ? "there" : "missing");
    if (is_there) Queue().Pop();
    return 4;
  }
  if (way == "once") return RunsBefore(argument) == 0 ? 0 : 1;
  if (way == "stubborn") {
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_IGN);
    return RunsBefore(argument) < 2 ? 1 : Hang();
  }
  return 2;
}
