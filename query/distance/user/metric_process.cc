#include "query/distance/user/metric_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "query/distance/user/metric_protocol.h"

namespace oscope {
namespace {

constexpr std::chrono::milliseconds kCancelPoll{100};
constexpr int kGraceMilliseconds = 1000;  // for a program that closed its output to end by itself
constexpr size_t kReadBytes = 65536;

// A write to a program that has ended must fail, not raise a signal in our process.
class WithoutSigpipe {
 public:
  WithoutSigpipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  WithoutSigpipe(const WithoutSigpipe&) = delete;
  WithoutSigpipe& operator=(const WithoutSigpipe&) = delete;
  ~WithoutSigpipe() {
    const timespec now{0, 0};
    if (!was_pending_) {
      while (sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_{}, before_{};
  bool was_pending_ = false;
};

struct Pipe {
  int read_end = -1, write_end = -1;
};

Result<Pipe> MakePipe(const std::string& program) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return IoError(errno, "run", program);
  // Clear of 0 to 2, which the child's own streams will overwrite.
  for (int& end : ends) {
    if (end > STDERR_FILENO) continue;
    const int moved = ::fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    ::close(end);
    end = moved;
  }
  return Pipe{ends[0], ends[1]};
}

Result<pid_t> Spawn(const std::vector<std::string>& argv, int in, int out) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) sigaddset(&signals, number);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> arguments;
  for (const std::string& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_t pid = -1;
  const int reason = ::posix_spawnp(&pid, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (reason == 0) return pid;
  Error error = IoError(reason, "run", argv.front());
  if (reason == ENOENT) error.code = ErrorCode::kNotFound;
  return error;
}

std::string HowItEnded(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

}  // namespace

Result<MetricProcess> MetricProcess::Start(const std::vector<std::string>& argv, CancelToken cancel) {
  OSCOPE_CHECK(!argv.empty());
  OSCOPE_ASSIGN_OR_RETURN(const Pipe in, MakePipe(argv.front()));
  const auto out = MakePipe(argv.front());
  if (!out.ok()) {
    ::close(in.read_end);
    ::close(in.write_end);
    return out.error();
  }
  const auto pid = Spawn(argv, in.read_end, out->write_end);
  ::close(in.read_end);
  ::close(out->write_end);
  if (!pid.ok()) {
    ::close(in.write_end);
    ::close(out->read_end);
    return pid.error();
  }
  ::fcntl(in.write_end, F_SETFL, O_NONBLOCK);
  ::fcntl(out->read_end, F_SETFL, O_NONBLOCK);
  return MetricProcess(*pid, in.write_end, out->read_end, std::move(cancel));
}

MetricProcess::MetricProcess(MetricProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      in_(std::exchange(other.in_, -1)),
      out_(std::exchange(other.out_, -1)),
      cancel_(std::move(other.cancel_)),
      asked_(other.asked_),
      buffer_(std::move(other.buffer_)) {}

MetricProcess::~MetricProcess() {
  if (in_ >= 0) ::close(in_);
  if (out_ >= 0) ::close(out_);
  if (pid_ < 0) return;
  ::kill(-pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

// The program has closed its output: how did it end?
Error MetricProcess::Ended() {
  const auto handle = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
  pollfd waited = {handle, POLLIN, 0};
  const bool ended = handle >= 0 && ::poll(&waited, 1, kGraceMilliseconds) == 1;
  if (handle >= 0) ::close(handle);
  if (!ended) return Invalid("closed its output before it answered");
  int status = 0;
  ::kill(-pid_, SIGKILL);  // what it started
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return Invalid("{} before it answered", HowItEnded(status));
}

Status MetricProcess::WriteSome(std::string_view& rest) {
  const WithoutSigpipe guard;
  const ssize_t written = ::write(in_, rest.data(), rest.size());
  if (written >= 0) {
    rest.remove_prefix(static_cast<size_t>(written));
  } else if (errno == EPIPE) {
    rest = {};  // it reads no more; what it answers, or how it ended, comes from the other pipe
  } else if (errno != EAGAIN && errno != EINTR) {
    return IoError(errno, "write to", "the metric");
  }
  return {};
}

Status MetricProcess::ReadSome(size_t wanted, std::vector<std::string>& lines) {
  std::array<char, kReadBytes> bytes;
  const ssize_t count = ::read(out_, bytes.data(), bytes.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return {};
  if (count < 0) return IoError(errno, "read from", "the metric");
  if (count == 0) return Ended();
  buffer_.append(bytes.data(), static_cast<size_t>(count));
  size_t begin = 0;
  for (size_t end = 0; (end = buffer_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    if (lines.size() == wanted) return Invalid("answered more than it was asked");
    if (end - begin > kMaxMetricAnswer) return Invalid("answered a line of more than {} bytes", kMaxMetricAnswer);
    lines.push_back(buffer_.substr(begin, end - begin));
  }
  buffer_.erase(0, begin);
  if (buffer_.size() > kMaxMetricAnswer) return Invalid("answered a line of more than {} bytes", kMaxMetricAnswer);
  if (lines.size() == wanted && !buffer_.empty()) return Invalid("answered more than it was asked");
  return {};
}

Result<std::vector<std::string>> MetricProcess::Ask(std::string_view lines, size_t answers,
                                                    std::chrono::milliseconds each,
                                                    std::optional<Clock::time_point> until) {
  std::vector<std::string> got;
  // What it says unasked would be taken for the next answer. Before the first question that is why it cannot work.
  pollfd unasked = {out_, POLLIN, 0};
  if (std::exchange(asked_, true) && ::poll(&unasked, 1, 0) == 1) OSCOPE_RETURN_IF_ERROR(ReadSome(0, got));
  std::string_view rest = lines;
  auto patience = Clock::now() + each;
  while (got.size() < answers || !rest.empty()) {
    const auto deadline = until ? std::min(patience, *until) : patience;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) {
      if (until && *until <= patience) return Limit("the time for all pairs is over");
      return Limit("no answer within {} ms", each.count());
    }
    std::array<pollfd, 2> waited = {{{out_, POLLIN, 0}, {rest.empty() ? -1 : in_, POLLOUT, 0}}};
    ::poll(waited.data(), waited.size(), static_cast<int>(std::min(left, kCancelPoll).count()));
    OSCOPE_RETURN_IF_ERROR(cancel_.Check());
    if (waited[1].revents != 0) OSCOPE_RETURN_IF_ERROR(WriteSome(rest));
    if (waited[0].revents == 0) continue;
    const size_t before = got.size();
    OSCOPE_RETURN_IF_ERROR(ReadSome(answers, got));
    if (got.size() > before) patience = Clock::now() + each;
  }
  return got;
}

}  // namespace oscope
