// The child of a metric: its signals, its descriptors and its end; answers at their bounds; the host's own lines.
#include "query/distance/user/metric_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "query/distance/user/metric_protocol.h"
#include "query/distance/user/user_metric.h"
#include "tests/unit/metric/language_sample.h"

namespace oscope {
namespace {

using Lines = std::vector<std::string>;
constexpr std::chrono::milliseconds kPatience = std::chrono::minutes(1);  // a busy machine is no fault
constexpr int kDeadline = 60'000;

std::vector<std::string> Shell(const std::string& script) { return {"/bin/sh", "-c", script}; }

MetricProcess MustStart(const std::vector<std::string>& argv) {
  auto started = MetricProcess::Start(argv);
  OSCOPE_CHECK(started.ok());
  return std::move(*started);
}

Result<Lines> AskFor(MetricProcess& process, std::string_view lines, size_t answers) {
  return process.Ask(lines, answers, kPatience, std::nullopt);
}

// The answers of a script that is asked once, or the error's text alone.
Lines AnswersOf(const std::string& script, size_t answers, std::string_view lines = "") {
  MetricProcess process = MustStart(Shell(script));
  const auto got = AskFor(process, lines, answers);
  return got.ok() ? *got : Lines{got.error().message};
}

class Directory {
 public:
  Directory() {
    std::string pattern = std::filesystem::temp_directory_path() / "metric_process_XXXXXX";
    OSCOPE_CHECK(::mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~Directory() { std::filesystem::remove_all(path_); }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  std::string operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// Signals of a thread as they were when this object was made.
class SavedSignals {
 public:
  SavedSignals() {
    pthread_sigmask(SIG_SETMASK, nullptr, &mask_);
    for (const int number : kNumbers) sigaction(number, nullptr, &actions_[number]);
  }
  ~SavedSignals() {
    for (const int number : kNumbers) sigaction(number, &actions_[number], nullptr);
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }
  SavedSignals(const SavedSignals&) = delete;
  SavedSignals& operator=(const SavedSignals&) = delete;

  static constexpr int kNumbers[] = {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT};

 private:
  sigset_t mask_{};
  std::map<int, struct sigaction> actions_;
};

bool IsPending(int number) {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, number) == 1;
}

bool IsBlocked(int number) {
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  return sigismember(&mask, number) == 1;
}

// Whether a process that is now ours (its parent is gone) ended by SIGKILL, in good time.
bool WasKilled(pid_t pid) {
  const auto handle = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  pollfd waited = {handle, POLLIN, 0};
  const bool ended = handle >= 0 && ::poll(&waited, 1, kDeadline) == 1;
  if (handle >= 0) ::close(handle);
  if (!ended) ::kill(pid, SIGKILL);
  int status = 0;
  return ::waitpid(pid, &status, 0) == pid && ended && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

// What does not fit the pipe is written when nobody reads any more, for sure.
const std::string& MoreThanAPipeHolds() {
  static const std::string much(1 << 20, 'x');
  return much;
}

TEST(MetricProcess, AProgramThatReadsNoMoreRaisesNoSignal) {
  const SavedSignals saved;
  signal(SIGPIPE, SIG_DFL);
  EXPECT_EQ(AnswersOf("exec 0<&-; echo 5; exec sleep 1000", 1, MoreThanAPipeHolds()), Lines{"5"});
  EXPECT_FALSE(IsPending(SIGPIPE));
  EXPECT_FALSE(IsBlocked(SIGPIPE));
  EXPECT_EQ(AnswersOf("exit 7", 1, MoreThanAPipeHolds()), Lines{"ended with exit code 7 before it answered"});
}

TEST(MetricProcess, ASignalThatWasPendingStays) {
  const SavedSignals saved;
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
  ::pthread_kill(::pthread_self(), SIGPIPE);
  ASSERT_TRUE(IsPending(SIGPIPE));
  EXPECT_EQ(AnswersOf("exec 0<&-; echo 5; exec sleep 1000", 1, MoreThanAPipeHolds()), Lines{"5"});
  EXPECT_TRUE(IsPending(SIGPIPE));
  EXPECT_TRUE(IsBlocked(SIGPIPE));
  const timespec now{0, 0};
  sigtimedwait(&pipe, nullptr, &now);
}

TEST(MetricProcess, SignalsOfTheProgramAreAsUsual) {
  const SavedSignals saved;
  sigset_t some;
  sigemptyset(&some);
  for (const int number : {SIGTERM, SIGUSR1, SIGINT}) sigaddset(&some, number);
  pthread_sigmask(SIG_BLOCK, &some, nullptr);
  for (const int number : SavedSignals::kNumbers) signal(number, SIG_IGN);
  const Lines lines = AnswersOf("sed -n 's/^Sig\\(Blk\\|Ign\\):[[:space:]]*//p' /proc/self/status", 2);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(std::stoull(lines[0], nullptr, 16), 0u) << "blocked";
  const uint64_t ignored = std::stoull(lines[1], nullptr, 16);
  for (const int number : SavedSignals::kNumbers) EXPECT_EQ(ignored >> (number - 1) & 1, 0u) << number << " is ignored";
  EXPECT_TRUE(IsBlocked(SIGUSR1));
}

TEST(MetricProcess, TheProgramHasItsThreeStreamsAndNothingElse) {
  const int null = ::open("/dev/null", O_RDONLY);
  const int kept = ::fcntl(null, F_DUPFD, 100);  // not closed by exec
  const Lines lines = AnswersOf(fmt::format("readlink /proc/$$/fd/{} || echo none; for i in 0 1 2; do readlink "
                                            "/proc/$$/fd/$i | cut -c1-9 | sed s/:.*//; done",
                                            kept),
                                4);
  ::close(kept);
  ::close(null);
  EXPECT_EQ(lines, (Lines{"none", "pipe", "pipe", "/dev/null"}));
}

TEST(MetricProcess, TheProgramLeadsAGroupOfItsOwn) {
  const Lines lines = AnswersOf("set -- $(cat /proc/$$/stat); echo $1; echo $5", 2);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], lines[1]);
}

TEST(MetricProcess, WorksWhereTheUsualStreamsAreClosed) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(stream);
    auto process = MetricProcess::Start({"/bin/cat"});
    if (!process.ok()) ::_exit(1);
    const auto echoed = AskFor(*process, "one\ntwo\n", 2);
    ::_exit(echoed.ok() && *echoed == Lines{"one", "two"} ? 0 : 2);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(MetricProcess, NoDescriptorIsLeftOpen) {
  const auto open = [] {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
  };
  const auto before = open();
  EXPECT_EQ(AnswersOf("echo 1", 1), Lines{"1"});
  EXPECT_EQ(AnswersOf("exit 3", 1), Lines{"ended with exit code 3 before it answered"});
  EXPECT_EQ(MetricProcess::Start({"/nowhere/program"}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(open(), before);
}

TEST(MetricProcess, WhatTheProgramStartedEndsWithIt) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  {
    MetricProcess process = MustStart(Shell("sleep 1000 > /dev/null & echo $!; wait"));
    const auto answer = AskFor(process, "", 1);
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    const auto grandchild = static_cast<pid_t>(std::stol((*answer)[0]));
    {
      const MetricProcess gone = std::move(process);
    }
    EXPECT_TRUE(WasKilled(grandchild));
  }
  // When the program ended by itself, too.
  MetricProcess process = MustStart(Shell("sleep 1000 > /dev/null & echo $!; read line; exit 6"));
  const auto answer = AskFor(process, "", 1);
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(AskFor(process, "end\n", 1).error().message, "ended with exit code 6 before it answered");
  EXPECT_TRUE(WasKilled(static_cast<pid_t>(std::stol((*answer)[0]))));
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST(MetricProcess, ALineMayHaveSoManyBytesAndNoMore) {
  const std::string most(kMaxMetricAnswer, '1'), more(kMaxMetricAnswer + 1, '1');
  const std::string refused = "answered a line of more than 4096 bytes";
  EXPECT_EQ(AnswersOf("read line; echo $line", 1, most + "\n"), Lines{most});
  EXPECT_EQ(AnswersOf("read line; echo $line", 1, more + "\n"), Lines{refused});
  EXPECT_EQ(AnswersOf("read line; printf %s $line; read forever", 1, more + "\n"), Lines{refused});
  EXPECT_EQ(AnswersOf("read line; printf %s $line; read next; echo; read forever", 1, most + "\n\n"), Lines{most});
}

TEST(MetricProcess, LinesMayComeInPieces) {
  EXPECT_EQ(AnswersOf("printf 1; read a; printf '2\\n3'; read b; echo 4; read forever", 2, "a\nb\n"),
            (Lines{"12", "34"}));
  EXPECT_EQ(AnswersOf("printf 1", 1), Lines{"ended with exit code 0 before it answered"});
}

TEST(MetricProcess, AnswersThatWereNotAskedForAreRefused) {
  const std::string refused = "wrote more lines than it was asked for";
  EXPECT_EQ(AnswersOf("read line; printf '1\\n2'; read forever", 1, "ask\n"), Lines{refused});
  EXPECT_EQ(AnswersOf("read line; printf '1\\n2\\n'; read forever", 1, "ask\n"), Lines{refused});
  EXPECT_EQ(AnswersOf("read line; printf '1\\n2\\n'; read forever", 2, "ask\n"), (Lines{"1", "2"}));
}

// Said between two questions, it would be taken for the answer to the second.
TEST(MetricProcess, AnAnswerBetweenQuestionsIsRefused) {
  const Directory directory;
  const std::string go = directory / "go", done = directory / "done";
  ASSERT_EQ(::mkfifo(go.c_str(), 0600), 0);
  ASSERT_EQ(::mkfifo(done.c_str(), 0600), 0);
  MetricProcess process = MustStart(
      Shell("read a; echo 1; read b < '" + go + "'; echo 2; echo said > '" + done + "'; read c; echo 3; read d"));
  EXPECT_EQ(AskFor(process, "first\n", 1).value(), Lines{"1"});
  std::ofstream(go) << "go\n";
  std::string said;
  std::getline(std::ifstream(done), said);
  EXPECT_EQ(said, "said");
  const auto second = AskFor(process, "second\n", 1);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().message, "wrote more lines than it was asked for");
}

TEST(MetricProcess, WhatIsSaidBeforeTheFirstQuestionIsItsAnswer) {
  const Directory directory;
  const std::string done = directory / "done";
  ASSERT_EQ(::mkfifo(done.c_str(), 0600), 0);
  MetricProcess process = MustStart(Shell("echo 'error no licence'; echo said > '" + done + "'; exit 1"));
  std::string said;
  std::getline(std::ifstream(done), said);
  EXPECT_EQ(AskFor(process, "greeting\n", 1).value(), Lines{"error no licence"});
}

// Each answer has its time, not all together.
TEST(MetricProcess, EveryAnswerBeginsTheTimeAnew) {
  MetricProcess process = MustStart(Shell("for i in 1 2 3 4 5 6 7; do sleep 0.3; echo $i; done; read forever"));
  const auto answers = process.Ask("", 7, std::chrono::milliseconds(1800), std::nullopt);
  ASSERT_TRUE(answers.ok()) << answers.error().message;
  EXPECT_EQ(*answers, (Lines{"1", "2", "3", "4", "5", "6", "7"}));
}

// The lines of the host itself, without the metric in front of it.
std::string HostSays(const char* library, std::string_view lines, size_t answers = 2) {
  MetricProcess process = MustStart({METRIC_HOST, library});
  const auto got = AskFor(process, "oscope-metric 1\n" + std::string(lines), answers);
  if (!got.ok()) return got.error().message;
  EXPECT_EQ(got->front(), "oscope-metric 1");
  return got->back();
}

TEST(MetricHost, RefusesWhatIsNotOfTheProtocol) {
  for (const char* line : {"hello\n", "pairs 0 0\n", "event\n", "\n"})
    EXPECT_EQ(HostSays(EXAMPLE_METRIC, line), "error not a line of the protocol") << line;
  for (const char* line : {"event 1 a\n", "event x a\n", "event 0 a\nevent 0 b\n", "event -1 a\n"}) {
    EXPECT_EQ(HostSays(EXAMPLE_METRIC, line), "error event ids are not in order") << line;
  }
  for (const char* line : {"pair \n", "pair 1\n", "pair x 1\n", "pair 0 2\n", "pair 3 0 0\n",
                           "pair 18446744073709551615 1 0\n", "pair 0 9 0\n"}) {
    EXPECT_EQ(HostSays(EXAMPLE_METRIC, std::string("event 0 a\n") + line), "error a pair without its sizes") << line;
  }
  for (const char* line : {"pair 1 0 1\n", "pair 1 1 0 1\n", "pair 1 1 0\n", "pair 1 0 x\n"}) {
    EXPECT_EQ(HostSays(EXAMPLE_METRIC, std::string("event 0 a\n") + line), "error a pair with an unknown event")
        << line;
  }
}

TEST(MetricHost, AnswersPairs) {
  EXPECT_EQ(HostSays(EXAMPLE_METRIC, "pair 0 0\n"), "0");
  EXPECT_EQ(HostSays(EXAMPLE_METRIC, "event 0 a\nevent 1 A\nevent 2 b\npair 2 3 0 2 1 0 2\n"), "2");
  EXPECT_EQ(HostSays(EXAMPLE_METRIC, "argument 1\nevent 0 a\nevent 1 A\nevent 2 b\npair 2 3 0 2 1 0 2\n"), "0");
  EXPECT_EQ(HostSays(EXAMPLE_METRIC, "argument 1\nargument 2\npair 0 0\n"),
            "error the library refuses its arguments (1)");
}

// Arguments and events come as they were written, and the arguments once.
TEST(MetricHost, HandsTheLibraryWhatItWasTold) {
  EXPECT_EQ(HostSays(FAULTY_METRIC, "argument configured\npair 0 0\npair 0 0\npair 0 0\n", 4), "1");
  EXPECT_EQ(HostSays(FAULTY_METRIC, "argument bytes\nevent 0 a\\n\\\\b\npair 1 0 0\n"), "4");
  EXPECT_EQ(HostSays(FAULTY_METRIC, "argument b\\ytes\nevent 0 abcdef\npair 1 0 0\n"), "6");
}

TEST(MetricHost, ManyEventsKeepTheirTexts) {
  std::string lines = "argument bytes\n";
  for (int i = 0; i < 3000; ++i)
    lines += fmt::format("event {} {}\n", i, std::string(static_cast<size_t>(i % 40), 'e'));
  EXPECT_EQ(HostSays(FAULTY_METRIC, lines + "pair 3 0 39 1 2999\n"), "79");
}

TEST(MetricHost, ALibraryThatCrashesLeavesNoCore) {
  rlimit before{};
  ::getrlimit(RLIMIT_CORE, &before);
  if (before.rlim_max == 0) GTEST_SKIP() << "no core file may be written here anyway";
  const rlimit wide = {before.rlim_max, before.rlim_max};
  ::setrlimit(RLIMIT_CORE, &wide);
  EXPECT_EQ(HostSays(FAULTY_METRIC, "argument core\npair 0 0\n"), "0");
  ::setrlimit(RLIMIT_CORE, &before);
}

TEST(MetricHost, WithoutALibraryThatFitsItSaysWhy) {
  MetricProcess process = MustStart({METRIC_HOST, "libm.so.6"});
  const auto answer = AskFor(process, "oscope-metric 1\n", 1);
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer->front(), "error the library lacks oscope_metric_abi or oscope_metric_distance");
}

TEST(MetricHost, EndsWhenNobodyAsksAnyMore) {
  std::array<int, 2> in{}, out{};
  ASSERT_EQ(::pipe2(in.data(), O_CLOEXEC), 0);
  ASSERT_EQ(::pipe2(out.data(), O_CLOEXEC), 0);
  const pid_t host = ::fork();
  if (host == 0) {
    ::dup2(in[0], STDIN_FILENO);
    ::dup2(out[1], STDOUT_FILENO);
    ::execl(METRIC_HOST, METRIC_HOST, FAULTY_METRIC, nullptr);
    ::_exit(127);
  }
  ::close(in[0]);
  ::close(out[1]);
  const std::string_view lines = "oscope-metric 1\nargument hang\npair 0 0\n";
  ASSERT_EQ(::write(in[1], lines.data(), lines.size()), static_cast<ssize_t>(lines.size()));
  ::close(in[1]);
  const auto handle = static_cast<int>(::syscall(SYS_pidfd_open, host, 0));
  pollfd waited = {handle, POLLIN, 0};
  const bool ended = ::poll(&waited, 1, kDeadline) == 1;
  if (!ended) ::kill(host, SIGKILL);
  int status = 0;
  ::waitpid(host, &status, 0);
  ::close(handle);
  ::close(out[0]);
  EXPECT_TRUE(ended) << "a library that loops outlives its query";
  EXPECT_TRUE(WIFEXITED(status));
}

// More than one batch of lines.
TEST(UserMetricBatches, SeveralAreAnsweredInOrder) {
  UserMetricOptions options;
  options.name_of = [](uint32_t) { return std::string_view("e"); };
  options.host = {METRIC_HOST};
  options.start = kPatience;
  options.arguments = {"lengths"};
  const auto metric = UserMetric::Open({"mine", FAULTY_METRIC, {}, 60'000}, options);
  ASSERT_TRUE(metric.ok()) << metric.error().message;
  std::vector<Events> others;
  for (uint32_t i = 0; i < 300; ++i) others.push_back(Events(5000 + i, i % 10));  // 3 MB of lines
  const std::vector<Sequence> views(others.begin(), others.end());
  const auto distances = (*metric)->Distances(Events{1}, views);
  ASSERT_TRUE(distances.ok()) << distances.error().message;
  ASSERT_EQ(distances->size(), others.size());
  for (size_t i = 0; i < others.size(); ++i) ASSERT_EQ((*distances)[i], others[i].size() + 1);
  EXPECT_EQ((*metric)->Within(Events{1}, Events{2, 3}, 3).value(), 3u);
  EXPECT_EQ((*metric)->Within(Events{1}, Events{2, 3}, 2).value(), std::nullopt);
}

TEST(UserMetricBatches, NoMoreChildrenThanAllowed) {
  const Directory directory;
  const std::string started = directory / "started";
  UserMetricOptions options;
  options.name_of = [](uint32_t) { return std::string_view("e"); };
  options.start = kPatience;
  options.processes = 2;
  const std::string script = "echo $$ >> '" + started + "'; exec '" METRIC_HOST "' '" FAULTY_METRIC "'";
  {
    const auto metric = UserMetric::Open({"mine", "", Shell(script), 60'000}, options);
    ASSERT_TRUE(metric.ok()) << metric.error().message;
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 50; ++i) EXPECT_EQ((*metric)->Within(Events{1}, Events{2, 3}, kUnbounded).value(), 3u);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  std::ifstream file(started);
  const auto children = std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  EXPECT_GE(children, 1);
  EXPECT_LE(children, 2);
}

TEST(UserMetricBatches, ALongErrorIsShortened) {
  UserMetricOptions options;
  options.name_of = [](uint32_t) { return std::string_view("e"); };
  options.start = kPatience;
  const std::string said(300, 'e');
  const auto metric =
      UserMetric::Open({"mine", "", Shell("read line; echo error " + said + "; read forever"), 60'000}, options);
  ASSERT_FALSE(metric.ok());
  EXPECT_EQ(metric.error().message, "metric 'mine': says: " + said.substr(0, 200));
}

}  // namespace
}  // namespace oscope
