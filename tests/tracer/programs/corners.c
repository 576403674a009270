/* usage: corners WAY [...]: what functions, stacks, threads and inputs do at their corners. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

int spun(int n) { return n + 1; }
int many(int a, int b, int c, int d, int e, int f, int g, int h) { return a + b + c + d + e + f + g + h; }
void ranged(int n) { (void)n; }
void text(const char* one) { (void)one; }
void texts(const char* a, const char* b, const char* c, const char* d, const char* e, const char* f) { (void)a, (void)b, (void)c, (void)d, (void)e, (void)f; }
int in_handler(int n) { return n + 100; }
void in_thread(void) {}
void leaves_thread(void) { pthread_exit(0); }
void after_failed(void) {}

/* The second is entered by a jump, and returns for both. */
int second(int n);
int first(int n);
__asm__(".text\n.globl second\n.type second,@function\nsecond: lea 2(%rdi), %eax\n ret\n.size second, . - second\n"
        ".globl first\n.type first,@function\nfirst: jmp second\n.size first, . - first\n");

static void on_signal(int number) { in_handler(number); }

int waits_for_signal(int n) {
  raise(SIGUSR1);
  return n + 1;
}

static void* signalled(void* stack) {
  const stack_t other = {.ss_sp = stack, .ss_size = 65536, .ss_flags = 0};
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
  if (sigaltstack(&other, 0) != 0 || sigaction(SIGUSR1, &action, 0) != 0) _exit(1);
  waits_for_signal(7);
  return 0;
}

static void* leaver(void* none) {
  (void)none;
  leaves_thread();
  return 0;
}

static void* follower(void* none) {
  (void)none;
  in_thread();
  return 0;
}

static void run(void* (*function)(void*), void* argument) {
  pthread_t thread;
  pthread_create(&thread, 0, function, argument);
  pthread_join(thread, 0);
}

static void say_texts(void) {
  char* const pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(pages + 4096, 4096);
  strcpy(pages + 4096 - 5, "edge");
  text(pages + 4096 - 5);
  memcpy(pages + 4096 - 5, "edges", 5); /* no end before the page's */
  text(pages + 4096 - 5);
  const char* const all[] = {"plain", "", "tab\tnew\nline\r", "\x1b[0m", "\x7f", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "\xc1\x81", "\xf5\x80\x80\x80", "\x80", "\xc3(", "\xe2\x82("};
  for (unsigned i = 0; i < sizeof all / sizeof all[0]; ++i) text(all[i]);
  text(0);
  text((const char*)~0ul);
}

static void read_all(const char* other) {
  char bytes[64];
  struct iovec vector[3] = {{bytes, 3}, {bytes + 3, 0}, {bytes + 3, 5}};
  if (read(0, bytes, 4) != 4 || readv(0, vector, 3) != 8 || pread(0, bytes, 6, 2) != 6 || preadv(0, vector, 3, 1) != 8) _exit(1);
  void* volatile nowhere = (void*)8;
  if (read(0, nowhere, 4) != -1 || readv(0, nowhere, 2) != -1) _exit(2);
  const int file = open(other, O_RDONLY);
  if (read(file, bytes, 16) != 16 || readv(file, vector, 3) != 8) _exit(3);
  if (fork() == 0) {
    if (read(0, bytes, 5) != 5) _exit(4);
    _exit(0);
  }
  wait(0);
  if (read(0, bytes, 2) != 2) _exit(5);
}

int main(int argc, char** argv) {
  const char* const way = argc > 1 ? argv[1] : "";
  if (strcmp(way, "spin") == 0) {
    int sum = 0;
    for (int i = 0; i < atoi(argv[2]); ++i) sum = spun(sum);
    return sum == atoi(argv[2]) ? 0 : 1;
  }
  if (strcmp(way, "many") == 0) many(1, -2, 3, 4, 5, 6, -7, 8);
  if (strcmp(way, "ranged") == 0) {
    for (int n = -3; n <= 3; ++n) ranged(n);
  }
  if (strcmp(way, "texts") == 0) say_texts();
  if (strcmp(way, "long") == 0) {
    char* letters[6];
    for (int i = 0; i < 6; ++i) letters[i] = memset(calloc(20001, 1), 'a' + i, 20000);
    for (int i = 0; i < 9; ++i) texts(letters[0], letters[1], letters[2], letters[3], letters[4], letters[5]);
  }
  if (strcmp(way, "jump") == 0) return first(3) == 5 && second(1) == 3 ? 0 : 1;
  if (strcmp(way, "stack") == 0) {
    char stack[65536]; /* above the stack of the thread */
    run(signalled, stack);
  }
  if (strcmp(way, "leave") == 0) {
    run(leaver, 0);
    run(follower, 0);
  }
  if (strcmp(way, "trap") == 0) __builtin_trap();
  if (strcmp(way, "read") == 0) read_all(argv[2]);
  if (strcmp(way, "stay") == 0) {
    execl("/nonexistent/program", "program", (char*)0);
    after_failed();
    write(1, "ready\n", 6);
    for (;;) pause();
  }
  if (strcmp(way, "generations") == 0) {
    ranged(1);
    if (fork() == 0) {
      ranged(2);
      if (fork() == 0) {
        ranged(3);
        spun(1);
        _exit(0);
      }
      wait(0);
      execl(argv[0], argv[0], "ranged", (char*)0);
    }
    wait(0);
  }
  return 0;
}
