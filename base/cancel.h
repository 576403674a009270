// The wish to stop: long work is given a token, asks it now and then, and returns kCancelled once it says so.
//
// A token is handed over where something is opened or begun (a store, a session, a statement, an import, a subprocess),
// and what is done for it deep down asks that token and no other. There is deliberately no function that asks for the
// whole process: a process may do the work of several people, and who cancels one piece of it leaves the others running.
// The token of the process's signals is known to the program's main function alone, which hands it on.
//
// Threads: everything here may be called from any thread.
// Example:
//   CancelSource statement(session_token);     cancelled by Cancel(), or together with the session
//   store.Share(statement.token()).Compact();  ends with kCancelled soon after
//   statement.Cancel();
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "base/result.h"

namespace oscope {

// Says whether to stop. Cheap to copy; it may outlive the source that it comes from.
class CancelToken {
 public:
  CancelToken() = default;  // never cancelled
  // Cancelled whenever `asked` says so, which is called for each question, also by several threads at once.
  explicit CancelToken(std::function<bool()> asked);

  bool cancelled() const { return asked_ != nullptr && (*asked_)(); }
  Status Check() const;  // kCancelled when cancelled

 private:
  std::shared_ptr<const std::function<bool()>> asked_;  // null: never cancelled
};

// Owns the wish that a token tells of. Copies share it.
class CancelSource {
 public:
  // Its token is cancelled by Cancel(), and also whenever `parent` is.
  explicit CancelSource(CancelToken parent = {});

  const CancelToken& token() const { return token_; }
  void Cancel() { requested_->store(true, std::memory_order_relaxed); }  // may be called by a signal handler
  void Reset() {
    requested_->store(false, std::memory_order_relaxed);
  }  // takes Cancel() back, for the next piece of work
  // Whether Cancel() was called, whatever the parent says.
  bool requested() const { return requested_->load(std::memory_order_relaxed); }

 private:
  friend CancelSource InstallCancelOnSignals();
  CancelSource(std::shared_ptr<std::atomic<bool>> requested, CancelToken parent);

  std::shared_ptr<std::atomic<bool>> requested_;
  CancelToken token_;
};

// From now on the first SIGINT or SIGTERM cancels the source that is returned and wakes blocking calls (EINTR); a SIGINT
// when it is already cancelled ends the process at once with exit code 130. Every call returns the same source.
CancelSource InstallCancelOnSignals();

}  // namespace oscope
