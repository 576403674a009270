/* At -O2 the compiler moves what is unlikely out of `maybe`, under a symbol of its own that is only jumped to. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((cold, noinline)) void report(int n) { fprintf(stderr, "%d\n", n); }

__attribute__((noinline)) int maybe(int n, volatile int* p) {
  if (__builtin_expect(n > 3, 0)) {
    report(n);
    *p += n;
    report(*p);
    return *p * 3;
  }
  return *p + n;
}

int main(int argc, char** argv) {
  volatile int sum = argc;
  for (int i = 0; i < 6; ++i) sum = maybe(i, &sum);
  (void)argv;
  return sum == 0;
}
