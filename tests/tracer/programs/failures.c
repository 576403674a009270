/* usage: failures WAY: one way to end badly each. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int zero;
static volatile int seen;

void crash(int* p) { *p = 1; }
int divide(int n) { return n / zero; }
void give_up(void) { abort(); }
void check(int n) { assert(n == 77); }
void leave(int code) { exit(code); }
void on_signal(int number) { seen = number; }
int overflow(int n) {
  volatile char big[4096];
  big[0] = (char)n;
  return overflow(n + 1) + big[0];
}

static void* thread(void* argument) {
  divide((int)(long)argument);
  return 0;
}

int main(int argc, char** argv) {
  const char* const way = argc > 1 ? argv[1] : "";
  if (strcmp(way, "segv") == 0) crash(0);
  if (strcmp(way, "abort") == 0) give_up();
  if (strcmp(way, "assert") == 0) check(argc);
  if (strcmp(way, "overflow") == 0) overflow(0);
  /* vmovaps %zmm1, %zmm0, whether or not this processor has it */
  if (strcmp(way, "avx512") == 0) __asm__ volatile(".byte 0x62, 0xf1, 0x7c, 0x48, 0x28, 0xc1");
  if (strcmp(way, "suicide") == 0) kill(getpid(), SIGKILL);
  if (strcmp(way, "exit") == 0) leave(3);
  if (strcmp(way, "fine") == 0) leave(0);
  if (strcmp(way, "null") == 0) {
    void (*volatile call)(void) = 0;
    call();
  }
  if (strcmp(way, "divide") == 0) {
    pthread_t other;
    pthread_create(&other, 0, thread, (void*)5);
    pthread_join(other, 0);
  }
  if (strcmp(way, "handled") == 0) {
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    return seen == SIGUSR1 ? 0 : 1;
  }
  if (strcmp(way, "wait") == 0) {
    write(1, "ready\n", 6);
    zero = 1;
    for (int i = 0; i < 200000; ++i) divide(6); /* a few chunks, and no more than the ring holds */
    for (;;) pause();
  }
  return 0;
}
