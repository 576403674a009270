#include "tracer/model/repeat.h"

#include <gtest/gtest.h>

#include "tests/unit/model/sized_fields.h"

namespace oscope {
namespace {

Repeat Whole() {
  Repeat repeat;
  repeat.directory = "build/tests";
  repeat.revision = "4f0c";
  repeat.changes = std::string(64, 'a');
  repeat.selection = {"ctest", "GoogleTest", "Suite.Case"};
  repeat.expected = {3, true, {"ok"}, {"error"}};
  repeat.builds = {{"/b/parser_test", "9d1e", {"GNU C++20 12.2.0 -O2"}}};
  repeat.not_kept = {{"input", "large.bin"}};
  return repeat;
}

TEST(Repeat, IsEmptyUntilAnythingIsKnown) {
  EXPECT_TRUE(Repeat().empty());
  EXPECT_FALSE(Whole().empty());
  Repeat repeat;
  repeat.expected.exit_code = 0;
  EXPECT_FALSE(repeat.empty()) << "0 is an exit code";
}

TEST(Repeat, ADirectoryIsRelative) {
  Repeat repeat = Whole();
  for (const char* good : {"", ".", "a/b", "../build"}) {
    repeat.directory = good;
    EXPECT_TRUE(Validate(repeat).ok()) << good;
  }
  for (const std::string& bad : {std::string("/home/ada/src"), std::string("a\0b", 3)}) {
    repeat.directory = bad;
    EXPECT_EQ(Validate(repeat).error().code, ErrorCode::kInvalid) << bad;
  }
}

TEST(Repeat, ChangesAreADigestOfARevisionsChanges) {
  Repeat repeat = Whole();
  for (const std::string& good : {std::string(), std::string(64, '0'), std::string(kUnknownChanges)}) {
    repeat.changes = good;
    EXPECT_TRUE(Validate(repeat).ok()) << good;
  }
  for (const std::string& bad : {std::string(63, '0'), std::string(64, 'A'), std::string("some")}) {
    repeat.changes = bad;
    EXPECT_EQ(Validate(repeat).error().code, ErrorCode::kInvalid) << bad;
  }
  repeat = Whole();
  repeat.revision.clear();
  EXPECT_EQ(Validate(repeat).error().code, ErrorCode::kInvalid);
}

TEST(Repeat, WhatWasNotKeptHasAKind) {
  Repeat repeat = Whole();
  repeat.not_kept = {{"of a later release", ""}};
  EXPECT_TRUE(Validate(repeat).ok());
  repeat.not_kept = {{"", "x"}};
  EXPECT_EQ(Validate(repeat).error().code, ErrorCode::kInvalid);
}

TEST(Repeat, ARunIsCheckedWithIt) {
  RunHeader run = SmallRun();
  run.repeat.directory = "/abs";
  EXPECT_EQ(Validate(run).error().code, ErrorCode::kInvalid);
}

// Nothing that may hold a secret is left, and what a run's version and symbols say anyway is.
TEST(Repeat, InputsAreDropped) {
  RunHeader run = SmallRun();
  EXPECT_FALSE(DropInputs(run)) << "there are none";
  EXPECT_EQ(run, SmallRun());
  run.command = {"./a", "secret"};
  run.inputs = {{"f", "secret"}};
  run.repeat = Whole();
  EXPECT_TRUE(DropInputs(run));
  RunHeader left = SmallRun();
  left.repeat.revision = Whole().revision;
  left.repeat.changes = Whole().changes;
  left.repeat.builds = {{"/b/parser_test", "9d1e", {}}};
  EXPECT_EQ(run, left);
  EXPECT_FALSE(DropInputs(run)) << "they are gone";
}

// Each of them alone is an input.
TEST(Repeat, EveryInputCounts) {
  const std::function<void(Repeat&)> inputs[] = {
      [](Repeat& r) { r.directory = "a"; },
      [](Repeat& r) { r.selection.runner = "a"; },
      [](Repeat& r) { r.selection.framework = "a"; },
      [](Repeat& r) { r.selection.filter = "a"; },
      [](Repeat& r) { r.expected.exit_code = 0; },
      [](Repeat& r) { r.expected.fails = true; },
      [](Repeat& r) { r.expected.output = {""}; },
      [](Repeat& r) { r.expected.forbidden_output = {""}; },
      [](Repeat& r) { r.not_kept = {{"input", ""}}; },
      [](Repeat& r) { r.builds = {{"", "", {"gcc"}}}; },
  };
  for (const auto& change : inputs) {
    RunHeader run = SmallRun();
    change(run.repeat);
    EXPECT_TRUE(DropInputs(run)) << "input " << &change - inputs;
    EXPECT_FALSE(run.repeat.has_inputs()) << "input " << &change - inputs;
  }
}

}  // namespace
}  // namespace oscope
