#include "cli/commands/similar_search.h"

#include <signal.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "bql/check/parameters.h"
#include "cli/shell/own_statement.h"
#include "cli/text.h"
#include "cli/user_metrics.h"
#include "query/run/saved_queries.h"
#include "query/similar/remembered_query.h"
#include "query/similar/widening.h"

namespace oscope::cli {
namespace {

// As docs/history-accuracy.md measures them.
constexpr uint32_t kNearShare = 10;  // bugs are near within one edit for so many events that are compared
constexpr uint32_t kMethodEvents = 100, kFarthestMethods = 800;
constexpr size_t kMaxAligned = 100;

uint32_t NearEdits(const SimilarOptions& options) {
  return options.distance.edits.value_or(options.suffix / kNearShare);
}

// The shipped `suffix`, which would widen by itself if there were nothing.
std::string SuffixStatement(const SimilarOptions& options) {
  return fmt::format("SELECT b FROM ALL WHERE SUBSET?(tbug.failing[{0}], b.failing[{0}], d => {1})", options.suffix,
                     options.distance.any ? "any" : std::to_string(NearEdits(options)));
}

std::string MethodsStatement(uint64_t farthest) {
  return fmt::format("SELECT b FROM ALL WHERE SUBSET?(tbug.failing[{0}], b.failing[{0}], {1}) DISTANCE recent",
                     kMethodEvents, farthest);
}

std::string StackStatement(const SimilarOptions& options) {
  if (options.distance.edits) {
    return fmt::format("SELECT b FROM ALL WHERE SUBSET?(PROJ(tbug, stack), PROJ(b, stack), {})",
                       *options.distance.edits);
  }
  // The best for stacks by far (docs/accuracy.md): all that share a word, nearest first.
  return "SELECT b FROM ALL WHERE SUBSET?(PROJ(tbug, stack), PROJ(b, stack), 999) DISTANCE words";
}

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

// `any` and the words of stacks let through what has nothing in common.
void LeaveOutUnlike(SimilarAnswer& answer) {
  std::erase_if(answer.bugs,
                [](const SimilarBug& bug) { return bug.alignment && bug.alignment->Count(EditKind::kKeep) == 0; });
}

// Short traces are within a few edits of every other.
void LeaveOutFar(SimilarAnswer& answer) {
  std::erase_if(answer.bugs, [](const SimilarBug& bug) {
    return bug.alignment && bug.distance.value_or(0) * kNearShare > bug.alignment->length();
  });
}

// Where edits find too few bugs, all that ran similar methods last follow.
std::vector<WideningStep> FromEditsToMethods() {
  return {{.distance = kFarthestMethods, .note = "no bug's runs end like this; these ran similar methods last"}};
}

// What the search by methods found and the one by edits did not.
void Append(SimilarAnswer farther, std::string_view note, size_t limit, SimilarAnswer& answer) {
  if (answer.bugs.empty() && !farther.bugs.empty()) answer.notes.emplace_back(note);
  const size_t near = answer.bugs.size();
  for (SimilarBug& bug : farther.bugs) {
    if (limit != 0 && answer.bugs.size() == limit) return;
    const bool known = std::any_of(answer.bugs.begin(), answer.bugs.begin() + static_cast<ptrdiff_t>(near),
                                   [&](const SimilarBug& one) { return one.report.key == bug.report.key; });
    if (!known) answer.bugs.push_back(std::move(bug));
  }
}

std::string RunName(RunId run) { return std::string(bql::kRunPrefix) + ToString(run); }

}  // namespace

SimilarSearch SimilarSearch::Start(const Context& context, Store store, Readiness readiness) {
  Opening opening;
  opening.store = store.Share();
  SessionOptions options;
  options.skip_damaged = context.options.partial;
  options.stop = [stop = opening.stop] { return stop->load(std::memory_order_relaxed); };
  if (const Result<std::string> project = context.Project(); project.ok()) options.default_project = *project;
  if (Result<UserMetrics> metrics = LoadUserMetrics(WorkingDirectory()); metrics.ok()) {
    options.user_metrics = *std::move(metrics);
  } else {
    opening.error = std::move(metrics).error();
  }
  const AllSignalsBlocked blocked;
  opening.session = std::async(
      std::launch::async, [store = std::make_shared<Store>(std::move(store)), options, readiness]() -> Result<Session> {
        OSCOPE_ASSIGN_OR_RETURN(Session session, Session::Open(std::move(*store), options));
        if (readiness == Readiness::kWarm) session.Warm();
        return session;
      });
  return SimilarSearch(std::move(opening));
}

SimilarSearch SimilarSearch::Start(const Context& context) {
  Result<Store> store = context.OpenStore(Access::kRead);
  if (store.ok()) return Start(context, *std::move(store));
  Opening opening;
  opening.error = std::move(store).error();
  return SimilarSearch(std::move(opening));
}

SimilarSearch::SimilarSearch(SimilarSearch&&) noexcept = default;

SimilarSearch& SimilarSearch::operator=(SimilarSearch&& other) noexcept {
  Stop();
  opening_ = std::move(other.opening_);
  session_ = std::move(other.session_);
  return *this;
}

SimilarSearch::~SimilarSearch() { Stop(); }

void SimilarSearch::Stop() {
  if (opening_.stop) opening_.stop->store(true);
}

Status SimilarSearch::CheckQuery(const Store& store, std::string_view query) {
  OSCOPE_ASSIGN_OR_RETURN(const StoreSettings settings, store.Settings());
  OSCOPE_RETURN_IF_ERROR(CallAboutBugAtHand(ReadSavedQueries(settings), query));
  return {};
}

Result<Session*> SimilarSearch::Ready() {
  if (!opening_.error.ok()) return opening_.error.error();
  if (!session_) {
    if (!opening_.session.valid()) return NotFound("the store could not be opened");
    OSCOPE_ASSIGN_OR_RETURN(session_, opening_.session.get());
    session_->options().stop = nullptr;
  }
  OSCOPE_RETURN_IF_ERROR(session_->Refresh());
  return &*session_;
}

Result<SimilarAnswer> SimilarSearch::OfBug(const Context& context, const BugKey& bug, const SimilarOptions& options) {
  OSCOPE_ASSIGN_OR_RETURN(Session* const session, Ready());
  OSCOPE_ASSIGN_OR_RETURN(const ComparableKinds kinds, session->KindsOf(bug));
  if (!kinds.any()) return NotFound("bug {}: no failing run of it has a trace to compare", ToString(bug));
  session->SetParameter(std::string(bql::kBugAtHand), ToString(bug));
  return Usual(context, *session, kinds, options);
}

Result<SimilarAnswer> SimilarSearch::OfRun(const Context& context, RunId run, const SimilarOptions& options) {
  OSCOPE_ASSIGN_OR_RETURN(Session* const session, Ready());
  OSCOPE_ASSIGN_OR_RETURN(const ComparableKinds kinds, session->KindsOf(run));
  if (!kinds.any()) return NotFound("run {}: it has no trace of a failure to compare", ShortId(run));
  session->SetParameter(std::string(bql::kBugAtHand), RunName(run));
  return Usual(context, *session, kinds, options);
}

Result<SimilarAnswer> SimilarSearch::OfFailingRun(const Context& context, const RunHeader& run, std::string_view query,
                                                  const SimilarOptions& options) {
  OSCOPE_ASSIGN_OR_RETURN(Session* const session, Ready());
  OSCOPE_ASSIGN_OR_RETURN(const StoreSettings settings, opening_.store->Settings());
  std::string asked(query);
  if (asked.empty()) {
    OSCOPE_ASSIGN_OR_RETURN(asked, RememberedQuery(*opening_.store, run));
  }
  if (asked.empty()) return OfRun(context, run.id, options);
  Result<std::string> statement = CallAboutBugAtHand(ReadSavedQueries(settings), asked);
  if (!statement.ok()) {
    if (!query.empty()) return std::move(statement).error();
    context.Note("the query that is remembered for this test cannot be asked: {}", statement.error().message);
    return OfRun(context, run.id, options);
  }
  session->SetParameter(std::string(bql::kBugAtHand), RunName(run.id));
  OSCOPE_ASSIGN_OR_RETURN(SimilarAnswer answer, Ask(context, *session, *statement, options.limit));
  answer.query = asked;
  // The bug may stand on either side of the query's predicate.
  for (SimilarBug& bug : answer.bugs) {
    if (bug.theirs && bug.theirs->run == run.id) std::swap(bug.ours, bug.theirs);
  }
  OSCOPE_RETURN_IF_ERROR(Align(*session, options, answer));
  if (query.empty()) return answer;
  if (const Status kept = RememberQuery(*opening_.store, run, query); !kept.ok()) {
    context.Warn("the query is not remembered: {}", kept.error().message);
  }
  return answer;
}

Result<SimilarAnswer> SimilarSearch::Usual(const Context& context, Session& session, ComparableKinds kinds,
                                           const SimilarOptions& options) {
  if (kinds.stacks && (!kinds.executions || options.first == CompareFirst::kStacks))
    return ByStacks(context, session, options);
  OSCOPE_ASSIGN_OR_RETURN(SimilarAnswer answer, Ask(context, session, SuffixStatement(options), options.limit));
  answer.kind = TraceKind::kExecution;
  OSCOPE_RETURN_IF_ERROR(Align(session, options, answer));
  LeaveOutUnlike(answer);
  if (options.distance.any || options.distance.edits) return answer;
  LeaveOutFar(answer);
  const auto is_full = [&](const SimilarAnswer& found) {
    return options.limit != 0 && found.bugs.size() == options.limit;
  };
  const auto ask = [&](const WideningStep& step, SimilarAnswer found) -> Result<SimilarAnswer> {
    const size_t limit = options.limit == 0 ? 0 : options.limit + found.bugs.size();  // it may find all of these again
    OSCOPE_ASSIGN_OR_RETURN(SimilarAnswer farther, Ask(context, session, MethodsStatement(step.distance), limit));
    OSCOPE_RETURN_IF_ERROR(FindCommonMethods(session, farther));
    Append(std::move(farther), step.note, options.limit, found);
    return found;
  };
  return Widen(std::move(answer), FromEditsToMethods(), is_full, ask);
}

Result<SimilarAnswer> SimilarSearch::ByStacks(const Context& context, Session& session, const SimilarOptions& options) {
  OSCOPE_ASSIGN_OR_RETURN(SimilarAnswer answer, Ask(context, session, StackStatement(options), options.limit));
  answer.kind = TraceKind::kStack;
  if (!options.distance.edits) {
    for (SimilarBug& bug : answer.bugs) bug.distance_of = DistanceOf::kWords;
  }
  OSCOPE_RETURN_IF_ERROR(Align(session, options, answer));
  LeaveOutUnlike(answer);
  return answer;
}

Result<SimilarAnswer> SimilarSearch::Ask(const Context& context, Session& session, std::string_view statement,
                                         size_t limit) {
  session.options().default_limit = limit == 0 ? std::nullopt : std::optional<uint64_t>(limit);
  OSCOPE_ASSIGN_OR_RETURN(Answer found, RunOwnStatement(context, session, statement));
  SimilarAnswer answer;
  answer.notes = std::move(found.notes);
  answer.damaged = std::move(found.damaged);
  answer.traces = found.stats.traces;
  if (std::any_of(found.rows.begin(), found.rows.end(), [](const AnswerRow& row) { return row.bugs.size() != 1; })) {
    answer.rows = std::move(found);
    return answer;
  }
  if (limit != 0 && found.rows.size() > limit) found.rows.resize(limit);
  std::vector<BugKey> keys;
  for (const AnswerRow& row : found.rows) keys.push_back(row.bugs.front());
  OSCOPE_ASSIGN_OR_RETURN(std::vector<Bug> reports, session.Reports(keys));
  for (size_t i = 0; i < keys.size(); ++i) {
    const AnswerRow& row = found.rows[i];
    SimilarBug& bug = answer.bugs.emplace_back();
    bug.report = std::move(reports[i]);
    bug.distance = row.distance;
    if (!row.pair) continue;
    bug.ours = row.pair->ours;
    bug.theirs = row.pair->theirs;
    if (bug.theirs) answer.kind = bug.theirs->kind;
  }
  return answer;
}

Status SimilarSearch::Align(Session& session, const SimilarOptions& options, SimilarAnswer& answer) {
  const uint64_t length = answer.kind == TraceKind::kStack ? std::numeric_limits<uint64_t>::max() : options.suffix;
  for (size_t i = 0; i < std::min(answer.bugs.size(), kMaxAligned); ++i) {
    SimilarBug& bug = answer.bugs[i];
    if (!bug.ours || !bug.theirs) continue;
    OSCOPE_ASSIGN_OR_RETURN(std::vector<std::string> ours, session.Suffix(*bug.ours, length));
    OSCOPE_ASSIGN_OR_RETURN(std::vector<std::string> theirs, session.Suffix(*bug.theirs, length));
    Result<Alignment> made = Alignment::Of(std::move(ours), std::move(theirs));
    if (!made.ok() && made.error().code != ErrorCode::kLimit) return std::move(made).error();
    if (made.ok()) bug.alignment = *std::move(made);
  }
  return {};
}

Status SimilarSearch::FindCommonMethods(Session& session, SimilarAnswer& answer) {
  for (SimilarBug& bug : answer.bugs) {
    bug.distance_of = DistanceOf::kMethods;
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<std::string> ours, session.Suffix(*bug.ours, kMethodEvents));
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<std::string> theirs, session.Suffix(*bug.theirs, kMethodEvents));
    bug.methods = CommonMethods::Of(ours, theirs);
  }
  return {};
}

}  // namespace oscope::cli
