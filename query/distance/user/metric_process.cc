// Talks to a child that may do anything: answer late, too much or never, or end at any moment.
//
// Both pipes are nonblocking and polled together, because a child that answers before it has read everything would
// otherwise deadlock with us. Every wait has a deadline and asks the token ten times a second. An answer without a
// question would be taken for the next one, so each question first looks whether something has come already; that is an
// error. The child is the leader of a process group, and killing the group also ends what it started.
//
// A write to a child that has ended raises SIGPIPE. A library must not change the handlers of the process that uses it;
// so the signal is blocked for this thread around each write, and taken back if it came.
#include "query/distance/user/metric_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/spawn.h"
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

std::string HowItEnded(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  return fmt::format("ended with exit code {}", WEXITSTATUS(status));
}

}  // namespace

Result<MetricProcess> MetricProcess::Start(const std::vector<std::string>& argv, CancelToken cancel) {
  OSCOPE_CHECK(!argv.empty());
  OSCOPE_ASSIGN_OR_RETURN(Pipe in, MakePipe(argv.front()));
  OSCOPE_ASSIGN_OR_RETURN(Pipe out, MakePipe(argv.front()));
  const Descriptor nowhere = Descriptor(::open("/dev/null", O_WRONLY | O_CLOEXEC)).AboveStandardStreams();
  if (!nowhere.is_open()) return IoError(errno, "run", argv.front());
  SpawnRequest request;
  request.argv = argv;
  request.in = in.read_end.get();
  request.out = out.write_end.get();
  request.err = nowhere.get();
  request.only_standard_streams = true;
  request.own_group = true;
  request.usual_signals = true;
  OSCOPE_ASSIGN_OR_RETURN(const pid_t pid, Spawn(request));
  ::fcntl(in.write_end.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(out.read_end.get(), F_SETFL, O_NONBLOCK);
  return MetricProcess(pid, std::move(in.write_end), std::move(out.read_end), std::move(cancel));
}

MetricProcess::MetricProcess(MetricProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      in_(std::move(other.in_)),
      out_(std::move(other.out_)),
      cancel_(std::move(other.cancel_)),
      asked_(other.asked_),
      buffer_(std::move(other.buffer_)) {}

MetricProcess::~MetricProcess() {
  // It sees the end of its input before it is killed.
  in_.Close();
  out_.Close();
  if (pid_ < 0) return;
  ::kill(-pid_, SIGKILL);
  WaitForExit(pid_);
}

// The program has closed its output: how did it end?
Error MetricProcess::Ended() {
  const Descriptor handle = OpenProcess(pid_);
  pollfd waited = {handle.get(), POLLIN, 0};
  const bool ended = handle.is_open() && ::poll(&waited, 1, kGraceMilliseconds) == 1;
  if (!ended) return Invalid("closed its output before it answered");
  ::kill(-pid_, SIGKILL);  // what it started
  return Invalid("{} before it answered", HowItEnded(WaitForExit(std::exchange(pid_, -1))));
}

Status MetricProcess::WriteSome(std::string_view& rest) {
  const WithoutSigpipe guard;
  const ssize_t written = ::write(in_.get(), rest.data(), rest.size());
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
  const ssize_t count = ::read(out_.get(), bytes.data(), bytes.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return {};
  if (count < 0) return IoError(errno, "read from", "the metric");
  if (count == 0) return Ended();
  buffer_.append(bytes.data(), static_cast<size_t>(count));
  size_t begin = 0;
  for (size_t end = 0; (end = buffer_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    if (lines.size() == wanted) return Invalid("wrote more lines than it was asked for");
    if (end - begin > kMaxMetricAnswer) return Invalid("answered a line of more than {} bytes", kMaxMetricAnswer);
    lines.push_back(buffer_.substr(begin, end - begin));
  }
  buffer_.erase(0, begin);
  if (buffer_.size() > kMaxMetricAnswer) return Invalid("answered a line of more than {} bytes", kMaxMetricAnswer);
  if (lines.size() == wanted && !buffer_.empty()) return Invalid("wrote more lines than it was asked for");
  return {};
}

Result<std::vector<std::string>> MetricProcess::Ask(std::string_view lines, size_t answers,
                                                    std::chrono::milliseconds each,
                                                    std::optional<Clock::time_point> until) {
  std::vector<std::string> got;
  // What it says unasked would be taken for the next answer. Before the first question that is why it cannot work.
  pollfd unasked = {out_.get(), POLLIN, 0};
  if (std::exchange(asked_, true) && ::poll(&unasked, 1, 0) == 1) OSCOPE_RETURN_IF_ERROR(ReadSome(0, got));
  std::string_view rest = lines;
  auto patience = Clock::now() + each;
  while (got.size() < answers || !rest.empty()) {
    const auto deadline = until ? std::min(patience, *until) : patience;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) {
      if (until && *until <= patience) return Limit("the time limit for all pairs is over");
      return Limit("no answer within {} ms", each.count());
    }
    std::array<pollfd, 2> waited = {{{out_.get(), POLLIN, 0}, {rest.empty() ? -1 : in_.get(), POLLOUT, 0}}};
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
