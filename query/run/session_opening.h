// A session that is opened in the background, while its user does something else: a command that runs a program first
// finds the store read and warm when it asks.
//
// What the same process commits meanwhile, through the store given or a share of it, costs the first question little
// more: the session takes in what is new. The thread leaves all signals to the others, and ends its work soon when the
// object is dropped.
// Threads: one at a time.
//
// Example:
//   SessionOpening opening = SessionOpening::Start(store.Share(), options, Readiness::kWarm);
//   … run the program, commit the run …
//   OSCOPE_ASSIGN_OR_RETURN(Session* const session, opening.Ready());
#pragma once

#include <future>
#include <optional>

#include "base/result.h"
#include "index/store/store.h"
#include "query/run/session.h"

namespace oscope {

// Whether the background also does what only the first search would have to (Session::Warm): worth it when that is not
// asked for at once.
enum class Readiness : uint8_t { kOpen, kWarm };

class SessionOpening {
 public:
  // Returns at once; Ready returns the error if something goes wrong.
  static SessionOpening Start(Store store, SessionOptions options, Readiness readiness);
  // An opening that failed before it began: Ready always returns this error.
  static SessionOpening Failed(Error error);

  SessionOpening(SessionOpening&&) noexcept;
  SessionOpening& operator=(SessionOpening&&) noexcept;
  ~SessionOpening();

  // The session, once it is open; waits for that. The session lives as long as this object is neither moved nor
  // dropped. Fails with the error of Session::Open, and with kNotFound when that error has been returned before.
  Result<Session*> Ready();

 private:
  SessionOpening() = default;

  Status error_;
  CancelSource dropped_;
  std::future<Result<Session>> opening_;
  std::optional<Session> session_;
};

}  // namespace oscope
