// Starts a program under a recorder, waits for its end, and stays out of its way.
//
// The program runs in our process group with our terminal, so that Ctrl-C and job control work as if it had been
// started alone. The price is that we receive the terminal's signals as well, and must not end before the program does.
// SignalGuard therefore replaces our handlers while it runs: a signal that the terminal sent reached the program
// already, one that somebody sent only to us is passed on. A process group of its own for the program would be simpler,
// but then it could not read from the terminal.
//
// Ending a program after its time limit means ending all of its processes. They are not found by process group either,
// since a daemon leaves it, but by the list of process ids that the recorder keeps in the recording's directory. Each
// gets SIGTERM and a time of grace, then SIGKILL; this is repeated a few times because a process may start another one
// in between. Waiting is done with pidfds, which cannot be confused by a process id that is used again.
//
// What is left out: without a recorder (LaunchPlain) nothing is known of the program's children, so that only the
// program itself is ended.
#include "tracer/record/launch.h"

#include <fcntl.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "base/descriptor.h"
#include "base/file_system.h"
#include "base/log.h"
#include "base/spawn.h"
#include "tracer/raw/recording_directory.h"
#include "tracer/record/executable.h"
#include "tracer/record/secrets.h"

namespace oscope {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kStopPoll{100};  // how late a stop may be noticed whose signal woke another thread
constexpr int kMostRounds = 10;         // in which what is left is killed

// Tells which of the program's processes run, besides the program itself.
using Others = std::function<std::vector<uint32_t>()>;

// The program that signals are passed on to, while there is one.
std::atomic<pid_t> g_program = 0;

std::atomic<bool> g_stop_asked = false;

void NoteStop(int) { g_stop_asked.store(true, std::memory_order_relaxed); }

void PassOn(int number) {
  NoteStop(number);
  if (const pid_t program = g_program.load(std::memory_order_relaxed); program > 0) ::kill(program, number);
}

// A terminal sends its interrupts to the program as well; what somebody sent to us alone is passed on.
void PassOnIfSent(int number, siginfo_t* facts, void*) {
  if (number == SIGINT) NoteStop(number);
  const pid_t program = g_program.load(std::memory_order_relaxed);
  if (facts != nullptr && facts->si_code != SI_KERNEL && program > 0) ::kill(program, number);
}

// While a program runs: interrupts of the terminal are its own, ends are passed on.
class SignalGuard {
 public:
  explicit SignalGuard(pid_t program) {
    g_program = program;
    g_stop_asked = false;
    struct sigaction action{};
    action.sa_flags = SA_RESTART | SA_SIGINFO;
    action.sa_sigaction = PassOnIfSent;
    for (const int number : {SIGINT, SIGQUIT}) Set(number, action);
    action.sa_flags = SA_RESTART;
    action.sa_handler = PassOn;
    for (const int number : {SIGTERM, SIGHUP}) Set(number, action);
  }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;
  ~SignalGuard() {
    for (size_t i = 0; i < count_; ++i) ::sigaction(old_[i].first, &old_[i].second, nullptr);
    g_program = 0;
  }

 private:
  void Set(int number, const struct sigaction& action) {
    old_[count_].first = number;
    ::sigaction(number, &action, &old_[count_].second);
    ++count_;
  }

  std::array<std::pair<int, struct sigaction>, 4> old_{};
  size_t count_ = 0;
};

std::string VariableOf(const std::vector<std::string>& environment, std::string_view name) {
  for (const std::string& entry : environment) {
    if (entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=')
      return entry.substr(name.size() + 1);
  }
  return {};
}

std::vector<std::string> EnvironmentOf(const LaunchRequest& request) {
  if (request.environment) return *request.environment;
  std::vector<std::string> entries;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) entries.emplace_back(*entry);
  return entries;
}

// With the streams and the directory that are asked for, and the signals that we were started with: our own handlers
// are reset by exec.
Result<pid_t> Start(const LaunchRequest& request, const std::vector<std::string>& argv, const std::string& path,
                    const std::vector<std::string>& environment) {
  SpawnRequest spawn;
  spawn.argv = argv;
  spawn.program = path;
  spawn.environment = environment;
  spawn.working_directory = request.working_directory;
  Descriptor in, out;
  if (request.no_input) {
    in = Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC)).AboveStandardStreams();
    if (!in.is_open()) return IoError(errno, "run", path);
    spawn.in = in.get();
  }
  if (!request.output_file.empty()) {
    out = Descriptor(::open(request.output_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600))
              .AboveStandardStreams();
    if (!out.is_open()) return IoError(errno, "run", path);
    spawn.out = spawn.err = out.get();
  }
  LogInfo("run: {}{}{}", fmt::join(MaskSecrets(argv), " "), request.working_directory.empty() ? "" : " in ",
          request.working_directory);
  return Spawn(spawn);
}

// Waits for the program until a deadline; false when that has come first.
bool WaitUntil(int handle, std::optional<Clock::time_point> deadline) {
  for (;;) {
    int wait_ms = -1;
    if (deadline) {
      const auto left = std::chrono::ceil<milliseconds>(*deadline - Clock::now());
      wait_ms = static_cast<int>(std::clamp<int64_t>(left.count(), 0, 60'000));
    }
    pollfd waited{handle, POLLIN, 0};
    if (::poll(&waited, 1, wait_ms) > 0) return true;
    if (wait_ms == 0) return false;
  }
}

// Sends them a signal and waits until each has ended, or the time is over.
void EndEach(const std::vector<uint32_t>& processes, int number, milliseconds grace) {
  std::vector<Descriptor> handles;
  for (const uint32_t pid : processes) {
    if (Descriptor handle = OpenProcess(static_cast<pid_t>(pid)); handle.is_open())
      handles.push_back(std::move(handle));
  }
  for (const Descriptor& handle : handles) ::syscall(SYS_pidfd_send_signal, handle.get(), number, nullptr, 0);
  const Clock::time_point deadline = Clock::now() + grace;
  for (const Descriptor& handle : handles) WaitUntil(handle.get(), deadline);
}

// First with SIGTERM; then with SIGKILL those that still run and those that were started meanwhile. Waits for each:
// what ends later than the program would be taken for a process that runs on.
void EndAll(const Others& all, milliseconds grace) {
  EndEach(all(), SIGTERM, grace);
  for (int round = 0; round < kMostRounds; ++round) {
    const std::vector<uint32_t> left = all();
    if (left.empty()) return;
    EndEach(left, SIGKILL, grace);
  }
}

bool StopAsked(const LaunchRequest& request) { return g_stop_asked || request.cancel.cancelled(); }

enum class Waited : uint8_t { kEnded, kTimeOut, kStop };

// Until the program has ended, or is to be ended.
Waited WaitForEnd(int handle, const LaunchRequest& request) {
  std::optional<Clock::time_point> time_out, stop;
  if (request.timeout.count() > 0) time_out = Clock::now() + request.timeout;
  for (;;) {
    std::optional<Clock::time_point> next = time_out;
    if (request.end_if_stopped) {
      if (!stop && StopAsked(request)) stop = Clock::now() + request.grace;
      const Clock::time_point look = std::min(Clock::now() + kStopPoll, stop.value_or(Clock::time_point::max()));
      next = std::min(look, time_out.value_or(look));
    }
    if (WaitUntil(handle, next)) return Waited::kEnded;
    if (stop && Clock::now() >= *stop) return Waited::kStop;
    if (time_out && Clock::now() >= *time_out) return Waited::kTimeOut;
  }
}

ProgramEnd WaitFor(pid_t pid, const LaunchRequest& request, const Others& others) {
  const SignalGuard guard(pid);
  // Whoever interrupted us just before it was there meant it as well.
  if (request.cancel.cancelled()) ::kill(pid, SIGINT);
  const Descriptor handle = OpenProcess(pid);
  ProgramEnd end;
  if (handle.is_open()) {
    const Waited waited = WaitForEnd(handle.get(), request);
    end.timed_out = waited == Waited::kTimeOut;
    const auto all = [&] {
      std::vector<uint32_t> family = others();
      // It is among them once its recorder is there, and a signal is sent to each once.
      std::erase(family, static_cast<uint32_t>(pid));
      if (!WaitUntil(handle.get(), Clock::now())) family.push_back(static_cast<uint32_t>(pid));
      return family;
    };
    if (waited != Waited::kEnded) EndAll(all, request.grace);
  }
  const int status = WaitForExit(pid);
  end.stop_asked = StopAsked(request);
  end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return end;
}

// The program's path. All that can be wrong with a request is found here, before anything is made.
Result<std::string> CheckRequest(const LaunchRequest& request, const std::vector<std::string>& environment) {
  if (request.command.empty()) return Invalid("no command to run");
  std::error_code error;
  if (!request.working_directory.empty() && !std::filesystem::is_directory(request.working_directory, error))
    return NotFound("no directory {}", request.working_directory);
  const std::string path = VariableOf(environment, "PATH");
  return FindExecutable(request.command.front(), request.working_directory, path.empty() ? "/usr/bin:/bin" : path);
}

}  // namespace

Result<Recording> Launch(const LaunchRequest& request, const Recorder& recorder) {
  OSCOPE_RETURN_IF_ERROR(Validate(request.settings));
  std::vector<std::string> environment = EnvironmentOf(request);
  OSCOPE_RETURN_IF_ERROR(CheckRequest(request, environment));
  ScratchDirectory::RemoveAbandoned(request.scratch);
  OSCOPE_ASSIGN_OR_RETURN(ScratchDirectory directory, ScratchDirectory::Make(request.scratch));
  OSCOPE_RETURN_IF_ERROR(raw::RecordingDirectory::Prepare(directory.path(), request.settings.process_limit));
  OSCOPE_RETURN_IF_ERROR(
      WriteDurably(PosixFileSystem(), directory.path() + "/settings", RenderSettings(request.settings)));

  const std::vector<std::string> argv = recorder.CommandLine(directory.path(), request.command);
  for (const std::string& entry : recorder.Environment()) {
    const std::string name = entry.substr(0, entry.find('=') + 1);
    std::erase_if(environment, [&](const std::string& there) { return there.starts_with(name); });
    environment.push_back(entry);
  }
  Recording recording{.directory = std::move(directory), .recorder = std::string(recorder.name()), .end = {}};
  recording.started_ns = std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
  const auto start = Clock::now();
  OSCOPE_ASSIGN_OR_RETURN(const pid_t pid, Start(request, argv, argv.front(), environment));
  recording.end =
      WaitFor(pid, request, [&] { return raw::RecordingDirectory::RunningProcesses(recording.directory.path()); });
  recording.duration_ns = static_cast<uint64_t>((Clock::now() - start) / std::chrono::nanoseconds(1));
  LogInfo("run: ended after {} ms, exit code {}, signal {}; recorded by {} in {}", recording.duration_ns / 1'000'000,
          recording.end.exit_code, recording.end.signal, recording.recorder, recording.directory.path());
  return recording;
}

Result<ProgramEnd> LaunchPlain(const LaunchRequest& request) {
  const std::vector<std::string> environment = EnvironmentOf(request);
  OSCOPE_ASSIGN_OR_RETURN(const std::string program, CheckRequest(request, environment));
  OSCOPE_ASSIGN_OR_RETURN(const pid_t pid, Start(request, request.command, program, environment));
  return WaitFor(pid, request, [] { return std::vector<uint32_t>(); });
}

}  // namespace oscope
