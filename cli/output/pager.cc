#include "cli/output/pager.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <vector>

extern char** environ;

namespace oscope::cli {
namespace {

// $PAGER split at blanks: no shell reads it.
std::vector<std::string> PagerCommand() {
  const char* variable = std::getenv("PAGER");
  std::istringstream words(variable == nullptr ? "less -R" : variable);
  std::vector<std::string> command;
  for (std::string word; words >> word;) command.push_back(word);
  if (command.size() == 1 && command[0] == "cat") command.clear();
  return command;
}

pid_t Spawn(const std::vector<std::string>& command, int input) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  pid_t pid = -1;
  if (posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ) != 0) pid = -1;
  posix_spawn_file_actions_destroy(&actions);
  return pid;
}

}  // namespace

void Pager::Start() {
  if (!wanted_) return;
  const std::vector<std::string> command = PagerCommand();
  if (command.empty()) return;
  // Short output needs no pager, and what was shown stays on the screen.
  setenv("LESS", "FRX", 0);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return;
  std::fflush(stdout);
  pid_ = Spawn(command, ends[0]);
  close(ends[0]);
  if (pid_ > 0) {
    terminal_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    dup2(ends[1], STDOUT_FILENO);
    // Ctrl-C belongs to the pager now, and leaving it early is no failure.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGPIPE, SIG_IGN);
  }
  close(ends[1]);
}

bool Pager::closed() const { return pid_ > 0 && std::ferror(stdout) != 0; }

Pager::~Pager() {
  if (pid_ <= 0) return;
  std::fflush(stdout);
  std::clearerr(stdout);
  dup2(terminal_, STDOUT_FILENO);
  close(terminal_);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace oscope::cli
