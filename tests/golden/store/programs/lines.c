// Reads lines `key=value` from the file that is named, and asserts that each has its sign. The first of the two programs
// whose runs are in the golden store; the other one has a `main`, too.
#include <assert.h>
#include <stdio.h>
#include <string.h>

static int entries;

static char* find_sign(char* line) { return strchr(line, '='); }

static void add_entry(const char* key, const char* value) {
  if (*key != '\0' && value != NULL) ++entries;
}

static void read_line(char* line) {
  char* sign = find_sign(line);
  assert(sign != NULL);
  *sign = '\0';
  add_entry(line, sign + 1);
}

static void read_lines(FILE* file) {
  char line[80];
  while (fgets(line, sizeof line, file) != NULL) read_line(line);
}

int main(int argc, char** argv) {
  FILE* file = argc > 1 ? fopen(argv[1], "r") : stdin;
  if (file == NULL) return 2;
  read_lines(file);
  printf("%d entries\n", entries);
  return fclose(file) == 0 ? 0 : 2;
}
