// A program under a recorder, or without one: its streams, its signals, and its end, however it takes that.
//
// The recorder here is a pretended one, which runs the program as it is; so nothing here waits for Valgrind.
#include "tracer/record/launch.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <future>
#include <sstream>

#include "base/cancel.h"
#include "tracer/raw/raw_format.h"

namespace oscope {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Words = std::vector<std::string>;

// The word "RECORDING" of a command becomes the recording's directory.
class PretendedRecorder : public Recorder {
 public:
  std::string_view name() const override { return "pretended"; }
  Words CommandLine(const std::string& directory, const Words& command) const override {
    Words line = command;
    for (std::string& word : line) {
      if (word == "RECORDING") word = directory;
    }
    line.insert(line.begin(), launcher);
    return line;
  }
  Words Environment() const override { return {"TOLD=by the recorder"}; }
  std::string Complaint(const std::string&) const override { return {}; }

  std::string launcher = "/usr/bin/env";  // runs the rest of its line in its own place
};

bool IsAlive(pid_t pid) {
  std::string stat;
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  if (!std::getline(file, stat)) return false;
  const size_t state = stat.rfind(") ") + 2;
  return stat[state] != 'Z' && stat[state] != 'X';
}

class LaunchTest : public testing::Test {
 protected:
  static constexpr auto kDeadline = 50s;

  LaunchTest() {
    std::string name = testing::TempDir() + "launch.XXXXXX";
    directory_ = ::mkdtemp(name.data());
    scratch_ = directory_ + "/scratch";
    fs::create_directory(scratch_);
    for (size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals[i], nullptr, &before_[i]);
      // Under nohup, or in the background of a script, some are ignored, and so they would be in the programs that are
      // launched.
      if (before_[i].sa_handler == SIG_IGN) ::signal(kSignals[i], SIG_DFL);
    }
  }
  ~LaunchTest() override {
    for (size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
    for (const pid_t pid : Began()) ::kill(pid, SIGKILL);
    fs::remove_all(directory_);
  }

  LaunchRequest Request(Words command) const {
    LaunchRequest request;
    request.command = std::move(command);
    request.scratch = scratch_;
    request.output_file = directory_ + "/output";
    request.no_input = true;
    return request;
  }
  LaunchRequest Shell(const std::string& script) const { return Request({"sh", "-c", script}); }
  LaunchRequest Family(Words words) const {
    Words command = {OSCOPE_FAMILY, "RECORDING", EventsFile()};
    command.insert(command.end(), words.begin(), words.end());
    return Request(std::move(command));
  }

  std::string EventsFile() const { return directory_ + "/events"; }
  static std::string ReadFile(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  std::string Output() const { return ReadFile(directory_ + "/output"); }

  // The processes of the family that began so far.
  std::vector<pid_t> Began() const {
    std::vector<pid_t> pids;
    std::ifstream file(EventsFile());
    for (std::string word, number; file >> word >> number;) {
      if (word == "began") pids.push_back(std::stoi(number));
    }
    return pids;
  }
  std::vector<int> Signals() const {
    std::vector<int> numbers;
    std::ifstream file(EventsFile());
    for (std::string word, number; file >> word >> number;) {
      if (word == "signal") numbers.push_back(std::stoi(number));
    }
    return numbers;
  }

  static void WaitUntil(const std::function<bool()>& holds) {
    const auto deadline = std::chrono::steady_clock::now() + kDeadline;
    while (!holds()) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline);
      std::this_thread::yield();
    }
  }
  void ExpectAllGone(size_t count) const {
    EXPECT_EQ(Began().size(), count);
    for (const pid_t pid : Began()) EXPECT_FALSE(IsAlive(pid)) << ReadFile(EventsFile());
  }

  // Runs the family into a time-out that comes when all of it is there: how long that takes nobody knows.
  Recording RunIntoTimeOut(LaunchRequest request, size_t processes) {
    for (request.timeout = 250ms;; request.timeout *= 2) {
      Result<Recording> recording = Launch(request, recorder_);
      EXPECT_TRUE(recording.ok()) << recording.error().message;
      EXPECT_TRUE(recording->end.timed_out);
      if (Began().size() >= processes || request.timeout > kDeadline) return *std::move(recording);
      fs::remove(EventsFile());
    }
  }

  // Sends signals to this process when the program and our handlers are there, and gives what Launch returns.
  Recording RunAndSend(const LaunchRequest& request, const std::vector<int>& numbers) {
    auto launched = std::async(std::launch::async, [&] { return Launch(request, recorder_); });
    WaitUntil([&] {
      struct sigaction now{};
      ::sigaction(SIGHUP, nullptr, &now);  // the last that is set
      return now.sa_handler != before_[3].sa_handler && !Began().empty();
    });
    for (size_t i = 0; i < numbers.size(); ++i) {
      ::kill(::getpid(), numbers[i]);
      WaitUntil([&] { return Signals().size() > i; });
    }
    Result<Recording> recording = launched.get();
    EXPECT_TRUE(recording.ok()) << recording.error().message;
    return *std::move(recording);
  }

  static constexpr std::array kSignals = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_{};
  std::string directory_, scratch_;
  PretendedRecorder recorder_;
};

TEST_F(LaunchTest, TellsHowTheProgramEnded) {
  const Result<Recording> exit = Launch(Shell("exit 7"), recorder_);
  ASSERT_TRUE(exit.ok());
  EXPECT_EQ(exit->end.exit_code, 7);
  EXPECT_EQ(exit->end.signal, 0);
  EXPECT_FALSE(exit->end.passed() || exit->end.timed_out || exit->end.stop_asked);
  EXPECT_EQ(exit->recorder, "pretended");
  EXPECT_GT(exit->started_ns, 0);
  EXPECT_GT(exit->duration_ns, 0u);
  const Result<Recording> killed = Launch(Shell("kill -SEGV $$"), recorder_);
  EXPECT_EQ(killed->end.signal, SIGSEGV);
  EXPECT_EQ(killed->end.exit_code, 0);
  EXPECT_FALSE(killed->end.passed());
  EXPECT_TRUE(Launch(Shell("exit 0"), recorder_)->end.passed());
  EXPECT_EQ(LaunchPlain(Shell("exit 3"))->exit_code, 3);
}

TEST_F(LaunchTest, TheRecordingIsPreparedAndRemoved) {
  LaunchRequest request = Request({"cat", "RECORDING/settings"});
  request.command = {"sh", "-c", "cat \"$0\"/settings; stat -c %s \"$0\"/control", "RECORDING"};
  request.settings.process_limit = 3;
  std::string path;
  {
    const Result<Recording> recording = Launch(request, recorder_);
    ASSERT_TRUE(recording.ok());
    path = recording->directory.path();
    EXPECT_TRUE(path.starts_with(scratch_ + "/oscope-recording."));
    EXPECT_EQ(Output(), RenderSettings(request.settings) + std::to_string(OSC_RAW_CONTROL_BYTES) + "\n");
    OscRawControl control{};
    std::ifstream(path + "/control", std::ios::binary).read(reinterpret_cast<char*>(&control), sizeof control);
    EXPECT_EQ(control.magic, OSC_RAW_CONTROL_MAGIC);
    EXPECT_EQ(control.process_limit, 3u);
    struct stat facts{};
    ASSERT_EQ(::stat(path.c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777, 0700u);
  }
  EXPECT_TRUE(fs::is_empty(scratch_));
}

TEST_F(LaunchTest, StreamsGoWhereTheyAreToldTo) {
  LaunchRequest request = Shell("cat; echo one; echo two >&2; echo three");
  std::ofstream(request.output_file) << "before\n";
  ASSERT_TRUE(LaunchPlain(request).ok());
  EXPECT_EQ(Output(), "before\none\ntwo\nthree\n");
  fs::remove(request.output_file);
  ASSERT_TRUE(LaunchPlain(request).ok());
  EXPECT_EQ(fs::status(request.output_file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(LaunchTest, DirectoryAndEnvironmentAreThoseOfTheRequest) {
  LaunchRequest request = Shell("pwd; echo $ONE-$TOLD-$HOME-");
  request.working_directory = scratch_;
  request.environment = Words{"ONE=1", "TOLD=by the caller", "TOLDER=x", "PATH=/usr/bin:/bin"};
  ASSERT_TRUE(Launch(request, recorder_).ok());
  EXPECT_EQ(Output(), fs::canonical(scratch_).string() + "\n1-by the recorder--\n");
  // A program is looked for in the PATH that it will have.
  request = Request({"sh", "-c", "exit 4"});
  request.environment = Words{"PATH=/nonexistent"};
  EXPECT_EQ(LaunchPlain(request).error().code, ErrorCode::kNotFound);
  request.environment = Words{"PATHS=/nonexistent"};
  EXPECT_EQ(LaunchPlain(request)->exit_code, 4);
}

TEST_F(LaunchTest, WhatIsWrongIsFoundBeforeAnythingIsMade) {
  LaunchRequest nowhere = Shell("exit 0");
  nowhere.working_directory = directory_ + "/none";
  LaunchRequest unlimited = Shell("exit 0");
  unlimited.settings.event_limit = 0;
  LaunchRequest elsewhere = Shell("exit 0");
  elsewhere.scratch = directory_ + "/none";
  const auto code = [&](const LaunchRequest& request) { return Launch(request, recorder_).error().code; };
  EXPECT_EQ(code(Request({})), ErrorCode::kInvalid);
  EXPECT_EQ(code(Request({"./none"})), ErrorCode::kNotFound);
  EXPECT_EQ(code(Request({directory_})), ErrorCode::kInvalid);
  EXPECT_EQ(code(nowhere), ErrorCode::kNotFound);
  EXPECT_EQ(code(unlimited), ErrorCode::kInvalid);
  EXPECT_EQ(code(elsewhere), ErrorCode::kIo);
  EXPECT_TRUE(fs::is_empty(scratch_));
  EXPECT_FALSE(fs::exists(directory_ + "/output"));
}

TEST_F(LaunchTest, ARecorderThatCannotBeStartedLeavesNothing) {
  recorder_.launcher = directory_ + "/none";
  const Result<Recording> recording = Launch(Shell("exit 0"), recorder_);
  ASSERT_FALSE(recording.ok());
  EXPECT_NE(recording.error().message.find(recorder_.launcher), std::string::npos) << recording.error().message;
  EXPECT_TRUE(fs::is_empty(scratch_));
}

TEST_F(LaunchTest, AProgramThatIgnoresTheEndIsKilled) {
  LaunchRequest request = Family({"child"});
  request.grace = 50ms;
  const Recording recording = RunIntoTimeOut(request, 2);
  EXPECT_EQ(recording.end.signal, SIGKILL);
  EXPECT_FALSE(recording.end.passed() || recording.end.stop_asked);
  // They were asked first.
  EXPECT_EQ(Signals(), (std::vector<int>{SIGTERM, SIGTERM})) << ReadFile(EventsFile());
  ExpectAllGone(2);
}

TEST_F(LaunchTest, AProgramThatEndsWhenItIsAskedIsNotKilled) {
  LaunchRequest request = Family({"child", "polite"});
  request.grace = std::chrono::duration_cast<std::chrono::milliseconds>(kDeadline);
  const Recording recording = RunIntoTimeOut(request, 2);
  EXPECT_EQ(recording.end.exit_code, 5);
  EXPECT_EQ(recording.end.signal, 0);
  EXPECT_FALSE(recording.end.passed()) << "it was timed out all the same";
  ExpectAllGone(2);
}

TEST_F(LaunchTest, WhatIsStartedWhileAllIsEndedIsEndedToo) {
  LaunchRequest request = Family({"late"});
  request.grace = 1s;  // long enough for it to begin
  const Recording recording = RunIntoTimeOut(request, 1);
  EXPECT_EQ(recording.end.signal, SIGKILL);
  ExpectAllGone(2);
}

TEST_F(LaunchTest, WithoutATimeOutNobodyEndsIt) {
  LaunchRequest request = Shell("sleep 0.3; exit 6");
  request.grace = 1ms;
  EXPECT_EQ(Launch(request, recorder_)->end.exit_code, 6);
  request.timeout = kDeadline;
  const ProgramEnd end = LaunchPlain(request).value();
  EXPECT_EQ(end.exit_code, 6);
  EXPECT_FALSE(end.timed_out);
}

TEST_F(LaunchTest, SignalsArePassedOnOnceEach) {
  for (const auto& [number, is_stop] : {std::pair(SIGTERM, true), {SIGHUP, true}, {SIGINT, true}, {SIGQUIT, false}}) {
    fs::remove(EventsFile());
    const Recording recording = RunAndSend(Family({"twice"}), {number, number});
    EXPECT_EQ(Signals(), (std::vector<int>{number, number}));
    EXPECT_EQ(recording.end.exit_code, 5) << "the program's answer is its own";
    EXPECT_EQ(recording.end.stop_asked, is_stop) << number;
    EXPECT_FALSE(recording.end.timed_out);
  }
}

TEST_F(LaunchTest, AStopEndsWhatIgnoresItWhereThatIsAskedFor) {
  LaunchRequest request = Family({"child"});
  request.end_if_stopped = true;
  request.grace = 50ms;
  const Recording recording = RunAndSend(request, {SIGINT});
  EXPECT_EQ(Signals().front(), SIGINT);
  EXPECT_EQ(recording.end.signal, SIGKILL);
  EXPECT_TRUE(recording.end.stop_asked);
  EXPECT_FALSE(recording.end.timed_out);
  ExpectAllGone(2);
}

TEST_F(LaunchTest, AStopLeavesTheProgramItsTime) {
  LaunchRequest request = Family({"twice"});
  request.end_if_stopped = true;
  request.grace = std::chrono::duration_cast<std::chrono::milliseconds>(kDeadline);
  const Recording recording = RunAndSend(request, {SIGINT, SIGINT});
  EXPECT_EQ(Signals(), (std::vector<int>{SIGINT, SIGINT}));
  EXPECT_EQ(recording.end.exit_code, 5);
}

TEST_F(LaunchTest, AnInterruptJustBeforeTheProgramIsTheProgramsToo) {
  CancelSource source;
  source.Cancel();
  LaunchRequest request = Request({"sleep", "50"});
  request.cancel = source.token();
  const Result<Recording> recording = Launch(request, recorder_);
  ASSERT_TRUE(recording.ok());
  EXPECT_EQ(recording->end.signal, SIGINT);
  EXPECT_TRUE(recording->end.stop_asked);
  EXPECT_FALSE(Launch(Shell("exit 0"), recorder_)->end.stop_asked) << "of the next one nothing is known";
}

TEST_F(LaunchTest, AStopThatIsNoSignalEndsTheProgramWhereThatIsAskedFor) {
  CancelSource source;
  LaunchRequest request = Family({"child"});
  request.end_if_stopped = true;
  request.grace = 50ms;
  request.cancel = source.token();
  auto launched = std::async(std::launch::async, [&] { return Launch(request, recorder_); });
  WaitUntil([&] { return Began().size() == 2; });
  source.Cancel();
  const Result<Recording> recording = launched.get();
  ASSERT_TRUE(recording.ok());
  EXPECT_TRUE(recording->end.stop_asked);
  EXPECT_EQ(recording->end.signal, SIGKILL);
  ExpectAllGone(2);
}

TEST_F(LaunchTest, OurOwnHandlersAreBackAfterwards) {
  (void)InstallCancelOnSignals();
  std::array<struct sigaction, kSignals.size()> ours{};
  for (size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], nullptr, &ours[i]);
  ASSERT_TRUE(Launch(Shell("exit 0"), recorder_).ok());
  for (size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction now{};
    ::sigaction(kSignals[i], nullptr, &now);
    EXPECT_EQ(now.sa_handler, ours[i].sa_handler) << kSignals[i];
    // Which the C library adds to whatever it is given.
    constexpr int kRestorer = 0x04000000;
    EXPECT_EQ(now.sa_flags & ~kRestorer, ours[i].sa_flags & ~kRestorer) << kSignals[i];
  }
}

TEST_F(LaunchTest, SignalsThatWeBlockAreNotBlockedInTheProgram) {
  sigset_t blocked, before;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGUSR1);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &before);
  const Result<ProgramEnd> end = LaunchPlain(Shell("kill -USR1 $$; exit 3"));
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ASSERT_TRUE(end.ok());
  EXPECT_EQ(end->signal, SIGUSR1);
}

}  // namespace
}  // namespace oscope
