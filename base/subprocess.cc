// Runs a program to its end and collects what it prints, without a thread of its own: one poll waits for both pipes,
// for the end of the program, for the deadline and for a cancellation.
//
// The input is a file in memory rather than a pipe. With a pipe, a program that prints before it has read everything,
// or that never reads, would block one of the two sides. After the end of the program each pipe is read once more and
// not until its end: a process that the program left behind may keep it open for ever.
#include "base/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/descriptor.h"
#include "base/spawn.h"

namespace oscope {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPipeBytes = 65536;

// How late a cancellation may be noticed whose signal woke another thread.
constexpr std::chrono::milliseconds kCancelPoll{100};

// What the program prints comes in at our end without blocking us.
Result<Pipe> MakeOutputPipe(const std::string& program) {
  OSCOPE_ASSIGN_OR_RETURN(Pipe pipe, MakePipe(program));
  ::fcntl(pipe.read_end.get(), F_SETFL, O_NONBLOCK);
  ::fcntl(pipe.read_end.get(), F_SETPIPE_SZ, kPipeBytes);
  return pipe;
}

// A file in memory rather than a pipe: the child may read it when it likes, or never, and nobody blocks or gets
// SIGPIPE.
Result<Descriptor> InputOf(const SubprocessOptions& options) {
  const std::string& program = options.argv.front();
  if (!options.input) {
    Descriptor nothing = Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)).AboveStandardStreams();
    if (!nothing.is_open()) return IoError(errno, "run", program);
    return nothing;
  }
  Descriptor memory = Descriptor(::memfd_create("stdin", MFD_CLOEXEC)).AboveStandardStreams();
  if (!memory.is_open()) return IoError(errno, "run", program);
  for (std::string_view rest = *options.input; !rest.empty();) {
    const ssize_t written = ::write(memory.get(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return IoError(errno, "run", program);
    rest.remove_prefix(static_cast<size_t>(written));
  }
  ::lseek(memory.get(), 0, SEEK_SET);
  return memory;
}

Result<pid_t> SpawnWith(const SubprocessOptions& options, int in, int out, int err) {
  const std::string& directory = options.working_directory;
  if (!directory.empty()) {
    struct stat facts{};
    if (::stat(directory.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode)) {
      return NotFound("run {}: no directory {}", options.argv.front(), directory);
    }
  }
  SpawnRequest request;
  request.argv = options.argv;
  request.environment = options.environment;
  request.working_directory = directory;
  request.in = in;
  request.out = out;
  request.err = err;
  request.only_standard_streams = true;
  request.own_group = true;
  request.usual_signals = true;
  return Spawn(request);
}

// The child: killed with its group and reaped, whichever way we leave.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid), handle_(OpenProcess(pid)) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (pid_ < 0) return;
    KillGroup();
    Reap();
  }

  int handle() const { return handle_.get(); }  // readable when the child has ended
  void KillGroup() const { ::kill(-pid_, SIGKILL); }

  int Reap() { return WaitForExit(std::exchange(pid_, -1)); }

 private:
  pid_t pid_;
  Descriptor handle_;
};

// Takes what is there now, a whole pipe at most, so that an endless writer cannot keep us from the clock. Closes the
// pipe at its end.
void Drain(Descriptor& pipe, size_t limit, std::string& text, bool& truncated) {
  if (!pipe.is_open()) return;
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
  OSCOPE_ASSIGN_OR_RETURN(Pipe out, MakeOutputPipe(program));
  OSCOPE_ASSIGN_OR_RETURN(Pipe err, MakeOutputPipe(program));
  OSCOPE_ASSIGN_OR_RETURN(const pid_t pid, SpawnWith(options, input.get(), out.write_end.get(),
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
