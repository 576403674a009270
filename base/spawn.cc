// Starts programs with posix_spawn. fork would be more flexible and wrong here: between fork and exec a child of a
// program with threads may only call functions that are safe in a signal handler, and copying the page tables of a
// large process takes longer than starting the program. What a child must do before it becomes the program (streams,
// directory, group, signals) is therefore a plan that the C library carries out.
#include "base/spawn.h"

#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace oscope {
namespace {

// What the child does before it becomes the program.
class Plan {
 public:
  explicit Plan(const SpawnRequest& request) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    SetAttributes(request);
    if (!request.working_directory.empty())
      posix_spawn_file_actions_addchdir_np(&actions_, request.working_directory.c_str());
    if (request.in >= 0) posix_spawn_file_actions_adddup2(&actions_, request.in, STDIN_FILENO);
    if (request.out >= 0) posix_spawn_file_actions_adddup2(&actions_, request.out, STDOUT_FILENO);
    if (request.err >= 0) posix_spawn_file_actions_adddup2(&actions_, request.err, STDERR_FILENO);
    if (request.only_standard_streams) posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  ~Plan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  // A handler is reset by exec, an ignored or blocked signal is not.
  void SetAttributes(const SpawnRequest& request) {
    short flags = POSIX_SPAWN_SETSIGMASK;
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    if (request.usual_signals) {
      for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) sigaddset(&signals, number);
      posix_spawnattr_setsigdefault(&attributes_, &signals);
      flags |= POSIX_SPAWN_SETSIGDEF;
    }
    if (request.own_group) {
      posix_spawnattr_setpgroup(&attributes_, 0);
      flags |= POSIX_SPAWN_SETPGROUP;
    }
    posix_spawnattr_setflags(&attributes_, flags);
  }

  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Result<pid_t> Spawn(const SpawnRequest& request) {
  OSCOPE_CHECK(!request.argv.empty());
  const Plan plan(request);
  const std::vector<char*> argv = Pointers(request.argv);
  std::vector<char*> own_environment;
  if (request.environment) own_environment = Pointers(*request.environment);
  char* const* const environment = request.environment ? own_environment.data() : environ;
  const std::string& program = request.program.empty() ? request.argv.front() : request.program;
  pid_t pid = -1;
  const auto start = request.program.empty() ? posix_spawnp : posix_spawn;
  const int reason = start(&pid, program.c_str(), plan.actions(), plan.attributes(), argv.data(), environment);
  if (reason == 0) return pid;
  Error error = IoError(reason, "run", program);
  if (reason == ENOENT) error.code = ErrorCode::kNotFound;
  return error;
}

Descriptor OpenProcess(pid_t pid) { return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))); }

int WaitForExit(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace oscope
