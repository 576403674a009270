// Sessions that are opened in the background: what they tell and see, and that nobody need wait for them.
#include "query/run/session_opening.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "query/run/own_statement.h"
#include "tests/bql/case_store.h"

namespace oscope {
namespace {

constexpr const char* kRun = R"({"type":"run","id":"%","project":"P","bug":"%","traces":[{"events":["a","b"]}]})";

std::string RunLine(char digit) {
  std::string line = kRun;
  line.replace(line.find('%'), 1, std::string(32, digit));
  line.replace(line.find('%'), 1, std::string(1, digit));
  return line + "\n";
}

class SessionOpeningTest : public testing::Test {
 protected:
  SessionOpeningTest() : cases_(*CaseStore::FromTexts({RunLine('1'), RunLine('2')})), store_(*cases_.Open()) {}
  static size_t Rows(Session& session) {
    const Result<Answer> answer = ExecuteOwnStatement(session, "SELECT b FROM ALL WHERE INTERSECT?(b, 'a b')");
    return answer.ok() ? answer->rows.size() : 99;
  }

  CaseStore cases_;
  Store store_;
};

TEST_F(SessionOpeningTest, GivesOneSessionThatSeesWhatWasCommittedSince) {
  for (const Readiness readiness : {Readiness::kOpen, Readiness::kWarm}) {
    SessionOpening opening = SessionOpening::Start(store_.Share(), {}, readiness);
    const Result<Session*> session = opening.Ready();
    ASSERT_TRUE(session.ok()) << session.error().message;
    EXPECT_EQ(*opening.Ready(), *session) << "it is opened once";
    EXPECT_TRUE((*session)->parameters().empty());
    const size_t before = Rows(**session);
    ASSERT_TRUE(cases_.Add(RunLine(readiness == Readiness::kOpen ? '3' : '4')).ok());
    EXPECT_EQ(Rows(**session), before + 1);
  }
}

TEST_F(SessionOpeningTest, TheSessionCanBeStoppedByItsUserOnly) {
  bool stop = false;
  const CancelToken cancel([&] { return stop; });
  SessionOpening opening = SessionOpening::Start(store_.Share(cancel), {}, Readiness::kOpen);
  Session* const session = *opening.Ready();
  EXPECT_EQ(Rows(*session), 2u);
  stop = true;
  EXPECT_EQ(session->Execute("SELECT b FROM ALL WHERE b.id = 1").error->code, ErrorCode::kCancelled);
}

TEST_F(SessionOpeningTest, WhatWentWrongIsToldOnce) {
  const CancelToken cancel([] { return true; });
  SessionOpening opening = SessionOpening::Start(store_.Share(cancel), {}, Readiness::kWarm);
  const Result<Session*> first = opening.Ready(), second = opening.Ready();
  ASSERT_FALSE(first.ok());
  EXPECT_EQ(first.error().code, ErrorCode::kCancelled);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kNotFound);
}

TEST_F(SessionOpeningTest, OneThatFailedBeforeItBeganTellsThatAlways) {
  SessionOpening opening = SessionOpening::Failed(Invalid("oscope.toml:3: no such metric"));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(opening.Ready().error().message, "oscope.toml:3: no such metric");
}

TEST_F(SessionOpeningTest, MayBeDroppedOrReplacedWhileItOpens) {
  std::atomic<bool> go_on = false;
  const CancelToken cancel([&] {
    go_on.wait(false);
    return false;
  });
  std::optional<SessionOpening> opening = SessionOpening::Start(store_.Share(cancel), {}, Readiness::kWarm);
  const std::jthread release([&] {
    go_on = true;
    go_on.notify_all();
  });
  opening.reset();
  SessionOpening replaced = SessionOpening::Start(store_.Share(), {}, Readiness::kWarm);
  replaced = SessionOpening::Start(store_.Share(), {}, Readiness::kOpen);
  EXPECT_TRUE(replaced.Ready().ok());
}

TEST_F(SessionOpeningTest, TheThreadLeavesSignalsToOthers) {
  sigset_t in_thread, before, after;
  sigemptyset(&in_thread);
  pthread_sigmask(SIG_SETMASK, nullptr, &before);
  const CancelToken cancel([&, seen = false]() mutable {
    if (!std::exchange(seen, true)) pthread_sigmask(SIG_SETMASK, nullptr, &in_thread);
    return false;
  });
  SessionOpening opening = SessionOpening::Start(store_.Share(cancel), {}, Readiness::kOpen);
  pthread_sigmask(SIG_SETMASK, nullptr, &after);
  ASSERT_TRUE(opening.Ready().ok());
  for (const int signal : {SIGINT, SIGTERM, SIGCHLD}) {
    EXPECT_EQ(sigismember(&in_thread, signal), 1) << signal;
    EXPECT_EQ(sigismember(&after, signal), sigismember(&before, signal)) << signal;
  }
}

TEST_F(SessionOpeningTest, AStatementOfOurOwnTellsWhatIsWrongInItsMessage) {
  Session session = *Session::Open(store_.Share(), {});
  const Result<Answer> wrong = ExecuteOwnStatement(session, "SELECT b FROM nowhere WHERE b.id = '1'");
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(wrong.error().message, "1:15: unknown project 'nowhere'\n");
  EXPECT_EQ(ExecuteOwnStatement(session, "SHOW QUERIES").error().message, "SHOW QUERIES: gave no answer");
}

}  // namespace
}  // namespace oscope
