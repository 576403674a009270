// The pager is a child that reads from a pipe which takes the place of standard output. Leaving it early is no error,
// so a write that fails afterwards only ends the printing (closed()). $PAGER is split at blanks and run without a
// shell.
#include "cli/output/pager.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <vector>

#include "base/spawn.h"

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

}  // namespace

void Pager::Start() {
  if (!wanted_) return;
  const std::vector<std::string> command = PagerCommand();
  if (command.empty()) return;
  // Short output needs no pager, and what was shown stays on the screen.
  setenv("LESS", "FRX", 0);
  const Result<Pipe> pipe = MakePipe(command.front());
  if (!pipe.ok()) return;
  std::fflush(stdout);
  SpawnRequest request;
  request.argv = command;
  request.in = pipe->read_end.get();
  const Result<pid_t> started = Spawn(request);
  if (!started.ok()) return;
  pid_ = *started;
  terminal_ = Descriptor(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  dup2(pipe->write_end.get(), STDOUT_FILENO);
  // Ctrl-C belongs to the pager now, and leaving it early is no failure.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

bool Pager::closed() const { return pid_ > 0 && std::ferror(stdout) != 0; }

Pager::~Pager() {
  if (pid_ <= 0) return;
  std::fflush(stdout);
  std::clearerr(stdout);
  dup2(terminal_.get(), STDOUT_FILENO);
  WaitForExit(pid_);
}

}  // namespace oscope::cli
