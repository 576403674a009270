// The search in two steps: within a few edits, where a distance means something, then by methods, where it only ranks.
//
// It asks statements rather than the engine, so that it finds what a user finds who asks them. It does not call the
// shipped `suffix`, which would widen by edits if there were nothing: beyond a tenth of the events, edits rank worse
// than methods do (docs/history-accuracy.md).
#include "query/similar/similar_search.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "query/run/widening.h"
#include "query/similar/found_bugs.h"

namespace oscope {
namespace {

// As docs/history-accuracy.md measures them.
constexpr uint32_t kNearShare = 10;  // a bug is near within one edit for this many compared events
constexpr uint32_t kMethodEvents = 100, kFarthestMethods = 800;

uint32_t NearEdits(const SimilarOptions& options) {
  return options.distance.edits.value_or(options.suffix / kNearShare);
}

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

// Where edits find too few bugs, all that ran similar methods last follow.
std::vector<WideningStep> FromEditsToMethods() {
  return {{.distance = kFarthestMethods, .note = "no bug's runs end like this; these ran similar methods last"}};
}

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

// What the search by methods found and the one by edits did not.
void Append(SimilarAnswer farther, const std::string& note, size_t limit, SimilarAnswer& answer) {
  if (answer.bugs.empty() && !farther.bugs.empty()) answer.notes.push_back(note);
  const size_t near = answer.bugs.size();
  for (SimilarBug& bug : farther.bugs) {
    if (limit != 0 && answer.bugs.size() == limit) return;
    const bool known = std::any_of(answer.bugs.begin(), answer.bugs.begin() + static_cast<ptrdiff_t>(near),
                                   [&](const SimilarBug& one) { return one.report.key == bug.report.key; });
    if (!known) answer.bugs.push_back(std::move(bug));
  }
}

Result<SimilarAnswer> ByStacks(Session& session, const std::string& subject, const SimilarOptions& options) {
  OSCOPE_ASSIGN_OR_RETURN(SimilarAnswer answer, AskForBugs(session, subject, StackStatement(options), options.limit));
  answer.kind = TraceKind::kStack;
  if (!options.distance.edits) {
    for (SimilarBug& bug : answer.bugs) bug.distance_of = DistanceOf::kWords;
  }
  OSCOPE_ASSIGN_OR_RETURN(answer, WithAlignments(session, options.suffix, std::move(answer)));
  LeaveOutUnlike(answer);
  return answer;
}

Result<SimilarAnswer> ByExecutions(Session& session, const std::string& subject, const SimilarOptions& options) {
  OSCOPE_ASSIGN_OR_RETURN(SimilarAnswer answer, AskForBugs(session, subject, SuffixStatement(options), options.limit));
  answer.kind = TraceKind::kExecution;
  OSCOPE_ASSIGN_OR_RETURN(answer, WithAlignments(session, options.suffix, std::move(answer)));
  LeaveOutUnlike(answer);
  if (options.distance.any || options.distance.edits) return answer;
  LeaveOutFar(answer);
  const auto is_full = [&](const SimilarAnswer& found) {
    return options.limit != 0 && found.bugs.size() == options.limit;
  };
  const auto ask = [&](const WideningStep& step, SimilarAnswer found) -> Result<SimilarAnswer> {
    const size_t limit = options.limit == 0 ? 0 : options.limit + found.bugs.size();  // it may find all of these again
    OSCOPE_ASSIGN_OR_RETURN(SimilarAnswer farther,
                            AskForBugs(session, subject, MethodsStatement(step.distance), limit));
    OSCOPE_ASSIGN_OR_RETURN(farther, WithCommonMethods(session, kMethodEvents, std::move(farther)));
    Append(std::move(farther), step.note, options.limit, found);
    return found;
  };
  return Widen(std::move(answer), FromEditsToMethods(), is_full, ask);
}

Result<SimilarAnswer> ByKind(Session& session, const std::string& subject, ComparableKinds kinds,
                             const SimilarOptions& options) {
  const bool by_stacks = kinds.stacks && (!kinds.executions || options.first == CompareFirst::kStacks);
  return by_stacks ? ByStacks(session, subject, options) : ByExecutions(session, subject, options);
}

// As commands show a run; its first digits are enough to name it.
std::string ShortName(RunId run) { return ToString(run).substr(0, 12); }

}  // namespace

Result<SimilarAnswer> FindSimilar(Session& session, const BugKey& bug, const SimilarOptions& options) {
  OSCOPE_RETURN_IF_ERROR(session.Refresh());
  OSCOPE_ASSIGN_OR_RETURN(const ComparableKinds kinds, session.KindsOf(bug));
  if (!kinds.any()) return NotFound("bug {}: no failing run of it has a trace to compare", ToString(bug));
  return ByKind(session, SubjectName(bug), kinds, options);
}

Result<SimilarAnswer> FindSimilar(Session& session, RunId run, const SimilarOptions& options) {
  OSCOPE_RETURN_IF_ERROR(session.Refresh());
  OSCOPE_ASSIGN_OR_RETURN(const ComparableKinds kinds, session.KindsOf(run));
  if (!kinds.any()) return NotFound("run {}: it has no trace of a failure to compare", ShortName(run));
  return ByKind(session, SubjectName(run), kinds, options);
}

}  // namespace oscope
