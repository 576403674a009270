// Adds the numbers of standard input with a stack: digits push, `+` adds the upper two. An addition without two numbers
// follows a null pointer. The second of the two programs whose runs are in the golden store.
#include <stdio.h>
#include <stdlib.h>

struct cell {
  long number;
  struct cell* below;
};

static struct cell* top;

static void push(long number) {
  struct cell* cell = malloc(sizeof *cell);
  if (cell == NULL) exit(2);
  cell->number = number;
  cell->below = top;
  top = cell;
}

static long pop(void) {
  struct cell* cell = top;
  const long number = cell->number;
  top = cell->below;
  free(cell);
  return number;
}

static void add(void) {
  const long right = pop();
  push(pop() + right);
}

int main(void) {
  for (int letter = getchar(); letter != EOF; letter = getchar()) {
    if (letter >= '0' && letter <= '9') push(letter - '0');
    if (letter == '+') add();
  }
  printf("%ld\n", pop());
  return 0;
}
