// What follows a frame's number in a gdb backtrace: where the name ends, where the arguments do, and the place after
// them.
#include <gtest/gtest.h>

#include "tracer/import/gdb_frame.h"

namespace oscope {
namespace {

struct FrameCase {
  std::string_view text;
  std::string_view told;  // name|signature|file:line|object|address, or (none)
};

std::string ToldFrame(std::string_view text) {
  const auto frame = ParseGdbFrame(text);
  if (!frame) return "(none)";
  const SymbolAttributes& at = frame->attributes;
  return fmt::format("{}|{}|{}:{}|{}|{:#x}", frame->name, at.signature, at.file, at.line, at.object, at.address);
}

void ExpectFrames(std::initializer_list<FrameCase> cases) {
  for (const FrameCase& one : cases) EXPECT_EQ(ToldFrame(one.text), one.told) << one.text;
}

TEST(GdbFrame, HasAddressNameArgumentsAndPlace) {
  ExpectFrames({
      {"  f () at a.c:1", "f||a.c:1||0x0"},
      {"  0x401136 in f (x=1) at a.c:3", "f||a.c:3||0x401136"},
      {"  0x7f01 in raise () from /lib/libc.so.6", "raise||:0|/lib/libc.so.6|0x7f01"},
      {"  0x7f01 in ?? ()", "??||:0||0x7f01"},
      {"  0x7f01 in ?? () from /lib/a b.so", "??||:0|/lib/a b.so|0x7f01"},
      {"  f (x=1)   at   a.c:3  ", "f||  a.c:3||0x0"},
      {"  f (x=1) at /src/odd name.c:4294967295", "f||/src/odd name.c:4294967295||0x0"},
      {"  f (x=1) at a.c:12:7", "f||a.c:12||0x0"},
      {"  f (x=1) at a.c", "f||a.c:0||0x0"},
      {"  in f (x=1)", "in f||:0||0x0"},
      {"<signal handler called>", "<signal handler called>||:0||0x0"},
  });
}

// A line without a place is told apart from one with something else in it.
TEST(GdbFrame, OtherLinesAreNone) {
  ExpectFrames({
      {"", "(none)"},
      {"  f", "(none)"},
      {"  f(x)", "(none)"},
      {"  f(int)", "(none)"},
      {"  0x401136 in  (x=1) at a.c:3", "(none)"},
      {"  f (x=1", "(none)"},
      {"  f (s=\"unclosed) at a.c:1", "(none)"},
      {"  f (x=1) junk", "(none)"},
      {"  f (x=1) ata.c:1", "(none)"},
      {"  f (x=1) fromlib.so", "(none)"},
  });
}

TEST(GdbFrame, NamesMayHoldBracketsAndSpaces) {
  ExpectFrames({
      {"f<void (int)> (x=1) at a.c:1", "f<void (int)>||a.c:1||0x0"},
      {"g(int (*)(char)) (x=1) at a.c:1", "g(int (*)(char))|g(int (*)(char))|a.c:1||0x0"},
      {"f[clone (x)] (x=1) at a.c:1", "f[clone (x)]||a.c:1||0x0"},
      {"main::{lambda (int)#1}::operator() (x=1) at a.c:1", "main::{lambda (int)#1}::operator()||a.c:1||0x0"},
      {"std::function<void ()>::operator()() const (this=0x1) at a.h:2",
       "std::function<void ()>::operator()() const||a.h:2||0x0"},
      {"(anonymous namespace)::f (x=1) at a.c:1", "(anonymous namespace)::f||a.c:1||0x0"},
      {"int (anonymous namespace)::pick<int> (x=1) at a.c:1", "int (anonymous namespace)::pick<int>||a.c:1||0x0"},
      {"int (*) (x=1) at a.c:1", "(none)"},
      {"a>b (x=1) at a.c:1", "a>b||a.c:1||0x0"},
      {"a)b (x=1) at a.c:1", "a)b||a.c:1||0x0"},
      {"a]b (x=1) at a.c:1", "a]b||a.c:1||0x0"},
      {"a}b (x=1) at a.c:1", "a}b||a.c:1||0x0"},
  });
}

TEST(GdbFrame, BracketsOfOperatorsAreNotBrackets) {
  ExpectFrames({
      {"operator<< (x=1) at a.c:1", "operator<<||a.c:1||0x0"},
      {"A::operator< (x=1) at a.c:1", "A::operator<||a.c:1||0x0"},
      {"A::operator<= (x=1) at a.c:1", "A::operator<=||a.c:1||0x0"},
      {"A::operator-> (x=1) at a.c:1", "A::operator->||a.c:1||0x0"},
      {"A::operator[] (x=1) at a.c:1", "A::operator[]||a.c:1||0x0"},
      {"A::operator, (x=1) at a.c:1", "A::operator,||a.c:1||0x0"},
      {"A::operator() (x=1) at a.c:1", "A::operator()||a.c:1||0x0"},
      {"A::operator()<void (int)> (x=1) at a.c:1", "A::operator()<void (int)>||a.c:1||0x0"},
      {"A::operator bool (x=1) at a.c:1", "A::operator bool||a.c:1||0x0"},
      {"my_operator<void (int)> (x=1) at a.c:1", "my_operator<void (int)>||a.c:1||0x0"},
      {"my_operator<int (x=1) at a.c:1", "(none)"},
  });
}

TEST(GdbFrame, ArgumentsMayHoldStringsAndCharacters) {
  ExpectFrames({
      {"f (s=0x1 \"a) at b.c:9\") at a.c:1", "f||a.c:1||0x0"},
      {"f (s=0x1 \"a\\\") at b.c:9\") at a.c:1", "f||a.c:1||0x0"},
      {"f (c=41 ')') at a.c:1", "f||a.c:1||0x0"},
      {"f (c=40 '(') at a.c:1", "f||a.c:1||0x0"},
      {"f (c=34 '\"') at a.c:1", "f||a.c:1||0x0"},
      {"f (c=39 '\\'') at a.c:1", "f||a.c:1||0x0"},
      {"f (c=39 '\\'', ')') at a.c:1", "f||a.c:1||0x0"},
      {"f (c=41 '\\051') at a.c:1", "f||a.c:1||0x0"},
      {"f (c='\\1)34') at a.c:1", "f||a.c:1||0x0"},
      {"f (c='abcd)') at a.c:1", "f||a.c:1||0x0"},
      {"f (c='abcde)') at a.c:1", "(none)"},
      {"f (s=it's) at a.c:1", "f||a.c:1||0x0"},
      {"f (s=it's, t=that is's) at a.c:1", "f||a.c:1||0x0"},
      {"f (p={x = 1, y = (2)}, q=(3)) at a.c:1", "f||a.c:1||0x0"},
  });
}

}  // namespace
}  // namespace oscope
