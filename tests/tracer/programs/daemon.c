/* Leaves a process behind, which executes another program later. */
#include <unistd.h>
static volatile int sink;
void beat(void) { ++sink; }
int main(int argc, char** argv) {
  int ready[2];
  char c;
  if (argc > 1) { beat(); return 0; }
  if (pipe(ready)) return 9;
  if (fork() != 0) return read(ready[0], &c, 1) == 1 ? 1 : 9;
  close(1); close(2);
  beat();
  if (write(ready[1], "r", 1) != 1) return 9;
  for (int i = 0; i < 200; i++) { beat(); usleep(10000); }
  return execl(argv[0], argv[0], "again", (char*)0);
}
