// Which record of a process is its failure, which stack belongs to it, and when an exception was its cause.
#include "tracer/record/failure.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "tests/unit/raw/raw_bytes.h"
#include "tracer/record/default_rules.h"
#include "tracer/record/trace_settings.h"

namespace oscope {
namespace {

using Frames = std::vector<uint32_t>;

uint32_t RuleOf(std::string_view function) {
  for (size_t i = 0; i < MarkRules().size(); ++i) {
    if (MarkRules()[i].function == function) return static_cast<uint32_t>(i);
  }
  ADD_FAILURE() << function;
  return 0;
}

// Places in `main`, in a function of the program and in GoogleTest.
constexpr std::string_view kSites = "site 0 c - 1004 main\nsite 1 c - 2004 work\nsite 2 c - 3004 _ZN7testing4TestEv\n";
constexpr uint32_t kMain = 0, kWork = 1, kFramework = 2;

class FailureRecordsTest : public testing::Test {
 protected:
  FailureRecordsTest()
      : sites_(Sites()),
        rules_(EffectiveRules(settings_)),
        names_(sites_, settings_, rules_, objects_, symbols_),
        finder_(names_) {}

  static raw::SiteTable Sites() {
    raw::SiteTable table;
    EXPECT_TRUE(table.Add(kSites).ok());
    return table;
  }

 public:
  FailureRecordsTest& Record(uint32_t thread, OscRawExtended type, const std::vector<uint32_t>& words,
                             uint64_t events = 5, uint64_t entries = 5) {
    raw::ExtendedRecord record(type, words);
    finder_.OnRecord(thread, {events, entries}, record);
    return *this;
  }
  FailureRecordsTest& Mark(uint32_t thread, std::string_view function, const std::vector<std::string>& texts = {},
                           uint64_t events = 5, uint64_t entries = 5) {
    std::vector<uint32_t> words = {500, RuleOf(function), kWork, static_cast<uint32_t>(texts.size())};
    for (const std::string& text : texts) {
      const auto more = raw::TextWords(text);
      words.insert(words.end(), more.begin(), more.end());
    }
    return Record(thread, OSC_RAW_MARK, words, events, entries);
  }
  FailureRecordsTest& Stack(uint32_t thread, OscRawExtended why, const Frames& frames) {
    std::vector<uint32_t> words = {static_cast<uint32_t>(why), static_cast<uint32_t>(frames.size())};
    words.insert(words.end(), frames.begin(), frames.end());
    return Record(thread, OSC_RAW_STACK, words);
  }
  FailureRecordsTest& Throw(uint32_t thread, std::string_view type, std::string_view what, uint64_t events) {
    std::vector<uint32_t> words = {500, kWork};
    for (const std::string_view text : {type, what}) {
      const auto more = raw::TextWords(text);
      words.insert(words.end(), more.begin(), more.end());
    }
    return Record(thread, OSC_RAW_THROW, words, events, events);
  }
  FailureRecordsTest& Catch(uint32_t thread, uint32_t site, uint64_t entries) {
    return Record(thread, OSC_RAW_CATCH, {500, site}, entries, entries);
  }

 protected:
  // "thread:events reason message [stack]"
  std::string Told() const {
    const auto& point = finder_.failure();
    if (!point) return "none";
    std::string told = fmt::format("{}:{} {} {} [", point->thread, point->events, point->reason, point->message);
    for (const uint32_t frame : point->stack) told += fmt::format("{} ", frame);
    return told + "]";
  }

  TraceSettings settings_;
  raw::SiteTable sites_;
  std::vector<KeepRule> rules_;
  ObjectCache objects_;
  SymbolTable symbols_;
  SiteNames names_;
  FailureFinder finder_;
};

TEST_F(FailureRecordsTest, TheStackOfAnotherThreadIsNotItsOwn) {
  Mark(1, "abort").Stack(2, OSC_RAW_MARK, {11});
  EXPECT_EQ(Told(), "1:5 abort  []");
  Stack(1, OSC_RAW_MARK, {10});
  EXPECT_EQ(Told(), "1:5 abort  []") << "the stack that follows is the one";
}

TEST_F(FailureRecordsTest, OneStackBelongsToIt) {
  Mark(1, "abort").Stack(1, OSC_RAW_MARK, {11, 10}).Stack(1, OSC_RAW_SIGNAL, {12});
  EXPECT_EQ(Told(), "1:5 abort  [11 10 ]");
}

TEST_F(FailureRecordsTest, AStackThatNothingWaitsForIsNothing) {
  Stack(0, OSC_RAW_MARK, {11}).Stack(0, OSC_RAW_SIGNAL, {11});
  EXPECT_EQ(Told(), "none");
  // The second mark is not the failure, so its stack is not the failure's.
  Mark(0, "abort").Mark(0, "abort", {}, 9).Stack(0, OSC_RAW_MARK, {11});
  EXPECT_EQ(Told(), "0:5 abort  []");
}

TEST_F(FailureRecordsTest, AnExitGivesWayToWhatIsStrong) {
  Record(0, OSC_RAW_EXIT, {0x103}, 7);
  EXPECT_EQ(Told(), "0:7 exit exit code 3 []");
  EXPECT_EQ(finder_.end_code(), 3);
  Stack(0, OSC_RAW_EXIT, {10});
  EXPECT_EQ(Told(), "0:7 exit exit code 3 [10 ]");
  Record(1, OSC_RAW_SIGNAL, {SIGSEGV, 1}, 8).Stack(1, OSC_RAW_SIGNAL, {11});
  EXPECT_EQ(Told(), "1:8 SIGSEGV SIGSEGV [11 ]");
  EXPECT_EQ(finder_.end_code(), 128 + SIGSEGV);
  Record(1, OSC_RAW_SIGNAL, {SIGABRT, 1}, 9);
  EXPECT_EQ(Told(), "1:8 SIGSEGV SIGSEGV [11 ]") << "the first counts";
}

TEST_F(FailureRecordsTest, WhatIsSurvivedIsNone) {
  Record(0, OSC_RAW_SIGNAL, {SIGSEGV, 0}).Record(0, OSC_RAW_EXIT, {0}).Record(0, OSC_RAW_EXIT, {0x100});
  EXPECT_EQ(Told(), "none");
  EXPECT_EQ(finder_.end_code(), 0);
}

TEST_F(FailureRecordsTest, TextsFillTheMessageOfTheRule) {
  Mark(0, "__assert_fail", {"x > 0", "a.c", "12", "f"});
  const std::string told = Told();
  EXPECT_NE(told.find("x > 0"), std::string::npos) << told;
  EXPECT_NE(told.find("a.c"), std::string::npos) << told;
  EXPECT_EQ(told.find('{'), std::string::npos) << told;
}

TEST_F(FailureRecordsTest, RecordsThatBreakOffAreNone) {
  Record(0, OSC_RAW_MARK, {500, RuleOf("abort"), kWork});
  EXPECT_EQ(Told(), "none") << "the number of texts is missing";
  Record(0, OSC_RAW_MARK, {500, RuleOf("abort"), kWork, 1});
  EXPECT_EQ(Told(), "none") << "a text is missing";
  Record(0, OSC_RAW_MARK, {500, static_cast<uint32_t>(MarkRules().size()), kWork, 0});
  EXPECT_EQ(Told(), "none") << "there is no such rule";
  Mark(0, "abort").Record(0, OSC_RAW_STACK, {OSC_RAW_MARK, 3, 11});
  EXPECT_EQ(Told(), "0:5 abort  []") << "frames are missing";
}

TEST_F(FailureRecordsTest, WhatNobodyCaughtIsTheFailureWhereItWasThrown) {
  Throw(0, "St13runtime_error", "bad luck", 3)
      .Stack(0, OSC_RAW_THROW, {11, 10})
      .Mark(0, "abort")
      .Stack(0, OSC_RAW_MARK, {10});
  EXPECT_EQ(Told(), "0:3 throw exception std::runtime_error: bad luck [11 10 ]");
}

TEST_F(FailureRecordsTest, AnExceptionWithoutAMessageTellsItsType) {
  Throw(0, "3Odd", "", 3).Mark(0, "abort");
  EXPECT_EQ(Told(), "0:3 throw exception Odd []");
}

TEST_F(FailureRecordsTest, WhatTheProgramCaughtIsNot) {
  Throw(0, "3Odd", "w", 3).Stack(0, OSC_RAW_THROW, {11}).Catch(0, kWork, 4).Mark(0, "abort");
  EXPECT_EQ(Told(), "0:5 abort  []");
}

TEST_F(FailureRecordsTest, OfAnotherThreadItIsNot) {
  Throw(1, "3Odd", "w", 3).Mark(0, "abort");
  EXPECT_EQ(Told(), "0:5 abort  []");
}

TEST_F(FailureRecordsTest, WhatAFrameworkCaughtStillIs) {
  Throw(0, "3Odd", "w", 3).Catch(0, kFramework, 4).Mark(0, "abort", {}, 4 + kReportEntries, 4 + kReportEntries);
  EXPECT_EQ(Told(), "0:3 throw exception Odd: w []");
}

TEST_F(FailureRecordsTest, UntilItWentOn) {
  Throw(0, "3Odd", "w", 3).Catch(0, kFramework, 4).Mark(0, "abort", {}, 5 + kReportEntries, 5 + kReportEntries);
  EXPECT_EQ(Told(), "0:69 abort  []");
}

TEST_F(FailureRecordsTest, AnExitAfterMainCaughtIsWhereItWasThrown) {
  Throw(0, "3Odd", "w", 3).Stack(0, OSC_RAW_THROW, {11}).Catch(0, kMain, 4).Mark(0, "exit", {"3"});
  EXPECT_EQ(Told(), "0:3 throw exception Odd: w [11 ]");
}

TEST_F(FailureRecordsTest, AnExitAfterAnotherFunctionCaughtIsAnExit) {
  Throw(0, "3Odd", "w", 3).Catch(0, kWork, 4).Mark(0, "exit", {"3"});
  EXPECT_EQ(Told().substr(0, 8), "0:5 exit");
}

TEST_F(FailureRecordsTest, WhatIsThrownOnFliesAgain) {
  Throw(0, "3Odd", "w", 3)
      .Stack(0, OSC_RAW_THROW, {11})
      .Catch(0, kMain, 4)
      .Record(0, OSC_RAW_RETHROW, {500, kMain}, 90, 90)
      .Mark(0, "abort", {}, 200, 200);
  EXPECT_EQ(Told(), "0:3 throw exception Odd: w [11 ]");
}

TEST_F(FailureRecordsTest, ARethrowTakesBackThatMainCaughtIt) {
  Throw(0, "3Odd", "w", 3)
      .Catch(0, kMain, 4)
      .Record(0, OSC_RAW_RETHROW, {500, kMain})
      .Catch(0, kWork, 6)
      .Mark(0, "exit", {"3"}, 7, 7);
  EXPECT_EQ(Told().substr(0, 8), "0:7 exit");
}

TEST_F(FailureRecordsTest, TheLastThrowCounts) {
  Throw(0, "3Odd", "first", 3).Throw(0, "3Odd", "second", 6).Stack(0, OSC_RAW_THROW, {10}).Mark(0, "abort", {}, 7, 7);
  EXPECT_EQ(Told(), "0:6 throw exception Odd: second [10 ]");
}

TEST_F(FailureRecordsTest, WhatBoostThrowsOfAnExceptionIsNone) {
  Throw(0, "3Odd", "own", 3)
      .Throw(0, "N5boost19execution_exceptionE", "theirs", 9)
      .Stack(0, OSC_RAW_THROW, {12})
      .Mark(0, "abort", {}, 10, 10);
  EXPECT_EQ(Told(), "0:3 throw exception Odd: own []");
}

// What nobody caught ends the process, as a debugger sees it; what a framework or `main` caught does not.
TEST_F(FailureRecordsTest, AnExceptionThatNobodyCaughtIsAKindOfItsOwn) {
  Throw(0, "3Odd", "own", 3).Mark(0, "std::terminate", {}, 4, 4);
  EXPECT_EQ(finder_.failure()->kind, FailureKind::kTerminate);
  EXPECT_EQ(finder_.failure()->reason, "throw");
}

TEST_F(FailureRecordsTest, AnExceptionThatAFrameworkCaughtIsAnException) {
  Throw(0, "3Odd", "own", 3).Mark(0, "Catch::RunContext::handleUnexpectedInflightException", {}, 4, 4);
  EXPECT_EQ(finder_.failure()->kind, FailureKind::kException);
}

TEST_F(FailureRecordsTest, WhatBoostThrowsItselfIsOne) {
  Throw(0, "N5boost19execution_exceptionE", "theirs", 9).Stack(0, OSC_RAW_THROW, {12}).Mark(0, "abort", {}, 10, 10);
  EXPECT_EQ(Told(), "0:9 throw exception boost::execution_exception: theirs [12 ]");
}

}  // namespace
}  // namespace oscope
