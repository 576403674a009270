// The system calls that the tool makes, made directly.
//
// PinCRT declares more of the C library than it exports, which shows only when Pin loads the tool. So the tool leans on
// the kernel alone, and what the tests run here is what runs inside Pin. x86-64 Linux only, as the tool is.
//
// Errors:  a negative number is -errno.
// Threads: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace oscope::pin::kernel {

enum OpenMode {
  kRead,  // it exists
  kReadWrite,
  kCreate,  // it does not exist; mode 0600 whatever the program's umask
  kAppend   // it exists or not; mode 0600
};
int64_t Open(const std::string& path, OpenMode mode);  // a descriptor, closed on exec
void Close(int64_t file);

int64_t Write(int64_t file, const void* bytes, size_t count);
bool WriteAll(int64_t file, const void* bytes, size_t count);
bool WriteAllAt(int64_t file, const void* bytes, size_t count, uint64_t offset);
bool ReadFile(const std::string& path, std::string* text, int64_t* error);

void* MapShared(int64_t file, size_t bytes);  // readable and writable; nullptr when it fails
void Unmap(void* address, size_t bytes);

uint32_t ProcessId();

// The largest size of a file that this process may write. A write past it would send the program a SIGXFSZ that it
// never earned.
uint64_t FileSizeLimit();

}  // namespace oscope::pin::kernel
