// The child that loads a user's library. It reads lines, calls the library and writes answers when there is nothing
// more to read, so that a batch costs few system calls. Standard output is moved away before the library is loaded, so
// that what the library prints is not taken for an answer. A thread watches for the query's end, because a library
// that loops would otherwise live on after a query that was killed.
#include "query/distance/user/metric_host.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <deque>
#include <optional>
#include <thread>
#include <vector>

#include "query/distance/user/metric_protocol.h"
#include "query/distance/user/oscope_metric.h"

namespace oscope {
namespace {

constexpr size_t kReadBytes = 1 << 16;
constexpr std::chrono::seconds kGrace{5};

bool WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

struct Library {
  decltype(&oscope_metric_distance) distance = nullptr;
  decltype(&oscope_metric_configure) configure = nullptr;
};

template <typename Function>
void Find(void* handle, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(handle, name));
}

Result<Library> Load(const std::string& path) {
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return Invalid("cannot load the library: {}", ::dlerror());
  decltype(&oscope_metric_abi) abi = nullptr;
  Library library;
  Find(handle, "oscope_metric_abi", abi);
  Find(handle, "oscope_metric_distance", library.distance);
  Find(handle, "oscope_metric_configure", library.configure);
  if (abi == nullptr || library.distance == nullptr)
    return Invalid("the library lacks oscope_metric_abi or oscope_metric_distance");
  if (const uint32_t version = abi(); version != OSCOPE_METRIC_ABI) {
    return Unsupported("the library is of ABI version {}; this release supports {}", version, OSCOPE_METRIC_ABI);
  }
  return library;
}

// A library that loops must not outlive a query that was killed: when no process can write to us any longer, what was
// asked is answered soon or never. (A signal at the parent's death would come at the death of the thread that started
// us.)
void EndWithQuery() {
  pollfd input = {STDIN_FILENO, 0, 0};
  while (::poll(&input, 1, -1) < 0 && errno == EINTR) {
  }
  std::this_thread::sleep_for(kGrace);
  ::_exit(1);
}

// Lines in, answers out. Answers are written when there is nothing more to read at once, so that a batch costs few
// system calls.
class Host {
 public:
  Host(const Library& library, int out) : library_(library), out_(out) {}

  int Serve() {
    std::string buffer;
    std::vector<char> bytes(kReadBytes);
    while (true) {
      if (!Flush()) return 1;
      const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return count == 0 ? 0 : 1;
      buffer.append(bytes.data(), static_cast<size_t>(count));
      size_t begin = 0;
      for (size_t end = 0; (end = buffer.find('\n', begin)) != std::string::npos; begin = end + 1) {
        if (const Status taken = Take(std::string_view(buffer).substr(begin, end - begin)); !taken.ok())
          return Refuse(taken.error());
      }
      buffer.erase(0, begin);
    }
  }

 private:
  bool Flush() { return WriteAll(out_, std::exchange(answers_, {})); }

  int Refuse(const Error& error) {
    answers_ += kMetricError;
    AppendMetricText(error.message, answers_);
    answers_ += '\n';
    Flush();
    return 1;
  }

  Status Take(std::string_view line) {
    if (line == kMetricGreeting) {
      answers_ += kMetricGreeting;
      answers_ += '\n';
      return {};
    }
    if (line.starts_with("argument ")) {
      arguments_.push_back(ReadMetricText(line.substr(sizeof("argument ") - 1)));
      return {};
    }
    if (line.starts_with("event ")) return TakeEvent(line.substr(sizeof("event ") - 1));
    if (line.starts_with("pair ")) return TakePair(line.substr(sizeof("pair ") - 1));
    return Invalid("not a line of the protocol");
  }

  static std::optional<uint64_t> TakeNumber(std::string_view& line) {
    uint64_t number = 0;
    const auto [end, reason] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (reason != std::errc()) return std::nullopt;
    line.remove_prefix(static_cast<size_t>(end - line.data()));
    if (!line.empty()) line.remove_prefix(1);
    return number;
  }

  Status TakeEvent(std::string_view line) {
    const auto id = TakeNumber(line);
    if (id != names_.size()) return Invalid("event ids are not in order");
    held_.push_back(ReadMetricText(line));
    names_.push_back(held_.back().c_str());
    return {};
  }

  Status TakePair(std::string_view line) {
    OSCOPE_RETURN_IF_ERROR(Configure());
    const auto a_size = TakeNumber(line), b_size = TakeNumber(line);
    // Each id takes two bytes at least.
    if (!a_size || !b_size || *a_size > line.size() + 1 || *b_size > line.size() + 1)
      return Invalid("a pair without its sizes");
    ids_.clear();
    for (uint64_t i = 0; i < *a_size + *b_size; ++i) {
      const auto id = TakeNumber(line);
      if (!id || *id >= names_.size()) return Invalid("a pair with an unknown event");
      ids_.push_back(static_cast<uint32_t>(*id));
    }
    const int64_t distance =
        library_.distance(ids_.data(), *a_size, ids_.data() + *a_size, *b_size, names_.data(), names_.size());
    answers_ += fmt::format("{}\n", distance);
    return {};
  }

  Status Configure() {
    if (std::exchange(configured_, true) || library_.configure == nullptr) return {};
    std::vector<const char*> arguments;
    for (const std::string& argument : arguments_) arguments.push_back(argument.c_str());
    const int refused = library_.configure(arguments.data(), arguments.size());
    if (refused != 0) return Invalid("the library refuses its arguments ({})", refused);
    return {};
  }

  const Library& library_;
  int out_;
  std::string answers_;
  std::vector<std::string> arguments_;
  std::deque<std::string> held_;  // a deque: the texts must not move
  std::vector<const char*> names_;
  std::vector<uint32_t> ids_;
  bool configured_ = false;
};

}  // namespace

int RunMetricHost(const std::string& library) {
  std::thread(EndWithQuery).detach();
  const rlimit no_core = {0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  // The library may print: that must not be taken for answers.
  const int out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (out < 0 || nowhere < 0) return 1;
  ::dup2(nowhere, STDOUT_FILENO);
  const Result<Library> loaded = Load(library);
  if (loaded.ok()) return Host(*loaded, out).Serve();
  std::string line(kMetricError);
  AppendMetricText(loaded.error().message, line);
  WriteAll(out, line + "\n");
  return 1;
}

}  // namespace oscope
