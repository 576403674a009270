/* usage: ways WAY: one way to run and to end each. Run by trace_command_test.py. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int sink;
void step(int n) { sink += n; }
void work(int n) { for (int i = 0; i < n; i++) step(i); }
static volatile sig_atomic_t signals;
static void count(int number) {
  const char text[] = {'s', 'i', 'g', 'n', 'a', 'l', ' ', (char)('0' + number / 10), (char)('0' + number % 10), '\n'};
  if (write(1, text, sizeof text) != sizeof text || ++signals == 2) _exit(43);
}
static void* threaded(void* unused) { work(3); return unused; }
int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  printf("begin %s\n", what); fflush(stdout);
  work(2);
  if (!strcmp(what, "exit")) exit(7);
  if (!strcmp(what, "code")) exit(atoi(argv[2]));
  if (!strcmp(what, "return")) return 3;
  if (!strcmp(what, "abort")) abort();
  if (!strcmp(what, "assert")) assert(sink == 12345);
  if (!strcmp(what, "crash")) { *(volatile int*)0 = 1; }
  if (!strcmp(what, "kill")) kill(getpid(), SIGKILL);
  if (!strcmp(what, "hang")) for (puts("ready"), fflush(stdout);;) pause();
  if (!strcmp(what, "count")) for (signal(SIGINT, count), signal(SIGTERM, count), puts("ready"), fflush(stdout);;) pause();
  /* Two processes that take no notice of being told to end. */
  if (!strcmp(what, "stubborn")) for (signal(SIGTERM, SIG_IGN), signal(SIGINT, SIG_IGN), fork(), work(1), puts("ready"), fflush(stdout);;) pause();
  if (!strcmp(what, "spin")) for (;;) step(1);
  if (!strcmp(what, "many")) for (int i = 0; i < 400000; i++) step(i);
  if (!strcmp(what, "fork")) { pid_t child = fork(); if (child == 0) { work(4); _exit(5); } int status; waitpid(child, &status, 0); return WEXITSTATUS(status); }
  if (!strcmp(what, "exec")) execl(argv[0], argv[0], "exit", (char*)0);
  if (!strcmp(what, "threads")) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, threaded, 0); for (int i = 0; i < 3; i++) pthread_join(t[i], 0); return 1; }
  if (!strcmp(what, "read")) { char line[100]; while (fgets(line, sizeof line, stdin)) fputs(line, stdout); return 1; }
  if (!strcmp(what, "chdir")) { if (chdir("/")) return 9; work(1); return 1; }
  if (!strcmp(what, "close")) { for (int i = 0; i < 1024; i++) close(i); work(1); _exit(1); }
  if (!strcmp(what, "stderr")) { fputs("oops\n", stderr); return 1; }
  return 0;
}
