// Opens a session on a thread of its own while the command runs the user's program. The thread blocks all signals,
// because the main thread must get them. Dropping the object sets a flag that the opening asks for, so that a command
// that fails early does not wait for a large store to be read.
#include "query/run/session_opening.h"

#include <signal.h>

#include <utility>

namespace oscope {
namespace {

// A thread that is started meanwhile leaves all signals to the one that waits for the program.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~AllSignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

Result<Session> OpenSession(Store store, SessionOptions options, Readiness readiness) {
  OSCOPE_ASSIGN_OR_RETURN(Session session, Session::Open(std::move(store), std::move(options)));
  if (readiness == Readiness::kWarm) session.Warm();
  return session;
}

}  // namespace

SessionOpening SessionOpening::Start(Store store, SessionOptions options, Readiness readiness) {
  SessionOpening made;
  made.dropped_ = CancelSource(store.cancel());
  const AllSignalsBlocked blocked;
  made.opening_ =
      std::async(std::launch::async, OpenSession, store.Share(made.dropped_.token()), std::move(options), readiness);
  return made;
}

SessionOpening SessionOpening::Failed(Error error) {
  SessionOpening made;
  made.error_ = std::move(error);
  return made;
}

SessionOpening::SessionOpening(SessionOpening&& other) noexcept
    : error_(std::move(other.error_)),
      dropped_(std::exchange(other.dropped_, CancelSource())),
      opening_(std::move(other.opening_)),
      session_(std::move(other.session_)) {}

SessionOpening& SessionOpening::operator=(SessionOpening&& other) noexcept {
  // The future that is replaced waits for its thread, which should not finish work whose result is not needed.
  dropped_.Cancel();
  error_ = std::move(other.error_);
  dropped_ = std::exchange(other.dropped_, CancelSource());
  opening_ = std::move(other.opening_);
  session_ = std::move(other.session_);
  return *this;
}

SessionOpening::~SessionOpening() { dropped_.Cancel(); }

Result<Session*> SessionOpening::Ready() {
  if (!error_.ok()) return error_.error();
  if (!session_) {
    if (!opening_.valid()) return NotFound("the store could not be opened");
    OSCOPE_ASSIGN_OR_RETURN(session_, opening_.get());
  }
  return &*session_;
}

}  // namespace oscope
