// Crashes in one of three ways, two calls below main: a null pointer that is read, one that the C library reads, a failed
// assertion.
#include <assert.h>
#include <stdio.h>
#include <string.h>

struct node {
  struct node *next;
  const char *text;
};

static size_t measure(struct node *node, char way) {
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
