// ScratchDirectory: a temporary directory, removed with all that is in it.
//
// Its owner holds a lock on it (flock), which the system gives back however the owner ends. What an owner left behind
// that was killed is removed by the next recording of the same user in the same place. A recording whose processes
// still run stays, although it will not be read: the processes find it by its name when they execute another
// program, and must not fail because of us. It is removed by a later recording, when they have ended.
// Threads and processes: any number may make and remove them in one place.
#pragma once

#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"

namespace oscope {

class ScratchDirectory {
 public:
  // In `under`; empty: $TMPDIR or /tmp.
  static Result<ScratchDirectory> Make(const std::string& under);
  // Removes those that have no owner and no running process any more.
  static void RemoveAbandoned(const std::string& under);

  ScratchDirectory(ScratchDirectory&& other) noexcept;
  ScratchDirectory& operator=(ScratchDirectory&& other) noexcept;
  ~ScratchDirectory();
  const std::string& path() const { return path_; }

 private:
  ScratchDirectory(std::string path, Descriptor lock) : path_(std::move(path)), lock_(std::move(lock)) {}
  std::string path_;
  Descriptor lock_;  // the directory itself, opened
};

}  // namespace oscope
