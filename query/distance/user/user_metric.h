// A user's own metric: a shared library (oscope_metric.h) or a program that answers lines
// (metric_protocol.h), named in the configuration. Both run in child processes: whatever they do, the query fails
// with the metric's name and nothing else happens.
//
// A metric that has failed once fails from then on: a query does not go on with half of its distances.
// Threads: all functions may be called from many threads at once; up to `processes` children work side by side.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "query/distance/metric.h"

namespace oscope {

// [metrics.NAME] of oscope.toml; exactly one of `library` and `command` is set.
struct UserMetricConfig {
  std::string name;
  std::string library;               // path
  std::vector<std::string> command;  // program and arguments; looked up in PATH when it has no slash
  uint32_t timeout_ms = 1000;        // a pair
  bool operator==(const UserMetricConfig&) const = default;
};

struct UserMetricOptions {
  // The text of an event. Called from any thread; the view must live as long as the metric.
  std::function<std::string_view(uint32_t)> name_of;
  std::vector<std::string> host;       // the program that runs RunMetricHost on the library's path, which is appended
  std::vector<std::string> arguments;  // what follows the name in u(name, …)
  std::chrono::milliseconds total{0};  // for all pairs together; 0: no limit
  std::chrono::milliseconds start{10'000};  // for a child to begin and greet
  unsigned processes = 4;
  CancelToken cancel = {};  // ends the waiting for an answer with kCancelled
};

class UserMetric : public SequenceMetric {
 public:
  // Starts the first child, so that a metric that cannot run is known before the query does.
  static Result<std::unique_ptr<UserMetric>> Open(UserMetricConfig config, UserMetricOptions options);
  ~UserMetric() override;

  Result<std::optional<uint64_t>> Within(Sequence a, Sequence b, uint64_t bound) const override;

  // The distances of a to each of `others`, in one go: far fewer round trips.
  Result<std::vector<uint64_t>> Distances(Sequence a, std::span<const Sequence> others) const;

 private:
  struct State;
  explicit UserMetric(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace oscope
