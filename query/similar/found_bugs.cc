// What all searches of this folder share: ask a statement about the bug at hand, and turn its rows into bugs with
// reports. A session may belong to somebody else, so the parameter and the LIMIT that the question sets are put back
// afterwards (Question). Alignments are made for the first hundred bugs only, since each takes time in proportion to
// the product of two lengths.
#include "query/similar/found_bugs.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "bql/check/parameters.h"
#include "query/run/own_statement.h"

namespace oscope {
namespace {

// Nobody reads more, and each takes the product of two lengths.
constexpr size_t kMaxAligned = 100;

// What a question changes in the caller's session until it is answered, and then puts back.
class Question {
 public:
  Question(Session& session, const std::string& subject, size_t limit)
      : session_(session), limit_before_(session.options().default_limit) {
    const auto known = session.parameters().find(name_);
    if (known != session.parameters().end()) subject_before_ = known->second;
    session.SetParameter(name_, subject);
    session.options().default_limit = limit == 0 ? std::nullopt : std::optional<uint64_t>(limit);
  }
  ~Question() {
    session_.options().default_limit = limit_before_;
    if (subject_before_) {
      session_.SetParameter(name_, *subject_before_);
    } else {
      session_.ClearParameter(name_);
    }
  }
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;

 private:
  const std::string name_{bql::kBugAtHand};
  Session& session_;
  std::optional<uint64_t> limit_before_;
  std::optional<std::string> subject_before_;
};

SimilarBug BugOf(const AnswerRow& row, Bug report) {
  SimilarBug bug;
  bug.report = std::move(report);
  bug.distance = row.distance;
  if (!row.pair) return bug;
  bug.ours = row.pair->ours;
  bug.theirs = row.pair->theirs;
  return bug;
}

}  // namespace

std::string SubjectName(const BugKey& bug) { return ToString(bug); }
std::string SubjectName(RunId run) { return std::string(bql::kRunPrefix) + ToString(run); }

Result<SimilarAnswer> AskForBugs(Session& session, const std::string& subject, std::string_view statement,
                                 size_t limit) {
  const Question question(session, subject, limit);
  OSCOPE_ASSIGN_OR_RETURN(Answer found, ExecuteOwnStatement(session, statement));
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
    const SimilarBug& bug = answer.bugs.emplace_back(BugOf(found.rows[i], std::move(reports[i])));
    if (bug.theirs) answer.kind = bug.theirs->kind;
  }
  return answer;
}

Result<SimilarAnswer> WithAlignments(Session& session, uint32_t suffix, SimilarAnswer answer) {
  const uint64_t length = answer.kind == TraceKind::kStack ? std::numeric_limits<uint64_t>::max() : suffix;
  for (size_t i = 0; i < std::min(answer.bugs.size(), kMaxAligned); ++i) {
    SimilarBug& bug = answer.bugs[i];
    if (!bug.ours || !bug.theirs) continue;
    OSCOPE_ASSIGN_OR_RETURN(std::vector<std::string> ours, session.Suffix(*bug.ours, length));
    OSCOPE_ASSIGN_OR_RETURN(std::vector<std::string> theirs, session.Suffix(*bug.theirs, length));
    Result<Alignment> made = Alignment::Of(std::move(ours), std::move(theirs));
    if (!made.ok() && made.error().code != ErrorCode::kLimit) return std::move(made).error();
    if (made.ok()) bug.alignment = *std::move(made);
  }
  return answer;
}

Result<SimilarAnswer> WithCommonMethods(Session& session, uint32_t events, SimilarAnswer answer) {
  for (SimilarBug& bug : answer.bugs) {
    bug.distance_of = DistanceOf::kMethods;
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<std::string> ours, session.Suffix(*bug.ours, events));
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<std::string> theirs, session.Suffix(*bug.theirs, events));
    bug.methods = CommonMethods::Of(ours, theirs);
  }
  return answer;
}

}  // namespace oscope
