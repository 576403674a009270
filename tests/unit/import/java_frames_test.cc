// What stands after "at " in a Java stack trace.
#include <gtest/gtest.h>

#include "tracer/import/java_frame.h"

namespace oscope {
namespace {

std::string ToldFrame(std::string_view text) {
  const auto frame = ParseJavaFrame(text);
  if (!frame) return "(none)";
  return fmt::format("{}|{}:{}", frame->name, frame->attributes.file, frame->attributes.line);
}

TEST(JavaFrame, HasMethodAndPlace) {
  const std::pair<std::string_view, std::string_view> frames[] = {
      {"a.B.c(B.java:12)", "a.B.c|B.java:12"},
      {"a.B.c(B.java)", "a.B.c|B.java:0"},
      {"a.B.c(Native Method)", "a.B.c|:0"},
      {"a.B.c(Unknown Source)", "a.B.c|:0"},
      {"a.B.c(<generated>)", "a.B.c|:0"},
      {"a.B.c()", "a.B.c|:0"},
      {"a.B.<init>(B.java:1)", "a.B.<init>|B.java:1"},
      {"a.B.c(B.java:1) [app.jar:1.0]", "a.B.c|B.java:1"},
      {"a.B.c(B.java:1) ~[app.jar:1.0]", "a.B.c|B.java:1"},
      {"a.B.c(B.java:1)  ", "a.B.c|B.java:1"},
      {"java.base/java.lang.Thread.run(Thread.java:833)", "java.lang.Thread.run|Thread.java:833"},
      {"app//a.B.c(B.java:1)", "a.B.c|B.java:1"},
      {"app/module@1.0/a.B.c(B.java:1)", "a.B.c|B.java:1"},
      {"java.lang.Thread.run(java.base@17.0.15/Thread.java:840)", "java.lang.Thread.run|Thread.java:840"},
      {"a.B$$Lambda$1/0x08.run(Unknown Source)", "a.B$$Lambda$1/0x08.run|:0"},
      {"a.B$$Lambda$1/9f.run(Unknown Source)", "a.B$$Lambda$1/9f.run|:0"},
      {"a.b/(B.java:1)", "a.b/|B.java:1"},
  };
  for (const auto& [text, told] : frames) EXPECT_EQ(ToldFrame(text), told) << text;
}

TEST(JavaFrame, OtherTextsAreNone) {
  for (const std::string_view text :
       {"", "a.B.c", "(B.java:1)", "a.B.c(B.java:1", "B(B.java:1)", ".a(B.java:1)", "a.(B.java:1)",
        "the a.B station(twice)", "a.B\tc(B.java:1)", "a.B.c(B.java:1) and more", "java.base/run(Thread.java:1)"}) {
    EXPECT_EQ(ToldFrame(text), "(none)") << text;
  }
}

}  // namespace
}  // namespace oscope
