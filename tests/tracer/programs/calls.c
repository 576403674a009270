/* Entries in a known order and number, branches with known outcomes, statements on known lines. */
#include <stdio.h>

int leaf(int n) { return n + 1; }

int classify(int n) {
  int kind = 0;
  if (n > 10) {
    kind = 1;
  }
  return kind;
}

int inner(int n) {
  int sum = leaf(n);
  sum += leaf(sum);
  return sum;
}

int outer(int rounds) {
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    sum += inner(i);
  }
  return sum;
}

int main(void) {
  int total = outer(3);
  total += classify(5);
  total += classify(50);
  total += classify(6);
  printf("%d\n", total);
  return 7;
}
