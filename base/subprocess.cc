#include "base/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace oscope {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPipeBytes = 65536;

// How late a cancellation may be noticed whose signal woke another thread.
constexpr std::chrono::milliseconds kCancelPoll{100};

class Descriptor {
 public:
  Descriptor() = default;
  // Kept clear of 0 to 2, which the child's own standard streams will overwrite.
  explicit Descriptor(int fd) : fd_(fd) {
    if (fd < 0 || fd > STDERR_FILENO) return;
    fd_ = ::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    ::close(fd);
  }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() { Close(); }

  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void Close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_ = -1;
};

struct Pipe {
  Descriptor read_end;
  Descriptor write_end;
};

Result<Pipe> MakePipe(const std::string& program) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return IoError(errno, "run", program);
  Pipe pipe{Descriptor(ends[0]), Descriptor(ends[1])};
  ::fcntl(pipe.read_end.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(pipe.read_end.get(), F_SETPIPE_SZ, kPipeBytes);
  return pipe;
}

// A file in memory rather than a pipe: the child may read it when it likes, or never, and nobody blocks or gets
// SIGPIPE.
Result<Descriptor> InputOf(const SubprocessOptions& options) {
  const std::string& program = options.argv.front();
  if (!options.input) {
    Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!nothing.open()) return IoError(errno, "run", program);
    return nothing;
  }
  Descriptor memory(::memfd_create("stdin", MFD_CLOEXEC));
  if (!memory.open()) return IoError(errno, "run", program);
  for (std::string_view rest = *options.input; !rest.empty();) {
    const ssize_t written = ::write(memory.get(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return IoError(errno, "run", program);
    rest.remove_prefix(static_cast<size_t>(written));
  }
  ::lseek(memory.get(), 0, SEEK_SET);
  return memory;
}

struct SpawnPlan {
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    // A handler is reset by exec, an ignored or blocked signal is not.
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes, &signals);
    for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) sigaddset(&signals, number);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

Result<pid_t> Spawn(const SubprocessOptions& options, int in, int out, int err) {
  SpawnPlan plan;
  const std::string& directory = options.working_directory;
  if (!directory.empty()) {
    struct stat facts{};
    if (::stat(directory.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode)) {
      return NotFound("run {}: no directory {}", options.argv.front(), directory);
    }
    posix_spawn_file_actions_addchdir_np(&plan.actions, directory.c_str());
  }
  posix_spawn_file_actions_adddup2(&plan.actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&plan.actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&plan.actions, err, STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&plan.actions, STDERR_FILENO + 1);

  std::vector<char*> argv = Pointers(options.argv), environment;
  if (options.environment) environment = Pointers(*options.environment);
  pid_t pid = -1;
  const int reason = ::posix_spawnp(&pid, argv[0], &plan.actions, &plan.attributes, argv.data(),
                                    options.environment ? environment.data() : environ);
  if (reason == 0) return pid;
  Error error = IoError(reason, "run", options.argv.front());
  if (reason == ENOENT) error.code = ErrorCode::kNotFound;
  return error;
}

// The child: killed with its group and reaped, whichever way we leave.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid), handle_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ < 0) return;
    KillGroup();
    Reap();
  }

  int handle() const { return handle_.get(); }  // readable when the child has ended
  void KillGroup() const { ::kill(-pid_, SIGKILL); }

  int Reap() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    return status;
  }

 private:
  pid_t pid_;
  Descriptor handle_;
};

// Takes what is there now, a whole pipe at most, so that an endless writer cannot keep us from the clock. Closes the
// pipe at its end.
void Drain(Descriptor& pipe, size_t limit, std::string& text, bool& truncated) {
  if (!pipe.open()) return;
  std::array<char, kPipeBytes> buffer;
  const ssize_t count = ::read(pipe.get(), buffer.data(), buffer.size());
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (count <= 0) {
    pipe.Close();
    return;
  }
  const size_t kept = std::min(static_cast<size_t>(count), limit - text.size());
  text.append(buffer.data(), kept);
  truncated = truncated || kept < static_cast<size_t>(count);
}

int PollMilliseconds(std::optional<Clock::time_point> deadline) {
  auto wait = kCancelPoll;
  if (deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now());
    wait = std::clamp(left, std::chrono::milliseconds(0), kCancelPoll);
  }
  return static_cast<int>(wait.count());
}

}  // namespace

Result<SubprocessOutput> RunSubprocess(const SubprocessOptions& options) {
  OSCOPE_CHECK(!options.argv.empty());
  const std::string& program = options.argv.front();
  OSCOPE_RETURN_IF_ERROR(options.cancel.Check());
  OSCOPE_ASSIGN_OR_RETURN(Descriptor input, InputOf(options));
  OSCOPE_ASSIGN_OR_RETURN(Pipe out, MakePipe(program));
  OSCOPE_ASSIGN_OR_RETURN(Pipe err, MakePipe(program));
  OSCOPE_ASSIGN_OR_RETURN(const pid_t pid, Spawn(options, input.get(), out.write_end.get(),
                                                 options.one_stream ? out.write_end.get() : err.write_end.get()));
  Child child(pid);
  if (child.handle() < 0) return IoError(errno, "watch", program);
  out.write_end.Close();
  err.write_end.Close();

  std::optional<Clock::time_point> deadline;
  if (options.timeout.count() > 0) deadline = Clock::now() + options.timeout;
  SubprocessOutput output;

  for (bool ended = false; !ended;) {
    std::array<pollfd, 3> waited = {
        {{child.handle(), POLLIN, 0}, {out.read_end.get(), POLLIN, 0}, {err.read_end.get(), POLLIN, 0}}};
    ::poll(waited.data(), waited.size(), PollMilliseconds(deadline));
    OSCOPE_RETURN_IF_ERROR(options.cancel.Check());
    // After the poll: when it tells of the end, the pipes hold all that the child wrote.
    Drain(out.read_end, options.max_output_bytes, output.out, output.truncated);
    Drain(err.read_end, options.max_output_bytes, output.err, output.truncated);
    ended = (waited[0].revents & POLLIN) != 0;
    if (!ended && deadline && Clock::now() >= *deadline) {
      output.timed_out = true;
      child.KillGroup();
      break;
    }
  }
  const int status = child.Reap();
  output.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  output.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

}  // namespace oscope
