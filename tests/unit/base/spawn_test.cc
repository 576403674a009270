#include "base/spawn.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace oscope {
namespace {

// Runs a shell's script to its end; its exit code.
int RunShell(const std::string& script, SpawnRequest request = {}) {
  request.argv = {"sh", "-c", script};
  const Result<pid_t> pid = Spawn(request);
  EXPECT_TRUE(pid.ok()) << pid.error().message;
  const int status = WaitForExit(*pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string OutputOf(const std::string& script, SpawnRequest request = {}) {
  Result<Pipe> pipe = MakePipe("sh");
  request.out = pipe->write_end.get();
  EXPECT_EQ(RunShell(script, request), 0);
  pipe->write_end.Close();
  std::string text(4096, '\0');
  text.resize(static_cast<size_t>(std::max<ssize_t>(::read(pipe->read_end.get(), text.data(), text.size()), 0)));
  return text;
}

TEST(Spawn, RunsAProgramAndTellsItsEnd) {
  EXPECT_EQ(RunShell("exit 7"), 7);
  EXPECT_EQ(RunShell("kill -KILL $$"), 128 + SIGKILL);
  SpawnRequest request;
  request.argv = {"called", "-c", "exit 4"};
  request.program = "/bin/sh";
  EXPECT_EQ(WEXITSTATUS(WaitForExit(Spawn(request).value())), 4) << "the path is not its name";
}

TEST(Spawn, WhatCannotBeRunIsNamed) {
  SpawnRequest request;
  request.argv = {"/nowhere/program"};
  EXPECT_EQ(Spawn(request).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(Spawn(request).error().message, "run /nowhere/program: No such file or directory");
  request.argv = {"no-such-program-in-path"};
  EXPECT_EQ(Spawn(request).error().code, ErrorCode::kNotFound);
  request.argv = {"/etc/passwd"};
  EXPECT_EQ(Spawn(request).error().code, ErrorCode::kIo);
  EXPECT_EQ(Spawn(request).error().message, "run /etc/passwd: Permission denied");
  request.argv = {"sh"};
  request.program = "/nowhere/sh";
  EXPECT_EQ(Spawn(request).error().message, "run /nowhere/sh: No such file or directory");
  request.program.clear();
  request.working_directory = "/nowhere";
  EXPECT_EQ(Spawn(request).error().code, ErrorCode::kNotFound);
}

TEST(Spawn, StreamsDirectoryAndEnvironmentAreAsAsked) {
  EXPECT_EQ(OutputOf("echo here"), "here\n");
  SpawnRequest elsewhere;
  elsewhere.working_directory = "/";
  EXPECT_EQ(OutputOf("pwd", elsewhere), "/\n");
  SpawnRequest with_environment;
  with_environment.environment = {"ONE=1"};
  EXPECT_EQ(OutputOf("echo $ONE-$HOME-", with_environment), "1--\n");
  Result<Pipe> input = MakePipe("sh");
  ASSERT_EQ(::write(input->write_end.get(), "given\n", 6), 6);
  input->write_end.Close();
  SpawnRequest with_input;
  with_input.in = input->read_end.get();
  EXPECT_EQ(OutputOf("cat", with_input), "given\n");
  Result<Pipe> errors = MakePipe("sh");
  SpawnRequest with_errors;
  with_errors.err = errors->write_end.get();
  EXPECT_EQ(RunShell("echo wrong >&2", with_errors), 0);
  char text[16] = {};
  EXPECT_EQ(::read(errors->read_end.get(), text, sizeof text), 6);
}

TEST(Spawn, OtherDescriptorsAreInheritedOnlyWhereThatIsAskedFor) {
  const Descriptor leaked(::open("/dev/null", O_RDONLY));  // without O_CLOEXEC
  const std::string look = "test -e /proc/self/fd/" + std::to_string(leaked.get());
  EXPECT_EQ(RunShell(look), 0);
  SpawnRequest closed;
  closed.only_standard_streams = true;
  EXPECT_EQ(RunShell(look, closed), 1);
}

TEST(Spawn, AGroupOfItsOwnOnlyWhereThatIsAskedFor) {
  const auto group_of = [](SpawnRequest request) {
    request.argv = {"sleep", "1000"};
    const pid_t pid = Spawn(request).value();
    const pid_t group = ::getpgid(pid);
    ::kill(pid, SIGKILL);
    WaitForExit(pid);
    return std::pair(pid, group);
  };
  SpawnRequest own;
  own.own_group = true;
  const auto [leader, led] = group_of(own);
  EXPECT_EQ(led, leader);
  EXPECT_EQ(group_of({}).second, ::getpgrp());
}

TEST(Spawn, SignalsThatWeBlockOrIgnore) {
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  EXPECT_EQ(RunShell("kill -TERM $$; exit 3"), 128 + SIGTERM) << "none is blocked in it";
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  const auto old = ::signal(SIGINT, SIG_IGN);
  EXPECT_EQ(RunShell("kill -INT $$; exit 3"), 3) << "what is ignored stays so";
  SpawnRequest usual;
  usual.usual_signals = true;
  EXPECT_EQ(RunShell("kill -INT $$; exit 3", usual), 128 + SIGINT);
  ::signal(SIGINT, old);
}

TEST(Spawn, AProcessCanBeWaitedForByItsDescriptor) {
  SpawnRequest request;
  Result<Pipe> pipe = MakePipe("sh");
  request.in = pipe->read_end.get();
  request.argv = {"cat"};
  const pid_t pid = Spawn(request).value();
  const Descriptor process = OpenProcess(pid);
  ASSERT_TRUE(process.is_open());
  pollfd waited{process.get(), POLLIN, 0};
  EXPECT_EQ(::poll(&waited, 1, 0), 0) << "it runs";
  pipe->write_end.Close();
  EXPECT_EQ(::poll(&waited, 1, 30'000), 1);
  EXPECT_EQ(WaitForExit(pid), 0);
  EXPECT_FALSE(OpenProcess(pid).is_open()) << "it is gone";
}

}  // namespace
}  // namespace oscope
