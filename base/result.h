// Result<T>: a value, or an Error that says what was being done, and to what.
//
// Failures of input, disks and other programs are returned as Result. Our own bugs are asserts: OSCOPE_CHECK stays on
// in release builds. value() and operator* of a failed Result abort the program, so ok() must be asked first.
// Threads: a value like any other.
//
// Example:
//   Result<Manifest> ReadManifest(const std::string& path) {
//     OSCOPE_ASSIGN_OR_RETURN(std::string text, fs.ReadFile(path));
//     if (text.empty()) return Corrupt("manifest {}: empty", path);
//     ...
//   }
#pragma once

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace oscope {

// Who can act on the error. The command line turns each into an exit code (docs/exit-codes.md).
enum class ErrorCode {
  kInvalid,      // the caller's input is wrong: malformed file, bad argument
  kNotFound,     // a name, id, file or store that does not exist
  kConflict,     // the same identity with other content
  kLimit,        // a size, depth, ratio or quota limit
  kUnsupported,  // a version or kind that this release does not know
  kCorrupt,      // stored bytes that fail their checks
  kIo,           // the operating system refused: disk full, I/O error, permission
  kBusy,         // someone else holds it: trying again may work
  kCancelled,    // the user asked to stop
};

std::string_view ErrorCodeName(ErrorCode code);

struct Error {
  ErrorCode code;
  std::string message;

  // Returns the same error with its context in front: "segment 12: bad magic".
  Error Within(std::string_view what) &&;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return Checked(); }
  const T& value() const& { return const_cast<Result*>(this)->Checked(); }
  T&& value() && { return std::move(Checked()); }
  T& operator*() & { return Checked(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(Checked()); }
  T* operator->() { return &Checked(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  T& Checked() {
    if (T* value = std::get_if<0>(&state_)) return *value;
    std::fprintf(stderr, "oscope: value of a failed Result: %s\n", std::get<1>(state_).message.c_str());
    std::abort();
  }

  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const& { return *error_; }
  Error&& error() && { return *std::move(error_); }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;

// The formatting itself is compiled once.
Error MakeError(ErrorCode code, fmt::string_view format, fmt::format_args arguments);

// Invalid("segment {}: bad magic", id) and the like; the format is checked when the caller is compiled.
#define OSCOPE_ERROR_MAKER(Name)                                                  \
  template <typename... Args>                                                     \
  Error Name(fmt::format_string<Args...> format, Args&&... args) {                \
    return MakeError(ErrorCode::k##Name, format, fmt::make_format_args(args...)); \
  }
OSCOPE_ERROR_MAKER(Invalid)
OSCOPE_ERROR_MAKER(NotFound)
OSCOPE_ERROR_MAKER(Conflict)
OSCOPE_ERROR_MAKER(Limit)
OSCOPE_ERROR_MAKER(Unsupported)
OSCOPE_ERROR_MAKER(Corrupt)
OSCOPE_ERROR_MAKER(Busy)
OSCOPE_ERROR_MAKER(Cancelled)
#undef OSCOPE_ERROR_MAKER

// Returns kIo with the reason of `error_number` (errno): "write segments/x: No space left on device".
Error IoError(int error_number, std::string_view doing, std::string_view path);

#define OSCOPE_CONCAT_INNER(a, b) a##b
#define OSCOPE_CONCAT(a, b) OSCOPE_CONCAT_INNER(a, b)

// Evaluates a Status or Result; when it has an error, returns that error from the calling function. (__COUNTER__ and
// not __LINE__, because everything in a macro's argument, such as a lambda that uses these macros, shares one line.)
#define OSCOPE_RETURN_IF_ERROR(expression) \
  OSCOPE_RETURN_IF_ERROR_INNER(OSCOPE_CONCAT(oscope_status_, __COUNTER__), expression)
#define OSCOPE_RETURN_IF_ERROR_INNER(status, expression)                            \
  do {                                                                              \
    if (auto status = (expression); !status.ok()) return std::move(status).error(); \
  } while (false)

// Declares `target` with the value of a Result, or returns its error.
#define OSCOPE_ASSIGN_OR_RETURN(target, expression) \
  OSCOPE_ASSIGN_OR_RETURN_INNER(OSCOPE_CONCAT(oscope_result_, __COUNTER__), target, expression)
#define OSCOPE_ASSIGN_OR_RETURN_INNER(result, target, expression) \
  auto result = (expression);                                     \
  if (!result.ok()) return std::move(result).error();             \
  target = std::move(result).value()

// Aborts the program, with the place, when an invariant of our own does not hold. Stays on in release builds.
#define OSCOPE_CHECK(condition)                                                                      \
  do {                                                                                               \
    if (!(condition)) {                                                                              \
      std::fprintf(stderr, "oscope: %s:%d: invariant broken: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                                  \
    }                                                                                                \
  } while (false)

}  // namespace oscope
