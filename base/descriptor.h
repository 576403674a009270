// A file descriptor that is closed with its owner.
//
// Threads: one at a time.
#pragma once

#include <string_view>
#include <utility>

#include "base/result.h"

namespace oscope {

class Descriptor {
 public:
  Descriptor() = default;                   // none
  explicit Descriptor(int fd) : fd_(fd) {}  // as open() and its like return it; below 0: none
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { Close(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void Close();                                     // does nothing when there is none
  int Release() { return std::exchange(fd_, -1); }  // it is the caller's to close

  // The same file under a number above 2, which the standard streams of a program that is started (base/spawn.h) cannot
  // overwrite: open() gives the lowest number that is free, and ours may be closed.
  Descriptor AboveStandardStreams() &&;

 private:
  int fd_ = -1;
};

struct Pipe {
  Descriptor read_end, write_end;
};

// Both ends are above 2 and closed in programs that are started. kIo, as the failure of running `program`.
Result<Pipe> MakePipe(std::string_view program);

}  // namespace oscope
