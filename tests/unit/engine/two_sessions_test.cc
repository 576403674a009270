// Two sessions of one process on one open store: who cancels one leaves the other running, and its answer is the answer
// that it gives alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>

#include "query/run/session.h"
#include "tests/bql/answer_text.h"
#include "tests/bql/case_store.h"

namespace oscope {
namespace {

using Names = std::vector<std::string>;

// Every one is far from every other by a different number of edits.
std::string Bugs(uint64_t count) {
  std::string text;
  for (uint64_t i = 0; i < count; ++i) {
    std::string events = "\"a\"";
    for (uint64_t e = 0; e < 60 + i; ++e) events += fmt::format(R"(,"e{}")", (e * (i + 1)) % 23);
    text += fmt::format(R"({{"type":"run","id":"{:032x}","project":"P","bug":"{:03}","traces":[{{"events":[{}]}}]}})",
                        i + 1, i, events) +
            "\n";
  }
  return text;
}

constexpr const char* kPairs = "SELECT x, y FROM ALL WHERE INTERSECT?(x, y, 60) LIMIT 1000";

// A place in the middle of a statement where a session waits: at the n-th of its questions whether to stop.
class Gate {
 public:
  explicit Gate(uint64_t question) : question_(question) {}

  CancelToken token() {
    return CancelToken([this] {
      if (armed && ++asked_ == question_) {
        reached_.set_value();
        opened_.get_future().wait();
      }
      return false;
    });
  }
  void AwaitReached() { reached_.get_future().wait(); }
  void Open() { opened_.set_value(); }

  std::atomic<bool> armed = false;

 private:
  const uint64_t question_;
  std::atomic<uint64_t> asked_ = 0;
  std::promise<void> reached_, opened_;
};

class TwoSessions : public testing::TestWithParam<EngineKind> {
 protected:
  static void SetUpTestSuite() { cases_ = new CaseStore(*CaseStore::FromTexts({Bugs(20), Bugs(40)})); }
  static void TearDownTestSuite() { delete cases_; }

  static Session OpenOn(const Store& store, const CancelToken& cancel) {
    SessionOptions options;
    options.engine = GetParam();
    options.threads = 2;
    return *Session::Open(store.Share(cancel), std::move(options));
  }

  static CaseStore* cases_;
};
CaseStore* TwoSessions::cases_ = nullptr;

TEST_P(TwoSessions, OneIsCancelledAndTheOtherAnswers) {
  const Store store = *cases_->Open();
  const Names alone = FullAnswerText(kPairs, OpenOn(store, {}).Execute(kPairs));
  ASSERT_GT(alone.size(), 10u);
  for (const uint64_t question : {1, 5, 30}) {
    SCOPED_TRACE(fmt::format("both wait at question {}", question));
    Gate first_gate(question), second_gate(question);
    Session first = OpenOn(store, first_gate.token()), second = OpenOn(store, second_gate.token());
    first_gate.armed = second_gate.armed = true;
    auto first_result = std::async(std::launch::async, [&] { return first.Execute(kPairs); });
    auto second_result = std::async(std::launch::async, [&] { return second.Execute(kPairs); });
    first_gate.AwaitReached();
    second_gate.AwaitReached();
    first.Cancel();
    const auto cancelled_at = std::chrono::steady_clock::now();
    first_gate.Open();
    const StatementResult cancelled = first_result.get();
    const auto took = std::chrono::steady_clock::now() - cancelled_at;
    ASSERT_TRUE(cancelled.error);
    EXPECT_EQ(cancelled.error->code, ErrorCode::kCancelled);
    EXPECT_EQ(cancelled.error->message, "the query was cancelled");
    EXPECT_FALSE(cancelled.answer);
    // A tenth of a second is what is promised; a loaded machine may hold us up.
    EXPECT_LT(took, std::chrono::seconds(5));
    second_gate.Open();
    EXPECT_EQ(FullAnswerText(kPairs, second_result.get()), alone);
    EXPECT_EQ(FullAnswerText(kPairs, first.Execute(kPairs)), alone) << "its next statement";
  }
}

// As a server's shutdown, or Ctrl-C, does it.
TEST_P(TwoSessions, WhatBothFollowEndsBoth) {
  const Store store = *cases_->Open();
  CancelSource process;
  Session first = OpenOn(store, process.token()), second = OpenOn(store, process.token());
  process.Cancel();
  for (Session* session : {&first, &second}) {
    const StatementResult result = session->Execute(kPairs);
    ASSERT_TRUE(result.error);
    EXPECT_EQ(result.error->code, ErrorCode::kCancelled);
    EXPECT_EQ(result.error->message, "cancelled");
  }
  process.Reset();
  EXPECT_TRUE(first.Execute(kPairs).ok());
  EXPECT_TRUE(second.Execute(kPairs).ok());
}

INSTANTIATE_TEST_SUITE_P(Engines, TwoSessions, testing::Values(EngineKind::kThreads, EngineKind::kNaive),
                         [](const auto& one) { return one.param == EngineKind::kThreads ? "threads" : "naive"; });

}  // namespace
}  // namespace oscope
