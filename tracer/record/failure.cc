// Follows exceptions and failure functions through the records of a process; failure.h has the rules.
//
// At most two points are kept: the first strong one (an assertion, a signal, a test framework's failure) and the first
// weak one (an exit with a failing code). A strong point always wins, because a program that crashed in one thread may
// still call exit in another.
//
// An exception is followed per thread: thrown ("flying"), caught, thrown on. A catch by code that the rules leave out
// (the standard library, a test framework) does not count as caught, since the program itself let it go. If a failure
// follows soon after a catch, the throw is taken for its cause and the mark is put there; kReportEntries says what
// "soon" means.
//
// Stacks follow their record as a record of their own. stack_of_ remembers which point is waiting for one.
#include "tracer/record/failure.h"

#include <fmt/core.h>

#include "tracer/symbols/linkage_name.h"

namespace oscope {
namespace {

// The text of a rule, with {0}, {1}, … replaced.
std::string FormatMessage(std::string_view format, const std::vector<std::string>& texts) {
  std::string message;
  for (size_t i = 0; i < format.size(); ++i) {
    const bool field = format[i] == '{' && i + 2 < format.size() && format[i + 2] == '}';
    const size_t index = field ? static_cast<size_t>(format[i + 1] - '0') : texts.size();
    if (index >= texts.size()) {
      message += format[i];
      continue;
    }
    message += texts[index];
    i += 2;
  }
  return message;
}

// "St13runtime_error" -> "std::runtime_error"
std::string TypeName(const std::string& mangled) {
  const std::string symbol = "_ZTI" + mangled;
  const std::string name = NameOf(symbol).signature;
  constexpr std::string_view kPrefix = "typeinfo for ";
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : mangled;
}

std::string ExceptionMessage(const std::string& type, const std::string& what) {
  return what.empty() ? "exception " + type : fmt::format("exception {}: {}", type, what);
}

}  // namespace

void FailureFinder::Fail(FailurePoint point) {
  std::optional<FailurePoint>& slot = point.strong ? strong_ : weak_;
  stack_of_ = StackOf::kNothing;
  if (slot) return;
  const bool strong = point.strong;
  slot = std::move(point);
  if (slot->stack.empty()) stack_of_ = strong ? StackOf::kStrong : StackOf::kWeak;
}

void FailureFinder::FailByException(FailurePoint point, const Exception& exception) {
  point.events = exception.events;
  point.stack = exception.stack;
  // An uncaught exception ends in std::terminate or abort.
  const bool is_caught = point.kind != FailureKind::kTerminate && point.kind != FailureKind::kAbort;
  point.kind = is_caught ? FailureKind::kException : FailureKind::kTerminate;
  point.reason = "throw";
  point.message = ExceptionMessage(exception.type, exception.what);
  Fail(std::move(point));
}

void FailureFinder::OnMark(uint32_t thread, Position position, raw::ExtendedRecord& record) {
  record.Word();  // the stack pointer
  const uint32_t index = record.Word();
  record.Word();  // the caller
  const uint32_t count = record.Word();
  std::vector<std::string> texts;
  for (uint32_t i = 0; i < count && !record.bad(); ++i) texts.push_back(record.Text().value_or("?"));
  if (record.bad() || index >= MarkRules().size()) return;
  const MarkRule& rule = MarkRules()[index];
  const ThreadState& state = threads_[thread];
  FailurePoint point{.thread = thread,
                     .events = position.events,
                     .strong = !rule.is_exit(),
                     .kind = KindOfReason(rule.reason),
                     .signal = {},
                     .reason = std::string(rule.reason),
                     .message = FormatMessage(rule.message, texts),
                     .stack = {}};
  if (position.entries - state.caught_at.value_or(position.entries) > kReportEntries) return Fail(std::move(point));
  if (state.flying) return FailByException(std::move(point), *state.flying);
  if (rule.is_exit() && state.caught_by_main) return FailByException(std::move(point), *state.caught);
  Fail(std::move(point));
}

void FailureFinder::OnCatch(ThreadState& state, Position position, raw::ExtendedRecord& record) {
  record.Word();  // the stack pointer
  const RecordedFunction* catcher = names_.FunctionOf(record.Word());
  if (!state.flying) return;
  state.caught_at = position.entries;
  // A framework, the standard library or the unwinder catches what the program let go: that is still the failure.
  if (catcher != nullptr && !catcher->kept) return;
  state.caught = std::move(state.flying);
  state.flying.reset();
  state.caught_by_main = catcher != nullptr && catcher->method == "main";
}

void FailureFinder::OnStack(uint32_t thread, raw::ExtendedRecord& record) {
  const uint32_t why = record.Word();
  const uint32_t count = record.Word();
  std::vector<uint32_t> frames;
  for (uint32_t i = 0; i < count && i < OSC_RAW_MAX_STACK && !record.bad(); ++i) frames.push_back(record.Word());
  if (record.bad()) return;
  if (why == OSC_RAW_THROW) {
    ThreadState& state = threads_[thread];
    if (state.stack_is_anothers) return;
    std::optional<Exception>& exception = state.flying ? state.flying : state.caught;
    if (exception) exception->stack = std::move(frames);
    return;
  }
  std::optional<FailurePoint>& point = stack_of_ == StackOf::kStrong ? strong_ : weak_;
  if (stack_of_ != StackOf::kNothing && point && point->thread == thread) point->stack = std::move(frames);
  stack_of_ = StackOf::kNothing;
}

void FailureFinder::OnRecord(uint32_t thread, Position position, raw::ExtendedRecord& record) {
  ThreadState& state = threads_[thread];
  switch (record.type()) {
    case OSC_RAW_MARK: OnMark(thread, position, record); break;
    case OSC_RAW_STACK: OnStack(thread, record); break;
    case OSC_RAW_CATCH: OnCatch(state, position, record); break;
    case OSC_RAW_THROW: {
      record.Word();  // the stack pointer
      record.Word();  // the caller
      const std::string type = TypeName(record.Text().value_or("?"));
      // What Boost.Test throws once it has caught what the program threw. The stack that comes is that of the last
      // throw.
      state.stack_is_anothers = state.flying && type == "boost::execution_exception";
      if (state.stack_is_anothers) break;
      state.flying =
          Exception{.events = position.events, .type = type, .what = record.Text().value_or(""), .stack = {}};
      state.caught_at.reset();
      break;
    }
    case OSC_RAW_RETHROW:
      // What a framework caught is still flying.
      if (!state.flying) state.flying = state.caught;
      state.caught_by_main = false;
      state.caught_at.reset();
      break;
    case OSC_RAW_EXIT: {
      const uint32_t status = record.Word() & 0xff;
      end_code_ = static_cast<int>(status);
      if (status != 0) {
        Fail({.thread = thread,
              .events = position.events,
              .strong = false,
              .kind = FailureKind::kExit,
              .signal = {},
              .reason = "exit",
              .message = fmt::format("exit code {}", status),
              .stack = {}});
      }
      break;
    }
    case OSC_RAW_SIGNAL: {
      const int number = static_cast<int>(record.Word());
      if (record.Word() != 1) break;
      end_code_ = kSignalCode + number;
      Fail({.thread = thread,
            .events = position.events,
            .strong = true,
            .kind = FailureKind::kSignal,
            .signal = number,
            .reason = SignalName(number),
            .message = SignalName(number),
            .stack = {}});
      break;
    }
    default: break;
  }
}

}  // namespace oscope
