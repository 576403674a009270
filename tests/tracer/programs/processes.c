/* usage: processes fork | exec PROGRAM | forks COUNT | fail-exec */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void before_fork(void) {}
void in_child(void) {}
void in_parent(void) {}
void before_exec(void) {}
void after_failed_exec(void) {}

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "";
  if (strcmp(how, "fork") == 0) {
    before_fork();
    const pid_t child = fork();
    if (child == 0) {
      in_child();
      before_fork();
      _exit(3);
    }
    int status;
    waitpid(child, &status, 0);
    in_parent();
    return WEXITSTATUS(status);
  }
  if (strcmp(how, "forks") == 0) {
    for (int i = 0; i < atoi(argv[2]); ++i) {
      if (fork() == 0) {
        for (int k = 0; k < 1000; ++k) in_child();
        _exit(0);
      }
      wait(0);
    }
    in_parent();
    return 0;
  }
  before_exec();
  if (strcmp(how, "exec") == 0) execl(argv[2], argv[2], (char*)0);
  execl("/nonexistent/program", "program", (char*)0);
  after_failed_exec();
  return 9;
}
