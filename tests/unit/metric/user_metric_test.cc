#include "query/distance/user/user_metric.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <atomic>

#include "base/cancel.h"
#include "tests/unit/metric/language_sample.h"

namespace oscope {
namespace {

constexpr std::string_view kNames[] = {"main", "Main", "read", "a\nb", "close"};

UserMetricOptions Options(std::vector<std::string> arguments = {}) {
  UserMetricOptions options;
  options.name_of = [](uint32_t id) { return kNames[id]; };
  options.host = {METRIC_HOST};
  options.start = std::chrono::minutes(1);  // a busy machine is no fault
  options.arguments = std::move(arguments);
  return options;
}

UserMetricConfig Program(const std::string& fault) {
  return {"mine", "", {PYTHON, "-I", "-S", OSCOPE_SOURCE_DIR "/tests/unit/metric/faulty_metric.py", fault}, 60'000};
}
UserMetricConfig LibraryAt(const char* path) { return {"mine", path, {}, 60'000}; }

// The error of opening the metric and asking it for four pairs; all in good time.
std::string FailureOf(const UserMetricConfig& config, const UserMetricOptions& options) {
  auto metric = UserMetric::Open(config, options);
  if (!metric.ok()) return metric.error().message;
  const Events a = {0, 2}, b = {4};
  for (int i = 0; i < 4; ++i) {
    const auto within = (*metric)->Within(a, b, kUnbounded);
    if (within.ok()) continue;
    // Once failed, failed for good, without another child.
    EXPECT_EQ((*metric)->Within(a, b, kUnbounded).error().message, within.error().message);
    return within.error().message;
  }
  return "";
}
std::string FailureOf(const UserMetricConfig& config) { return FailureOf(config, Options()); }

TEST(UserMetric, ALibrarysExampleWorks) {
  const auto metric = UserMetric::Open(LibraryAt(EXAMPLE_METRIC), Options({"3"}));
  ASSERT_TRUE(metric.ok()) << metric.error().message;
  EXPECT_EQ((*metric)->Within(Events{0, 2, 4}, Events{1, 2, 4}, kUnbounded).value(), 0u);  // main and Main
  EXPECT_EQ((*metric)->Within(Events{0, 2, 4, 4}, Events{1, 4}, kUnbounded).value(), 2u);
  EXPECT_EQ((*metric)->Within(Events{0, 2, 4}, Events{1, 4}, 1).value(), std::nullopt);
  EXPECT_EQ((*metric)->Within({}, {}, 0).value(), 0u);
}

TEST(UserMetric, AProgramsExampleWorks) {
  const auto metric =
      UserMetric::Open({"bag", "", {PYTHON, OSCOPE_SOURCE_DIR "/docs/examples/bag_metric.py"}, 60'000}, Options());
  ASSERT_TRUE(metric.ok()) << metric.error().message;
  EXPECT_EQ((*metric)->Within(Events{0, 2, 2, 3}, Events{3, 2, 4}, kUnbounded).value(), 3u);
  EXPECT_EQ((*metric)->Within(Events{}, Events{}, kUnbounded).value(), 0u);
}

TEST(UserMetric, BatchesAreAnsweredInOrder) {
  const auto metric = UserMetric::Open(LibraryAt(EXAMPLE_METRIC), Options({"1000000"}));
  ASSERT_TRUE(metric.ok()) << metric.error().message;
  std::mt19937 random(1);
  const Events a = RandomEvents(random, 50, 5);
  std::vector<Events> others(3000);  // more than a pipe holds either way
  for (Events& other : others) other = RandomEvents(random, 200, 5);
  const std::vector<Sequence> views(others.begin(), others.end());
  const auto distances = (*metric)->Distances(a, views);
  ASSERT_TRUE(distances.ok()) << distances.error().message;
  ASSERT_EQ(distances->size(), others.size());
  for (size_t i = 0; i < others.size(); ++i) {
    uint64_t expected = 0;
    for (size_t k = 0; k < std::max(a.size(), others[i].size()); ++k) {
      const bool both = k < a.size() && k < others[i].size();
      expected += !both || (a[k] != others[i][k] && a[k] + others[i][k] != 1);  // 0 and 1 are main and Main
    }
    ASSERT_EQ((*distances)[i], expected);
  }
  EXPECT_EQ((*metric)->Distances(a, {}).value().size(), 0u);
}

TEST(UserMetric, ServesManyThreads) {
  UserMetricOptions options = Options({"100"});
  options.processes = 2;
  const auto metric = UserMetric::Open(LibraryAt(EXAMPLE_METRIC), options);
  ASSERT_TRUE(metric.ok()) << metric.error().message;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (uint32_t i = 0; i < 200; ++i) {
        const Events a(t + i % 7, 2), b(3, 2);
        const uint64_t expected = std::max(a.size(), b.size()) - std::min(a.size(), b.size());
        const auto got = (*metric)->Within(a, b, kUnbounded);
        if (!got.ok() || *got != expected) ++wrong;
      }
    });
    // One thread after another, too: a child must not die with the thread that started it.
    if (t % 2 == 0) threads.back().join();
  }
  for (std::thread& thread : threads) {
    if (thread.joinable()) thread.join();
  }
  EXPECT_EQ(wrong, 0);
}

TEST(UserMetricFaults, OfALibrary) {
  EXPECT_EQ(FailureOf(LibraryAt(FAULTY_METRIC), Options({"crash"})),
            "metric 'mine': was ended by signal 11 (Segmentation fault) before it answered");
  EXPECT_EQ(FailureOf(LibraryAt(FAULTY_METRIC), Options({"abort"})),
            "metric 'mine': was ended by signal 6 (Aborted) before it answered");
  EXPECT_EQ(FailureOf(LibraryAt(FAULTY_METRIC), Options({"exit"})),
            "metric 'mine': ended with exit code 0 before it answered");
  EXPECT_EQ(FailureOf(LibraryAt(FAULTY_METRIC), Options({"negative"})),
            "metric 'mine': answered '-3': a distance is a number from 0 to 2^63 - 1");
  EXPECT_EQ(FailureOf(LibraryAt(FAULTY_METRIC), Options({"refuse"})),
            "metric 'mine': says: the library refuses its arguments (7)");
  EXPECT_EQ(FailureOf(LibraryAt(FAULTY_METRIC), Options({"print"})), "");
  EXPECT_EQ(FailureOf(LibraryAt(NEWER_METRIC)),
            "metric 'mine': says: the library is of ABI version 2; this release supports 1");
  EXPECT_NE(
      FailureOf(LibraryAt("/nowhere/lib.so")).find("metric 'mine': says: cannot load the library: /nowhere/lib.so"),
      std::string::npos);
}

TEST(UserMetricFaults, AHangEndsAtTheDeadline) {
  UserMetricConfig library = LibraryAt(FAULTY_METRIC), program = Program("hang");
  library.timeout_ms = program.timeout_ms = 100;
  EXPECT_EQ(FailureOf(library, Options({"hang"})),
            "metric 'mine': no answer within 100 ms: timeout_ms in [metrics.mine] raises the limit");
  EXPECT_EQ(FailureOf(program),
            "metric 'mine': no answer within 100 ms: timeout_ms in [metrics.mine] raises the limit");
  UserMetricOptions options = Options();
  options.start = std::chrono::milliseconds(200);
  EXPECT_NE(FailureOf(Program("silent"), options).find("metric 'mine': no answer within 200 ms"), std::string::npos);
}

TEST(UserMetricFaults, TheTotalTimeIsLimitedToo) {
  UserMetricOptions options = Options({"hang"});
  options.total = std::chrono::milliseconds(300);
  EXPECT_EQ(FailureOf(LibraryAt(FAULTY_METRIC), options), "metric 'mine': the time limit for all pairs is over");
}

TEST(UserMetricFaults, OfAProgram) {
  const std::string number = ": a distance is a number from 0 to 2^63 - 1";
  EXPECT_EQ(FailureOf(Program("crash")),
            "metric 'mine': was ended by signal 11 (Segmentation fault) before it answered");
  EXPECT_EQ(FailureOf(Program("exit later")), "metric 'mine': ended with exit code 4 before it answered");
  EXPECT_EQ(FailureOf(Program("gone")), "metric 'mine': ended with exit code 3 before it answered");
  EXPECT_EQ(FailureOf(Program("no greeting")), "metric 'mine': answered 'hello' to 'oscope-metric 1'");
  EXPECT_EQ(FailureOf(Program("not a number")), "metric 'mine': answered 'near'" + number);
  EXPECT_EQ(FailureOf(Program("fraction")), "metric 'mine': answered '0.5'" + number);
  EXPECT_EQ(FailureOf(Program("negative")), "metric 'mine': answered '-1'" + number);
  EXPECT_EQ(FailureOf(Program("empty")), "metric 'mine': answered ''" + number);
  EXPECT_EQ(FailureOf(Program("huge")), "metric 'mine': answered '9223372036854775808'" + number);
  EXPECT_EQ(FailureOf(Program("endless line")), "metric 'mine': answered a line of more than 4096 bytes");
  EXPECT_EQ(FailureOf(Program("endless lines")), "metric 'mine': wrote more lines than it was asked for");
  EXPECT_EQ(FailureOf(Program("twice")), "metric 'mine': wrote more lines than it was asked for");
  EXPECT_EQ(FailureOf(Program("error")), "metric 'mine': says: the model is not trained");
  EXPECT_EQ(FailureOf(Program("closed")), "metric 'mine': closed its output before it answered");
  EXPECT_EQ(FailureOf(Program("fine")), "");
}

TEST(UserMetricFaults, AMissingProgram) {
  const auto metric = UserMetric::Open({"mine", "", {"/nowhere/program"}, 1000}, Options());
  ASSERT_FALSE(metric.ok());
  EXPECT_EQ(metric.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(metric.error().message, "metric 'mine': run /nowhere/program: No such file or directory");
}

TEST(UserMetricFaults, NoChildIsLeft) {
  UserMetricConfig program = Program("child");
  program.timeout_ms = 100;
  EXPECT_NE(FailureOf(program), "");
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(UserMetricFaults, ACancelledQueryEnds) {
  CancelSource source;
  UserMetricOptions options = Options({"hang"});
  options.cancel = source.token();
  const auto metric = UserMetric::Open(LibraryAt(FAULTY_METRIC), options);
  ASSERT_TRUE(metric.ok());
  source.Cancel();
  const auto within = (*metric)->Within(Events{0}, Events{2}, kUnbounded);
  ASSERT_FALSE(within.ok());
  EXPECT_EQ(within.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace oscope
