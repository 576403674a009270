// Call depths from stack pointers, and the failure among the records.
#include "tracer/record/thread_events.h"

#include <gtest/gtest.h>

#include "tests/unit/raw/raw_bytes.h"

namespace oscope {
namespace {

TEST(CallDepthsTest, CallsReturnsAndSiblings) {
  CallDepths depths;
  EXPECT_EQ(depths.Enter(1000, 0), 0u);
  EXPECT_EQ(depths.Enter(900, 1), 1u);
  EXPECT_EQ(depths.Enter(800, 2), 2u);
  EXPECT_EQ(depths.Enter(800, 3), 2u) << "a sibling, or a tail call";
  EXPECT_EQ(depths.Enter(950, 4), 1u) << "several frames were left at once: thrown through, or jumped out of";
  EXPECT_EQ(depths.Enter(2000, 5), 0u);
}

TEST(CallDepthsTest, StacksThatCrossFourGigabytes) {
  CallDepths depths;
  EXPECT_EQ(depths.Enter(0x00000100, 0), 0u);
  EXPECT_EQ(depths.Enter(0xffffff00, 1), 1u) << "below it, though the low half is larger";
  EXPECT_EQ(depths.Enter(0x00000080, 2), 1u);
}

TEST(CallDepthsTest, EventsInsideAFunction) {
  CallDepths depths;
  depths.Enter(1000, 7);
  depths.Enter(900, 8);
  EXPECT_EQ(depths.Inside(8), 2u);
  EXPECT_EQ(depths.Inside(7), 1u) << "the callee has returned";
  EXPECT_EQ(depths.Inside(99), 1u);
}

// A program whose functions have names and no object: sites 0 work::f, 1 main, 2 testing::Run, 3 a catch in work::f, 4
// a catch in testing::Run, 5 a catch in main, 6 a statement of work::f.
class FailureTest : public testing::Test {
 protected:
  FailureTest() {
    EXPECT_TRUE(sites_
                    .Add("site 0 m - 1000 _ZN4work1fEv\nsite 1 m - 2000 main\nsite 2 m - 3000 _ZN7testing3RunEv\nsite "
                         "3 c - 1001 _ZN4work1fEv\n"
                         "site 4 c - 3001 _ZN7testing3RunEv\nsite 5 c - 2001 main\nsite 6 s - 1001 _ZN4work1fEv\n")
                    .ok());
  }

  std::optional<FailurePoint> Find(raw::RawBytes& bytes) {
    const Result<raw::ProcessRecording> recording = raw::ProcessRecording::Parse(bytes.File());
    EXPECT_TRUE(recording.ok());
    SymbolTable symbols;
    ObjectCache objects;
    const TraceSettings settings;
    const std::vector<KeepRule> rules = EffectiveRules(settings);
    SiteNames names(sites_, settings, rules, objects, symbols);
    FailureFinder finder(names);
    Summarise(*recording, names, finder);
    end_code_ = finder.end_code();
    return finder.failure();
  }

  static uint32_t Rule(std::string_view function) {
    for (size_t i = 0; i < MarkRules().size(); ++i) {
      if (MarkRules()[i].function == function) return static_cast<uint32_t>(i);
    }
    ADD_FAILURE() << function;
    return 0;
  }

  static std::vector<uint32_t> Mark(std::string_view function, const std::vector<std::string>& texts = {}) {
    std::vector<uint32_t> words = {500, Rule(function), 3, static_cast<uint32_t>(texts.size())};
    for (const std::string& text : texts) {
      const std::vector<uint32_t> more = raw::TextWords(text);
      words.insert(words.end(), more.begin(), more.end());
    }
    return words;
  }

  static std::vector<uint32_t> Throw(std::string_view type, std::string_view what) {
    std::vector<uint32_t> words = {500, 3};
    for (const std::string_view text : {type, what}) {
      const std::vector<uint32_t> more = raw::TextWords(text);
      words.insert(words.end(), more.begin(), more.end());
    }
    return words;
  }

  raw::SiteTable sites_;
  std::optional<int> end_code_;  // of the last one that was looked into
};

TEST_F(FailureTest, AnAssertionWithItsMessageAndStack) {
  raw::RawBytes bytes;
  bytes.Entry(1, 900).Entry(0, 800).Extended(OSC_RAW_MARK, Mark("__assert_fail", {"x > 0", "a.c", "7", "f"}));
  bytes.Extended(OSC_RAW_STACK, {OSC_RAW_MARK, 2, 3, 5}).Entry(0, 700).Extended(OSC_RAW_MARK, Mark("abort"));
  bytes.Extended(OSC_RAW_STACK, {OSC_RAW_MARK, 1, 5}).Extended(OSC_RAW_SIGNAL, {6, 1});
  const std::optional<FailurePoint> failure = Find(bytes);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->reason, "assertion");
  EXPECT_EQ(failure->message, "a.c:7: f: Assertion `x > 0' failed.");
  EXPECT_EQ(failure->events, 2u) << "what came after it is not what the bug did";
  EXPECT_EQ(failure->stack, (std::vector<uint32_t>{3, 5}));
}

TEST_F(FailureTest, AThrowThatTheFrameworkCatches) {
  raw::RawBytes bytes;
  bytes.Entry(0, 800)
      .Extended(OSC_RAW_THROW, Throw("St13runtime_error", "deep"))
      .Entry(0, 700)
      .Extended(OSC_RAW_CATCH, {400, 4});
  bytes.Extended(OSC_RAW_STACK, {OSC_RAW_THROW, 1, 3})
      .Extended(OSC_RAW_MARK, Mark("testing::UnitTest::AddTestPartResult", {"a", "1", "C++ exception"}));
  const std::optional<FailurePoint> failure = Find(bytes);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->reason, "throw");
  EXPECT_EQ(failure->message, "exception std::runtime_error: deep");
  EXPECT_EQ(failure->events, 1u);
  EXPECT_EQ(failure->stack, std::vector<uint32_t>{3});
}

TEST_F(FailureTest, AThrowThatTheProgramCaughtIsNone) {
  raw::RawBytes bytes;
  bytes.Entry(0, 800).Extended(OSC_RAW_THROW, Throw("i", "")).Extended(OSC_RAW_CATCH, {400, 3}).Entry(0, 700);
  bytes.Extended(OSC_RAW_MARK, Mark("testing::UnitTest::AddTestPartResult", {"a.cc", "1", "Expected: 3"}));
  const std::optional<FailurePoint> failure = Find(bytes);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->reason, "test failure");
  EXPECT_EQ(failure->message, "a.cc:1: Expected: 3");
  EXPECT_EQ(failure->events, 2u);
}

TEST_F(FailureTest, AThrowThatMainCaughtBeforeItFailed) {
  raw::RawBytes bytes;
  bytes.Entry(0, 800)
      .Extended(OSC_RAW_THROW, Throw("St11logic_error", "no"))
      .Extended(OSC_RAW_CATCH, {400, 5})
      .Entry(0, 700);
  bytes.Extended(OSC_RAW_MARK, Mark("exit", {"2"}));
  const std::optional<FailurePoint> failure = Find(bytes);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->reason, "throw");
  EXPECT_EQ(failure->events, 1u);
  EXPECT_FALSE(failure->strong);
}

TEST_F(FailureTest, MainFailsSoonAfterWhatItCaughtOrForAnotherReason) {
  const auto reason = [&](uint64_t entries, bool statements = false) {
    raw::RawBytes bytes;
    bytes.Entry(1, 900)
        .Entry(0, 800)
        .Extended(OSC_RAW_THROW, Throw("St11logic_error", "no"))
        .Extended(OSC_RAW_CATCH, {400, 5});
    for (uint64_t i = 0; i < entries; ++i) bytes.Entry(0, 700);
    for (uint64_t i = 0; statements && i < 2 * kReportEntries; ++i) bytes.Statement(6);
    bytes.Extended(OSC_RAW_STACK, {OSC_RAW_THROW, 1, 3})
        .Extended(OSC_RAW_MARK, Mark("exit", {"1"}))
        .Extended(OSC_RAW_STACK, {OSC_RAW_MARK, 1, 5});
    const std::optional<FailurePoint> failure = Find(bytes);
    EXPECT_TRUE(failure);
    // Each with the stack of its own.
    EXPECT_EQ(failure->stack, (std::vector<uint32_t>{failure->reason == "throw" ? 3u : 5u}));
    EXPECT_EQ(failure->events, failure->reason == "throw" ? 2u : entries + 2);
    return failure->reason + ": " + failure->message;
  };
  EXPECT_EQ(reason(0), "throw: exception std::logic_error: no");
  EXPECT_EQ(reason(kReportEntries), "throw: exception std::logic_error: no");
  EXPECT_EQ(reason(kReportEntries + 1), "exit: exit code 1");
  EXPECT_EQ(reason(100 * kReportEntries), "exit: exit code 1");
  EXPECT_EQ(reason(1, true), "throw: exception std::logic_error: no") << "the statements of a report are no calls";
}

TEST_F(FailureTest, AnExitAfterWhatAnotherFunctionCaught) {
  for (const uint64_t entries : {uint64_t{0}, kReportEntries + 1}) {
    raw::RawBytes bytes;
    bytes.Entry(1, 900).Entry(0, 800).Extended(OSC_RAW_THROW, Throw("i", "")).Extended(OSC_RAW_CATCH, {400, 3});
    for (uint64_t i = 0; i < entries; ++i) bytes.Entry(0, 700);
    bytes.Extended(OSC_RAW_STACK, {OSC_RAW_THROW, 1, 3})
        .Extended(OSC_RAW_MARK, Mark("exit", {"1"}))
        .Extended(OSC_RAW_STACK, {OSC_RAW_MARK, 1, 5});
    const std::optional<FailurePoint> failure = Find(bytes);
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->reason, "exit");
    EXPECT_EQ(failure->events, entries + 2);
    EXPECT_EQ(failure->stack, std::vector<uint32_t>{5});
  }
}

// The standard library caught it (a future, a stream), and the program went on.
TEST_F(FailureTest, WhatALibraryCaughtLongBeforeIsNotTheCause) {
  for (const char* function : {"__assert_fail", "abort", "exit", "testing::UnitTest::AddTestPartResult"}) {
    for (const uint64_t entries : {kReportEntries, kReportEntries + 1}) {
      raw::RawBytes bytes;
      bytes.Entry(0, 800).Extended(OSC_RAW_THROW, Throw("i", "")).Extended(OSC_RAW_CATCH, {400, 4});
      for (uint64_t i = 0; i < entries; ++i) bytes.Entry(0, 700);
      bytes.Extended(OSC_RAW_MARK, Mark(function, {"1", "2", "3", "4"}));
      const std::optional<FailurePoint> failure = Find(bytes);
      ASSERT_TRUE(failure);
      EXPECT_EQ(failure->reason == "throw", entries == kReportEntries) << function << " " << failure->reason;
      EXPECT_EQ(failure->events, entries == kReportEntries ? 1u : entries + 1);
    }
  }
}

TEST_F(FailureTest, WhatIsThrownOnFliesAgain) {
  const auto failure_of = [&](std::vector<uint32_t> second_catch) {
    raw::RawBytes bytes;
    bytes.Entry(1, 900)
        .Entry(0, 800)
        .Extended(OSC_RAW_THROW, Throw("St11logic_error", "first"))
        .Extended(OSC_RAW_CATCH, {400, 5});
    for (uint64_t i = 0; i < 2 * kReportEntries; ++i) bytes.Entry(0, 700);
    bytes.Extended(OSC_RAW_RETHROW, {400, 5});
    if (!second_catch.empty()) bytes.Extended(OSC_RAW_CATCH, second_catch);
    bytes.Extended(OSC_RAW_MARK, Mark(second_catch.empty() ? "std::terminate" : "exit", {"1"}));
    return Find(bytes);
  };
  // Nobody caught it in the end; or `main` did, for the second time.
  for (const std::vector<uint32_t>& second_catch : {std::vector<uint32_t>{}, {400, 5}}) {
    const std::optional<FailurePoint> failure = failure_of(second_catch);
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->reason, "throw");
    EXPECT_EQ(failure->events, 2u);
  }
  EXPECT_EQ(failure_of({400, 3})->reason, "exit") << "another function caught it, and told of a failure";
}

TEST_F(FailureTest, OfSeveralExceptionsTheLast) {
  raw::RawBytes bytes;
  // Caught, and another one thrown in the handler.
  bytes.Entry(0, 800)
      .Extended(OSC_RAW_THROW, Throw("St11logic_error", "first"))
      .Extended(OSC_RAW_CATCH, {400, 3})
      .Entry(0, 700);
  bytes.Extended(OSC_RAW_THROW, Throw("St11logic_error", "second")).Extended(OSC_RAW_STACK, {OSC_RAW_THROW, 1, 3});
  bytes.Extended(OSC_RAW_MARK, Mark("std::terminate"));
  const std::optional<FailurePoint> failure = Find(bytes);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->message, "exception std::logic_error: second");
  EXPECT_EQ(failure->events, 2u);
}

TEST_F(FailureTest, ThreadsHaveTheirOwnExceptions) {
  raw::RawBytes bytes;
  bytes.Entry(0, 800)
      .Extended(OSC_RAW_THROW, Throw("i", ""))
      .Thread(1)
      .Entry(0, 700)
      .Entry(0, 700)
      .Extended(OSC_RAW_MARK, Mark("abort"));
  bytes.Thread(0).Extended(OSC_RAW_STACK, {OSC_RAW_MARK, 1, 5}).Thread(1).Extended(OSC_RAW_STACK, {OSC_RAW_MARK, 1, 3});
  const std::optional<FailurePoint> failure = Find(bytes);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->reason, "abort");
  EXPECT_EQ(failure->thread, 1u);
  EXPECT_EQ(failure->events, 2u);
  EXPECT_TRUE(failure->stack.empty()) << "the stack that follows is another thread's";
}

TEST_F(FailureTest, AStackBelongsToWhatComesJustBeforeIt) {
  raw::RawBytes bytes;
  bytes.Entry(0, 800).Extended(OSC_RAW_SIGNAL, {11, 1}).Extended(OSC_RAW_STACK, {OSC_RAW_SIGNAL, 2, 3, 5});
  bytes.Extended(OSC_RAW_STACK, {OSC_RAW_SIGNAL, 1, 4});
  EXPECT_EQ(Find(bytes)->stack, (std::vector<uint32_t>{3, 5}));
  raw::RawBytes second;
  second.Entry(0, 800)
      .Extended(OSC_RAW_SIGNAL, {11, 1})
      .Extended(OSC_RAW_MARK, Mark("exit", {"1"}))
      .Extended(OSC_RAW_STACK, {OSC_RAW_MARK, 1, 5});
  EXPECT_EQ(Find(second)->reason, "SIGSEGV");
  EXPECT_TRUE(Find(second)->stack.empty());
}

TEST_F(FailureTest, RecordsThatAreCutAreNone) {
  raw::RawBytes bytes;
  bytes.Entry(0, 800).Extended(OSC_RAW_MARK, {500, Rule("abort")}).Extended(OSC_RAW_MARK, {500, 4711, 3, 0});
  EXPECT_FALSE(Find(bytes));
  raw::RawBytes stack;
  stack.Entry(0, 800).Extended(OSC_RAW_MARK, Mark("abort")).Extended(OSC_RAW_STACK, {OSC_RAW_MARK, 3, 3});
  ASSERT_TRUE(Find(stack));
  EXPECT_TRUE(Find(stack)->stack.empty());
}

TEST_F(FailureTest, WhatAFrameworkThrowsOnIsStillTheProgramsException) {
  raw::RawBytes bytes;
  bytes.Entry(0, 800).Extended(OSC_RAW_THROW, Throw("i", "")).Extended(OSC_RAW_CATCH, {400, 3}).Entry(0, 700);
  bytes.Extended(OSC_RAW_THROW, Throw("St12out_of_range", "far"))
      .Extended(OSC_RAW_CATCH, {400, 4})
      .Extended(OSC_RAW_RETHROW, {400, 4});
  bytes.Extended(OSC_RAW_CATCH, {400, 4}).Extended(OSC_RAW_THROW, Throw("N5boost19execution_exceptionE", ""));
  bytes.Extended(OSC_RAW_STACK, {OSC_RAW_THROW, 1, 4})
      .Extended(OSC_RAW_MARK, Mark("boost::unit_test::framework::exception_caught"));
  const std::optional<FailurePoint> failure = Find(bytes);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->message, "exception std::out_of_range: far");
  EXPECT_EQ(failure->events, 2u);
  EXPECT_TRUE(failure->stack.empty()) << "that of the framework's own throw";
}

TEST_F(FailureTest, WhatSaysMoreThanAnExitCodeWins) {
  raw::RawBytes bytes;
  bytes.Entry(0, 800)
      .Extended(OSC_RAW_EXIT, {1})
      .Entry(0, 700)
      .Extended(OSC_RAW_SIGNAL, {11, 0})
      .Entry(0, 700)
      .Extended(OSC_RAW_SIGNAL, {11, 1});
  const std::optional<FailurePoint> failure = Find(bytes);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->reason, "SIGSEGV");
  EXPECT_EQ(failure->events, 3u) << "a signal with a handler is no failure";
  EXPECT_EQ(end_code_, 139);
}

TEST_F(FailureTest, APassingExitIsNone) {
  raw::RawBytes bytes;
  bytes.Entry(0, 800).Extended(OSC_RAW_EXIT, {0});
  EXPECT_FALSE(Find(bytes));
  EXPECT_EQ(end_code_, 0);
}

TEST_F(FailureTest, TheCodeThatComesOut) {
  raw::RawBytes bytes;
  bytes.Entry(0, 800).Extended(OSC_RAW_MARK, Mark("exit", {"259"})).Extended(OSC_RAW_EXIT, {259});
  EXPECT_TRUE(Find(bytes));
  EXPECT_EQ(end_code_, 3);
}

TEST_F(FailureTest, WhatIsKilledHasNoEnd) {
  raw::RawBytes bytes;
  bytes.Entry(0, 800).Extended(OSC_RAW_SIGNAL, {15, 0}).Entry(0, 700);
  EXPECT_FALSE(Find(bytes));
  EXPECT_EQ(end_code_, std::nullopt);
}

}  // namespace
}  // namespace oscope
