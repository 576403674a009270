// A descriptor below 3 must be moved before it is given to a child as a standard stream: the child's own 0, 1 and 2 are
// assigned one after another, and a source among them would be overwritten.
#include "base/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace oscope {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    Close();
    fd_ = other.Release();
  }
  return *this;
}

// A close that a signal interrupts has closed all the same; a second one could take what another thread has opened.
void Descriptor::Close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

Descriptor Descriptor::AboveStandardStreams() && {
  if (fd_ < 0 || fd_ > STDERR_FILENO) return std::move(*this);
  Descriptor moved(::fcntl(fd_, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  Close();
  return moved;
}

Result<Pipe> MakePipe(std::string_view program) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return IoError(errno, "run", program);
  Descriptor read_end(ends[0]), write_end(ends[1]);
  Pipe pipe{std::move(read_end).AboveStandardStreams(), std::move(write_end).AboveStandardStreams()};
  if (!pipe.read_end.is_open() || !pipe.write_end.is_open()) return IoError(errno, "run", program);
  return pipe;
}

}  // namespace oscope
