// Shows how many segments a long operation on a store has dealt with, for as long as it lives.
#pragma once

#include <string>

#include "base/progress.h"
#include "cli/context/context.h"
#include "index/store/store.h"

namespace oscope::cli {

class StoreProgress {
 public:
  StoreProgress(const Context& context, Store& store, const std::string& label)
      : store_(store), progress_(label, "segments", Segments(store), context.quiet()) {
    store_.OnProgress([this](uint64_t segments) { progress_.Add(segments); });
  }
  ~StoreProgress() {
    store_.OnProgress([](uint64_t) {});
  }
  StoreProgress(const StoreProgress&) = delete;
  StoreProgress& operator=(const StoreProgress&) = delete;

 private:
  static uint64_t Segments(const Store& store) {
    const auto snapshot = store.Read();
    return snapshot.ok() ? snapshot->Stats().segments : 0;
  }

  Store& store_;
  Progress progress_;
};

}  // namespace oscope::cli
