#include "tracer/model/project_frames.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

using Words = std::vector<std::string>;

bool IsOwn(const std::string& method, const std::string& object = "", const std::string& file = "") {
  SymbolAttributes attributes;
  attributes.object = object;
  attributes.file = file;
  return IsProjectFrame(method, attributes);
}

TEST(ProjectFrame, AreThoseOfNoLibraryAndNoFramework) {
  for (const char* own : {"main", "net::Socket::read", "stdlib::f", "raise_price", "aborted", "org.apache.Bean.get",
                          "javac.Main.run", "my_free"}) {
    EXPECT_TRUE(IsOwn(own)) << own;
  }
  for (const char* foreign : {"std::vector<int>::at", "__libc_start_call_main", "_start", "testing::Test::Run", "raise",
                              "abort", "__pthread_kill_implementation", "__assert_fail_base", "<signal handler called>",
                              "__interceptor_memcpy", "__asan_memcpy", "__sanitizer::Die", "java.lang.Thread.run",
                              "jdk.internal.reflect.M.invoke", "org.junit.runners.ParentRunner.run", "[unknown]"}) {
    EXPECT_FALSE(IsOwn(foreign)) << foreign;
  }
}

TEST(ProjectFrame, ObjectsAndFilesTellToo) {
  EXPECT_FALSE(IsOwn("qsort", "/lib/x86_64-linux-gnu/libc.so.6"));
  EXPECT_FALSE(IsOwn("[libc.so.6]", "libc.so.6"));
  EXPECT_FALSE(IsOwn("check", "/usr/lib/libasan.so.8"));
  EXPECT_TRUE(IsOwn("f", "/home/x/libcsv.so"));
  EXPECT_FALSE(IsOwn("__strlen_avx2", "", "../sysdeps/x86_64/multiarch/strlen-avx2.S"));
  EXPECT_FALSE(IsOwn("memcpy_checked", "", "../../../../src/libsanitizer/asan/asan_interceptors.cpp"));
  EXPECT_FALSE(IsOwn("TestCase.run", "", "/usr/lib/python3.11/unittest/case.py"));
  EXPECT_TRUE(IsOwn("f", "", "/home/x/src/unittest.py"));
}

Words Names(const Words& outermost_first, size_t limit, std::optional<uint64_t> mark = std::nullopt) {
  SymbolTable symbols;
  Trace trace;
  for (const std::string& frame : outermost_first) trace.events.push_back(symbols.Intern(frame));
  trace.FinishHeader();
  if (mark) trace.header.mark = FailureMark{*mark, "abort"};
  Words names;
  for (const SymbolId frame : ProjectFrames(trace, symbols, limit)) names.push_back(symbols.name(frame));
  return names;
}

TEST(ProjectFrames, InnermostFirstAndNoMoreThanAsked) {
  const Words stack = {"_start", "main", "run", "std::sort", "less", "abort", "raise"};
  EXPECT_EQ(Names(stack, 10), (Words{"less", "run", "main"}));
  EXPECT_EQ(Names(stack, 2), (Words{"less", "run"}));
  EXPECT_EQ(Names(stack, 10, 3), (Words{"run", "main"})) << "up to the mark";
  EXPECT_EQ(Names(stack, 10, 99), (Words{"less", "run", "main"}));
  EXPECT_EQ(Names({}, 3), Words{});
}

TEST(ProjectFrames, WhereNoneIsTheProjectsTheyAreTheInnermost) {
  EXPECT_EQ(Names({"_start", "abort", "raise"}, 2), (Words{"raise", "abort"}));
  EXPECT_EQ(Names({"_start", "abort", "raise"}, 5), (Words{"raise", "abort", "_start"}));
}

}  // namespace
}  // namespace oscope
