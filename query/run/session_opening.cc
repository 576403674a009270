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
  made.asked_stop_ = options.stop;
  options.stop = [dropped = made.stop_, asked = made.asked_stop_] {
    return dropped->load(std::memory_order_relaxed) || (asked && asked());
  };
  const AllSignalsBlocked blocked;
  made.opening_ = std::async(std::launch::async, OpenSession, std::move(store), std::move(options), readiness);
  return made;
}

SessionOpening SessionOpening::Failed(Error error) {
  SessionOpening made;
  made.error_ = std::move(error);
  return made;
}

SessionOpening::SessionOpening(SessionOpening&&) noexcept = default;

SessionOpening& SessionOpening::operator=(SessionOpening&& other) noexcept {
  // The future that is replaced waits for its thread, which should not finish what nobody wants.
  Stop();
  error_ = std::move(other.error_);
  stop_ = std::move(other.stop_);
  asked_stop_ = std::move(other.asked_stop_);
  opening_ = std::move(other.opening_);
  session_ = std::move(other.session_);
  return *this;
}

SessionOpening::~SessionOpening() { Stop(); }

void SessionOpening::Stop() {
  if (stop_) stop_->store(true);
}

Result<Session*> SessionOpening::Ready() {
  if (!error_.ok()) return error_.error();
  if (!session_) {
    if (!opening_.valid()) return NotFound("the store could not be opened");
    OSCOPE_ASSIGN_OR_RETURN(session_, opening_.get());
    session_->options().stop = asked_stop_;
  }
  return &*session_;
}

}  // namespace oscope
