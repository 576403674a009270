// A user's metric runs in children, and this source shares them among the threads of a query: a thread borrows an idle
// child, starts one while fewer than `processes` are running, or waits. A child gets numbers and names of its own for
// events (Worker), each name once, so that a pair is a line of numbers.
//
// The first failure is remembered and returned to every later caller. A query with half of its distances from a
// child that crashed would be wrong without a sign of it.
#include "query/distance/user/user_metric.h"

#include <condition_variable>
#include <mutex>
#include <unordered_map>

#include "base/escape.h"
#include "query/distance/user/metric_process.h"
#include "query/distance/user/metric_protocol.h"

namespace oscope {
namespace {

using Clock = MetricProcess::Clock;

constexpr size_t kShownBytes = 200;
constexpr size_t kBatchBytes = 1 << 20;  // of lines, which are held in memory twice

// A child, and the numbers it knows events by.
class Worker {
 public:
  Worker(MetricProcess process) : process_(std::move(process)) {}  // NOLINT(google-explicit-constructor)

  Result<std::vector<std::string>> Ask(std::string_view lines, size_t answers, std::chrono::milliseconds each,
                                       std::optional<Clock::time_point> until) {
    return process_.Ask(lines, answers, each, until);
  }

  // Returns the child's numbers for the events of a sequence; lines that announce new ones are added to `lines`.
  std::vector<uint32_t> Number(Sequence sequence, const std::function<std::string_view(uint32_t)>& name_of,
                               std::string& lines) {
    std::vector<uint32_t> out;
    out.reserve(sequence.size());
    for (const uint32_t event : sequence) {
      const auto [known, added] = numbers_.emplace(event, static_cast<uint32_t>(numbers_.size()));
      out.push_back(known->second);
      if (!added) continue;
      lines += fmt::format("event {} ", known->second);
      AppendMetricText(name_of(event), lines);
      lines += '\n';
    }
    return out;
  }

 private:
  MetricProcess process_;
  std::unordered_map<uint32_t, uint32_t> numbers_;
};

Result<uint64_t> DistanceOf(std::string_view answer) {
  if (answer.starts_with(kMetricError)) {
    return Invalid("says: {}", EscapeForTerminal(answer.substr(kMetricError.size(), kShownBytes)));
  }
  return ParseMetricAnswer(answer);
}

}  // namespace

struct UserMetric::State {
  UserMetricConfig config;
  UserMetricOptions options;
  std::optional<Clock::time_point> until;

  std::mutex mutex;
  std::condition_variable freed;
  std::vector<std::unique_ptr<Worker>> idle;
  unsigned started = 0;
  std::optional<Error> failed;

  std::vector<std::string> Argv() const {
    if (config.library.empty()) return config.command;
    std::vector<std::string> argv = options.host;
    argv.push_back(config.library);
    return argv;
  }

  Error Named(Error error) const {
    const bool all_over = until && Clock::now() >= *until;
    if (error.code == ErrorCode::kLimit && !all_over)
      error.message += fmt::format(": timeout_ms in [metrics.{}] raises the limit", config.name);
    return std::move(error).Within(fmt::format("metric '{}'", config.name));
  }

  Result<std::unique_ptr<Worker>> StartWorker() const {
    OSCOPE_ASSIGN_OR_RETURN(MetricProcess process, MetricProcess::Start(Argv(), options.cancel));
    auto worker = std::make_unique<Worker>(std::move(process));
    std::string lines = fmt::format("{}\n", kMetricGreeting);
    for (const std::string& argument : options.arguments) {
      lines += "argument ";
      AppendMetricText(argument, lines);
      lines += '\n';
    }
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<std::string> answers, worker->Ask(lines, 1, options.start, until));
    if (answers[0].starts_with(kMetricError)) return DistanceOf(answers[0]).error();
    if (answers[0] != kMetricGreeting) {
      return Invalid("answered '{}' to '{}'", EscapeForTerminal(std::string_view(answers[0]).substr(0, kShownBytes)),
                     kMetricGreeting);
    }
    return worker;
  }

  // A worker of one's own: an idle one, a new one, or the first that another thread gives back.
  Result<std::unique_ptr<Worker>> Borrow() {
    {
      std::unique_lock lock(mutex);
      freed.wait(lock, [&] { return failed || !idle.empty() || started < options.processes; });
      if (failed) return *failed;
      if (!idle.empty()) {
        auto worker = std::move(idle.back());
        idle.pop_back();
        return worker;
      }
      ++started;
    }
    auto worker = StartWorker();
    if (!worker.ok()) return Fail(worker.error());
    return worker;
  }

  void GiveBack(std::unique_ptr<Worker> worker) {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(worker));
    freed.notify_one();
  }

  // The first failure is everyone's.
  Error Fail(const Error& error) {
    const std::lock_guard lock(mutex);
    if (!failed) failed = Named(error);
    freed.notify_all();
    return *failed;
  }

  Status AskBatch(Worker& worker, std::string_view lines, size_t pairs, std::vector<uint64_t>& distances) const {
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<std::string> answers,
                            worker.Ask(lines, pairs, std::chrono::milliseconds(config.timeout_ms), until));
    for (const std::string& answer : answers) {
      OSCOPE_ASSIGN_OR_RETURN(const uint64_t distance, DistanceOf(answer));
      distances.push_back(distance);
    }
    return {};
  }

  Result<std::vector<uint64_t>> AskAll(Worker& worker, Sequence a, std::span<const Sequence> others) const {
    std::vector<uint64_t> distances;
    std::string lines;
    size_t pairs = 0;
    for (const Sequence b : others) {
      const std::vector<uint32_t> left = worker.Number(a, options.name_of, lines),
                                  right = worker.Number(b, options.name_of, lines);
      AppendPair(left, right, lines);
      ++pairs;
      if (lines.size() < kBatchBytes) continue;
      OSCOPE_RETURN_IF_ERROR(AskBatch(worker, lines, std::exchange(pairs, 0), distances));
      lines.clear();
    }
    OSCOPE_RETURN_IF_ERROR(AskBatch(worker, lines, pairs, distances));
    return distances;
  }
};

UserMetric::UserMetric(std::unique_ptr<State> state) : state_(std::move(state)) {}
UserMetric::~UserMetric() = default;

Result<std::unique_ptr<UserMetric>> UserMetric::Open(UserMetricConfig config, UserMetricOptions options) {
  OSCOPE_CHECK(config.library.empty() != config.command.empty());
  OSCOPE_CHECK(options.name_of != nullptr && options.processes > 0);
  auto state = std::make_unique<State>();
  state->config = std::move(config);
  state->options = std::move(options);
  if (state->options.total.count() > 0) state->until = Clock::now() + state->options.total;
  OSCOPE_ASSIGN_OR_RETURN(auto worker, state->Borrow());
  state->GiveBack(std::move(worker));
  return std::unique_ptr<UserMetric>(new UserMetric(std::move(state)));
}

Result<std::vector<uint64_t>> UserMetric::Distances(Sequence a, std::span<const Sequence> others) const {
  OSCOPE_ASSIGN_OR_RETURN(auto worker, state_->Borrow());
  auto distances = state_->AskAll(*worker, a, others);
  if (!distances.ok()) return state_->Fail(distances.error());
  state_->GiveBack(std::move(worker));
  return distances;
}

Result<std::optional<uint64_t>> UserMetric::Within(Sequence a, Sequence b, uint64_t bound) const {
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<uint64_t> distances, Distances(a, std::span(&b, 1)));
  return distances[0] <= bound ? std::optional(distances[0]) : std::nullopt;
}

}  // namespace oscope
