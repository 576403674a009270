/* usage: careless: does to its process what a program may do, and prints what it sees. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

extern char** environ;

int busy(int n) { return n + 1; }

int main(int argc, char** argv) {
  const char* const way = argc > 1 ? argv[1] : "";
  if (strcmp(way, "env") == 0) {
    for (char** variable = environ; *variable; ++variable) puts(*variable);
    printf("preload: %s\n", getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "-");
  }
  if (strcmp(way, "close") == 0) {
    for (int fd = 3; fd < 70000; ++fd) close(fd);
    /* The lowest that is free is the first one that a program gets. */
    printf("%d\n", dup(1));
  }
  if (strcmp(way, "move") == 0 && (chdir("/") != 0 || umask(0777) == 0777)) return 1;
  if (strcmp(way, "limit") == 0) {
    const struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_FSIZE, &none) != 0) return 1;
  }
  if (strcmp(way, "stdin") == 0) {
    char line[64];
    while (fgets(line, sizeof line, stdin)) fputs(line, stdout);
  }
  int sum = 0;
  for (int i = 0; i < 200000; ++i) sum = busy(sum);
  printf("%d\n", sum);
  return 5;
}
