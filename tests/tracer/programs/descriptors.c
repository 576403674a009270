/* Writes to a file which of its low descriptors are open, how each can be used, and which one a file gets; a process that it forks without standard
 * input does the same. Ends as the second argument says. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void look(const char* path) {
  char text[400];
  int length = 0;
  for (int fd = 0; fd < 10; ++fd) {
    const int flags = fcntl(fd, F_GETFL);
    if (flags >= 0) length += snprintf(text + length, sizeof text - length, "%d opened as %d\n", fd, flags & O_ACCMODE);
  }
  for (int fd = 1; fd <= 2; ++fd)
    length += snprintf(text + length, sizeof text - length, "write to %d: %ld\n", fd, (long)write(fd, "words\n", 6));
  const int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  length += snprintf(text + length, sizeof text - length, "a file gets %d\n", file);
  if (write(file, text, length) != length) _exit(99);
  close(file);
}

int main(int argc, char** argv) {
  if (argc != 3) return 98;
  look(argv[1]);
  close(STDIN_FILENO);
  const pid_t child = fork();
  if (child == 0) {
    look(argv[1]);
    _exit(0);
  }
  if (waitpid(child, NULL, 0) != child) return 97;
  if (strcmp(argv[2], "abort") == 0) abort();
  return atoi(argv[2]);
}
