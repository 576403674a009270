// Crashes in one of four ways, two calls below main: a null pointer that is read, one that the C library reads, a failed
// assertion, a recursion without end. Its frames are large, so that the stack overflows after a few of them.
#include <assert.h>
#include <stdio.h>
#include <string.h>

struct node {
  struct node *next;
  const char *text;
};

static size_t descend(struct node *node, size_t depth) {
  volatile char frame[1 << 20];
  frame[0] = node->text[0];
  return descend(node, depth + 1) + (size_t)frame[0];
}

static size_t measure(struct node *node, char way) {
  if (way == 's') return descend(node, 0);
  if (way == 'a') assert(node != NULL);
  if (way == 'l') return strlen(node == NULL ? NULL : node->text);
  return (size_t)node->text[0];
}

static size_t sum(struct node *node, char way) {
  size_t total = 0;
  for (int i = 0; i < 3; ++i) {
    total += measure(node, way);
    node = node->next;
  }
  return total;
}

int main(int count, char **words) {
  struct node last = {NULL, "two"}, first = {&last, "one"};
  printf("%zu\n", sum(&first, count > 1 ? words[1][0] : 'p'));
  return 0;
}
