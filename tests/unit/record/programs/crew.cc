// Threads that share a queue: work is handed out, done and collected. How often each function is called does not depend on the schedule.
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <optional>
#include <queue>
#include <thread>
#include <vector>

class Queue {
 public:
  void Put(uint64_t number) {
    const std::lock_guard lock(mutex_);
    numbers_.push(number);
  }
  std::optional<uint64_t> Take() {
    const std::lock_guard lock(mutex_);
    if (numbers_.empty()) return std::nullopt;
    const uint64_t number = numbers_.front();
    numbers_.pop();
    return number;
  }

 private:
  std::mutex mutex_;
  std::queue<uint64_t> numbers_;
};

class Total {
 public:
  void Add(uint64_t steps) {
    const std::lock_guard lock(mutex_);
    sum_ += steps;
    if (steps > most_) most_ = steps;
  }
  uint64_t sum() const { return sum_; }

 private:
  std::mutex mutex_;
  uint64_t sum_ = 0, most_ = 0;
};

static uint64_t Step(uint64_t n) { return n % 2 == 0 ? n / 2 : 3 * n + 1; }

static uint64_t Steps(uint64_t n) {
  uint64_t count = 0;
  while (n != 1) {
    n = Step(n);
    ++count;
  }
  return count;
}

static void Work(Queue& queue, Total& total) {
  for (;;) {
    const std::optional<uint64_t> number = queue.Take();
    if (!number) return;
    total.Add(Steps(*number));
  }
}

int main() {
  Queue queue;
  Total total;
  for (uint64_t n = 1; n <= 60; ++n) queue.Put(n);
  std::vector<std::thread> crew;
  for (int i = 0; i < 4; ++i) crew.emplace_back([&] { Work(queue, total); });
  for (std::thread& one : crew) one.join();
  std::printf("%llu\n", static_cast<unsigned long long>(total.sum()));
  return 0;
}
