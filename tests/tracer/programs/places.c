/* usage: places WAY: failures at the first instruction of a line, and in calls from which nothing returns to the same line or function. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static volatile int sink;
static char* volatile nowhere;
static volatile size_t some = 16;

void step(void) { ++sink; }

void crash(void) {
  step();
  __asm__ volatile("movl $1, 0"); /* HERE crash: one instruction, the first of its line */
  step();
}
void give_up(void) {
  step();
  abort(); /* HERE abort: the next instruction is another function's */
}
void leave(void) {
  step();
  exit(3); /* HERE exit */
}
void check(void) {
  step();
  assert(sink == 4711); /* HERE assert */
  step();
}
void in_a_library(void) {
  step();
  memset(nowhere, 0, some); /* HERE library: it returns to the first instruction of the next line */
  step();
}

int main(int argc, char** argv) {
  const char* const way = argc > 1 ? argv[1] : "";
  if (!strcmp(way, "crash")) crash();
  if (!strcmp(way, "abort")) give_up();
  if (!strcmp(way, "exit")) leave();
  if (!strcmp(way, "assert")) check();
  if (!strcmp(way, "library")) in_a_library();
  return 0;
}
