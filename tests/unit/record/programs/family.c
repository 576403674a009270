/* A program with processes of its own that end when they like. Run by launch_test.cc as if a recorder ran it.
 *
 * usage: family RECORDING EVENTS WORD...
 *   child     has a child that does as it does
 *   late      when it is told to end it starts another process, and goes on
 *   polite    exits with 5 when it is told to end, `twice` when it is told so for the second time; without these words it goes on
 * Each process enters itself in the control file of RECORDING, as a recorder does (if there is one), and writes "began PID" to EVENTS. A
 * signal that comes is written as "signal NUMBER". */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tracer/raw/raw_format.h"

static OscRawControl* control;
static int events;
static volatile sig_atomic_t until_end, late;

static void tell(const char* what, int number) {
  char line[40];
  const int size = snprintf(line, sizeof line, "%s %d\n", what, number);
  if (write(events, line, (size_t)size) != size) _exit(99);
}

static void enter(void) {
  if (control != 0) control->pids[__atomic_fetch_add(&control->processes, 1, __ATOMIC_SEQ_CST)] = (unsigned)getpid();
  tell("began", getpid());
}

static void start_another(void) {
  if (fork() != 0) return;
  late = 0;
  enter();
  for (;;) pause();
}

static void on_signal(int number) {
  tell("signal", number);
  if (late) {
    late = 0;
    start_another();
  }
  if (until_end > 0 && --until_end == 0) _exit(5);
}

static int has(int argc, char** argv, const char* word) {
  for (int i = 3; i < argc; ++i) {
    if (strcmp(argv[i], word) == 0) return 1;
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 3) return 98;
  char path[4096];
  snprintf(path, sizeof path, "%s/control", argv[1]);
  const int file = open(path, O_RDWR);
  if (file >= 0) control = mmap(0, OSC_RAW_CONTROL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  events = open(argv[2], O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (events < 0) return 97;
  until_end = has(argc, argv, "polite") ? 1 : has(argc, argv, "twice") ? 2 : 0;
  late = has(argc, argv, "late");
  const int numbers[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT};
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigfillset(&action.sa_mask);
    action.sa_handler = on_signal;
    sigaction(numbers[i], &action, 0);
  }
  if (has(argc, argv, "child")) start_another();
  enter();
  for (;;) pause();
}
