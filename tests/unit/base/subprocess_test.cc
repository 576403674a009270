#include "base/subprocess.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <future>
#include <thread>

#include "base/cancel.h"

namespace oscope {
namespace {

using namespace std::chrono_literals;

SubprocessOptions Shell(std::string script) {
  SubprocessOptions options;
  options.argv = {"sh", "-c", std::move(script)};
  return options;
}

TEST(Subprocess, CollectsOutputAndExitCode) {
  const auto run = RunSubprocess(Shell("echo out; echo err >&2; exit 3"));
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->out, "out\n");
  EXPECT_EQ(run->err, "err\n");
  EXPECT_EQ(run->exit_code, 3);
  EXPECT_EQ(run->signal, 0);
  EXPECT_FALSE(run->ok());
}

TEST(Subprocess, ArgumentsMeetNoShell) {
  SubprocessOptions options;
  options.argv = {"printf", "%s|", "a b", "$HOME", "", "*"};
  EXPECT_EQ(RunSubprocess(options)->out, "a b|$HOME||*|");
}

TEST(Subprocess, GivesInput) {
  SubprocessOptions options;
  options.argv = {"cat"};
  options.input = std::string(1'000'000, 'x');
  EXPECT_EQ(RunSubprocess(options)->out, *options.input);
  options.input.reset();
  EXPECT_EQ(RunSubprocess(options)->out, "");
  options.argv = {"true"};
  options.input = std::string(1'000'000, 'x');
  EXPECT_TRUE(RunSubprocess(options)->ok());
}

TEST(Subprocess, TellsSignals) {
  const auto run = RunSubprocess(Shell("kill -SEGV $$"));
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(run->signal, SIGSEGV);
  EXPECT_EQ(run->exit_code, -1);
}

TEST(Subprocess, TakesAnEnvironment) {
  SubprocessOptions options = Shell("echo $ONE-$HOME-");
  options.environment = {"ONE=1 2", "PATH=/usr/bin:/bin"};
  EXPECT_EQ(RunSubprocess(options)->out, "1 2--\n");
}

TEST(Subprocess, OneStreamKeepsTheOrder) {
  SubprocessOptions options = Shell("echo a; echo b >&2; echo c");
  options.one_stream = true;
  const auto run = RunSubprocess(options);
  EXPECT_EQ(run->out, "a\nb\nc\n");
  EXPECT_EQ(run->err, "");
}

TEST(Subprocess, RunsInADirectory) {
  SubprocessOptions options = Shell("pwd");
  options.working_directory = "/";
  EXPECT_EQ(RunSubprocess(options)->out, "/\n");
  options.working_directory = "/none";
  EXPECT_EQ(RunSubprocess(options).error().message, "run sh: no directory /none");
}

TEST(Subprocess, WhatDoesNotExistIsNotFound) {
  SubprocessOptions options;
  for (const char* program : {"oscope-no-such-program", "/none/program"}) {
    options.argv = {program};
    EXPECT_EQ(RunSubprocess(options).error().code, ErrorCode::kNotFound);
  }
  options.argv = {"/etc/passwd"};
  EXPECT_EQ(RunSubprocess(options).error().code, ErrorCode::kIo);
}

TEST(Subprocess, KillsTheGroupAtItsTimeout) {
  SubprocessOptions options = Shell("trap '' TERM; sleep 1000 & echo $!; wait");
  options.timeout = 500ms;
  const auto run = RunSubprocess(options);
  ASSERT_TRUE(run.ok());
  EXPECT_TRUE(run->timed_out);
  EXPECT_EQ(run->signal, SIGKILL);
  const pid_t descendant = std::stoi(run->out);
  // Whoever adopts it reaps it; until then it is there as a zombie.
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  const auto alive = [&] {
    const auto state = RunSubprocess(Shell("cut -d' ' -f3 /proc/" + std::to_string(descendant) + "/stat 2>&1"));
    return state->out == "S\n" || state->out == "R\n";
  };
  while (alive()) ASSERT_LT(std::chrono::steady_clock::now(), deadline);
}

TEST(Subprocess, LimitsOutput) {
  SubprocessOptions options = Shell("head -c 1000000 /dev/zero; echo done >&2");
  options.max_output_bytes = 1000;
  const auto run = RunSubprocess(options);
  EXPECT_EQ(run->out.size(), 1000u);
  EXPECT_TRUE(run->truncated);
  EXPECT_EQ(run->err, "done\n");
}

TEST(Subprocess, AnEndlessWriterMeetsItsTimeout) {
  SubprocessOptions options;
  options.argv = {"yes"};
  options.max_output_bytes = 10;
  options.timeout = 200ms;
  const auto run = RunSubprocess(options);
  EXPECT_TRUE(run->timed_out);
  EXPECT_EQ(run->out, "y\ny\ny\ny\ny\n");
}

TEST(Subprocess, DoesNotWaitForDescendantsThatLiveOn) {
  SubprocessOptions options = Shell("sleep 1000 & echo $!");
  options.timeout = 60s;
  const auto run = RunSubprocess(options);
  EXPECT_TRUE(run->ok());
  ::kill(std::stoi(run->out), SIGKILL);
}

TEST(Subprocess, InheritsNoDescriptors) {
  const int leaked = ::open("/dev/null", O_RDONLY);
  const int high = ::fcntl(leaked, F_DUPFD, 100);
  const auto run = RunSubprocess(Shell("test -e /proc/self/fd/" + std::to_string(high)));
  EXPECT_EQ(run->exit_code, 1);
  ::close(leaked);
  ::close(high);
}

TEST(Subprocess, CancellationKillsIt) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  // The program says that it runs, through a descriptor that is found by way of this process, and then hangs.
  const std::string started = "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(ends[1]);
  CancelSource source;
  SubprocessOptions options = Shell("echo $$ > " + started + "; exec sleep 1000");
  options.cancel = source.token();
  auto run = std::async(std::launch::async, [&] { return RunSubprocess(options); });
  char line[32] = {};
  ASSERT_GT(::read(ends[0], line, sizeof(line) - 1), 0);
  const pid_t program = std::stoi(line);
  source.Cancel();
  EXPECT_EQ(run.get().error().code, ErrorCode::kCancelled);
  EXPECT_EQ(::kill(program, 0), -1) << "it is gone, and was reaped";
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Subprocess, DoesNotStartWhenItIsCancelledBefore) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
  const std::string started = "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(ends[1]);
  CancelSource source;
  source.Cancel();
  SubprocessOptions options = Shell("echo started > " + started);
  options.cancel = source.token();
  const auto run = RunSubprocess(options);
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().code, ErrorCode::kCancelled);
  char byte = 0;
  EXPECT_EQ(::read(ends[0], &byte, 1), -1) << "nobody wrote";
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace oscope
