// A file system on which a store loses the race for its next version: just before it gives a manifest its name, another
// process publishes a version of the same number.
//
// Example: a commit that has to be made three times.
//   CrashFileSystem disk;
//   RacingFileSystem fs(disk);
//   Store store = Must(Store::Open(fs, "s"));
//   fs.LoseRaces(2, [&](int i) { Must(CommitRuns(other, {{100 + i, "", "abc"}})); });  // `other` is opened on the disk
//   itself
//   Must(CommitRuns(store, {{1, "", "abd"}}));
//   EXPECT_EQ(fs.lost(), 2);
#pragma once

#include "tests/support/watched_file_system.h"

namespace oscope {

class RacingFileSystem final : public WatchedFileSystem {
 public:
  explicit RacingFileSystem(FileSystem& beneath) : WatchedFileSystem(beneath) {}

  // Calls `other` with 0, 1, … before each of the next `times` links of a manifest. What it publishes takes the name
  // that the link wants.
  void LoseRaces(int times, std::function<void(int)> other) {
    times_ = times;
    attempts_ = lost_ = 0;
    other_ = std::move(other);
  }
  // How many races were lost since then: links that found their name taken.
  int lost() const { return lost_; }
  // All links of manifests since then, with those that worked.
  int attempts() const { return attempts_; }

  Status Link(const std::string& from, const std::string& to) override {
    const bool publishes = to.find("/manifests/") != std::string::npos;
    if (publishes) {
      const int next = attempts_++;
      if (next < times_) other_(next);
    }
    Status linked = WatchedFileSystem::Link(from, to);
    if (publishes && !linked.ok() && linked.error().code == ErrorCode::kConflict) ++lost_;
    return linked;
  }

 private:
  int times_ = 0, attempts_ = 0, lost_ = 0;
  std::function<void(int)> other_;
};

}  // namespace oscope
