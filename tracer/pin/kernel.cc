// System calls as machine instructions, because the C library inside Pin lacks many of the functions that it declares.
#include "tracer/pin/kernel.h"

namespace oscope::pin::kernel {
namespace {

// Numbers of the x86-64 Linux interface; they never change.
enum Call : int64_t {
  kCallRead = 0,
  kCallWrite = 1,
  kCallOpen = 2,
  kCallClose = 3,
  kCallMmap = 9,
  kCallMunmap = 11,
  kCallPwrite = 18,
  kCallGetpid = 39,
  kCallFchmod = 91,
  kCallGetrlimit = 97
};
enum Flags : int64_t {
  kFlagRead = 0,
  kFlagWrite = 01,
  kFlagReadWrite = 02,
  kFlagCreate = 0100,
  kFlagExclusive = 0200,
  kFlagAppend = 02000,
  kFlagCloseOnExec = 02000000
};
constexpr int64_t kInterrupted = -4;
constexpr int64_t kOwnerOnly = 0600;

int64_t System(Call call, int64_t a = 0, int64_t b = 0, int64_t c = 0, int64_t d = 0, int64_t e = 0, int64_t f = 0) {
  register int64_t fourth asm("r10") = d;
  register int64_t fifth asm("r8") = e;
  register int64_t sixth asm("r9") = f;
  int64_t result = static_cast<int64_t>(call);
  asm volatile("syscall"
               : "+a"(result)
               : "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
               : "rcx", "r11", "memory");
  return result;
}

int64_t Address(const void* pointer) { return static_cast<int64_t>(reinterpret_cast<uintptr_t>(pointer)); }

int64_t FlagsOf(OpenMode mode) {
  switch (mode) {
    case kRead: return kFlagRead | kFlagCloseOnExec;
    case kReadWrite: return kFlagReadWrite | kFlagCloseOnExec;
    case kCreate: return kFlagReadWrite | kFlagCreate | kFlagExclusive | kFlagCloseOnExec;
    case kAppend: return kFlagWrite | kFlagCreate | kFlagAppend | kFlagCloseOnExec;
  }
  return kFlagRead | kFlagCloseOnExec;
}

}  // namespace

int64_t Open(const std::string& path, OpenMode mode) {
  int64_t file = kInterrupted;
  while (file == kInterrupted) file = System(kCallOpen, Address(path.c_str()), FlagsOf(mode), kOwnerOnly);
  // The program may have a umask under which we could not open our own file again.
  if (file >= 0 && (mode == kCreate || mode == kAppend)) System(kCallFchmod, file, kOwnerOnly);
  return file;
}

void Close(int64_t file) { System(kCallClose, file); }

int64_t Write(int64_t file, const void* bytes, size_t count) {
  int64_t done = kInterrupted;
  while (done == kInterrupted) done = System(kCallWrite, file, Address(bytes), static_cast<int64_t>(count));
  return done;
}

bool WriteAll(int64_t file, const void* bytes, size_t count) {
  const char* at = static_cast<const char*>(bytes);
  while (count > 0) {
    const int64_t done = Write(file, at, count);
    if (done <= 0) return false;
    at += done;
    count -= static_cast<size_t>(done);
  }
  return true;
}

bool WriteAllAt(int64_t file, const void* bytes, size_t count, uint64_t offset) {
  const char* at = static_cast<const char*>(bytes);
  while (count > 0) {
    const int64_t done =
        System(kCallPwrite, file, Address(at), static_cast<int64_t>(count), static_cast<int64_t>(offset));
    if (done == kInterrupted) continue;
    if (done <= 0) return false;
    at += done;
    offset += static_cast<uint64_t>(done);
    count -= static_cast<size_t>(done);
  }
  return true;
}

bool ReadFile(const std::string& path, std::string* text, int64_t* error) {
  const int64_t file = Open(path, kRead);
  if (file < 0) {
    *error = file;
    return false;
  }
  text->clear();
  char buffer[4096];
  int64_t count = 0;
  while (true) {
    count = System(kCallRead, file, Address(buffer), sizeof buffer);
    if (count == kInterrupted) continue;
    if (count <= 0) break;
    text->append(buffer, static_cast<size_t>(count));
  }
  Close(file);
  *error = count;
  return count == 0;
}

void* MapShared(int64_t file, size_t bytes) {
  constexpr int64_t kReadableAndWritable = 3, kShared = 1;
  const int64_t address = System(kCallMmap, 0, static_cast<int64_t>(bytes), kReadableAndWritable, kShared, file, 0);
  if (address < 0 && address > -4096) return nullptr;
  return reinterpret_cast<void*>(static_cast<uintptr_t>(address));
}

void Unmap(void* address, size_t bytes) { System(kCallMunmap, Address(address), static_cast<int64_t>(bytes)); }

uint32_t ProcessId() { return static_cast<uint32_t>(System(kCallGetpid)); }

uint64_t FileSizeLimit() {
  constexpr int64_t kFileSize = 1;
  struct {
    uint64_t now, most;
  } limit = {UINT64_MAX, UINT64_MAX};
  System(kCallGetrlimit, kFileSize, Address(&limit));
  return limit.now;
}

}  // namespace oscope::pin::kernel
