#include "cli/commands/similar_query.h"

#include <algorithm>

#include "cli/shell/own_statement.h"

namespace oscope::cli {
namespace {

constexpr uint32_t kFirstDistance = 10;  // as the shipped suffix query has it

std::string Limited(std::string statement, size_t limit) {
  return limit == 0 ? statement : statement + fmt::format(" LIMIT {}", limit);
}

// The shipped suffix query with a LIMIT.
std::string SuffixStatement(uint32_t length, const std::string& distance, size_t limit) {
  return Limited(fmt::format("SELECT b FROM ALL WHERE SUBSET?(tbug.failing[{0}], b.failing[{0}], d => {1})", length, distance), limit);
}

std::string StackStatement(const SimilarDistance& distance, size_t limit) {
  if (distance.edits) {
    return Limited(fmt::format("SELECT b FROM ALL WHERE SUBSET?(PROJ(tbug, stack), PROJ(b, stack), {})", *distance.edits), limit);
  }
  // The best for stacks by far (docs/accuracy.md): all that share a word, nearest first.
  return Limited("SELECT b FROM ALL WHERE SUBSET?(PROJ(tbug, stack), PROJ(b, stack), 999) DISTANCE words", limit);
}

// An empty list helps nobody: without a distance of its own the search widens by steps.
Result<Answer> RunSuffix(const Context& context, Session& session, uint32_t length, const SimilarDistance& distance, size_t limit) {
  if (distance.any) return RunOwnStatement(context, session, SuffixStatement(length, "any", limit));
  if (distance.edits) return RunOwnStatement(context, session, SuffixStatement(length, std::to_string(*distance.edits), limit));
  uint32_t within = std::min(kFirstDistance, length);
  OSCOPE_ASSIGN_OR_RETURN(Answer answer, RunOwnStatement(context, session, SuffixStatement(length, std::to_string(within), limit)));
  while (answer.rows.empty() && within < length) {
    within = std::min(within * 2, length);
    OSCOPE_ASSIGN_OR_RETURN(answer, RunOwnStatement(context, session, SuffixStatement(length, std::to_string(within), limit)));
    answer.notes = {fmt::format("nothing within {} edits: widened to {}", kFirstDistance, within)};
  }
  return answer;
}

}  // namespace

Result<TraceKind> ComparedKind(Session& session, const BugKey& bug) {
  if (const std::optional<TraceKind> kind = session.KindOf(bug)) return *kind;
  return NotFound("bug {}: no failing run of it has a trace to compare", ToString(bug));
}

Result<SimilarAnswer> QuerySimilar(const Context& context, Session& session, const BugKey& bug, TraceKind kind, uint32_t length,
                                   const SimilarDistance& distance, size_t limit) {
  session.SetParameter("tbug", ToString(bug));
  OSCOPE_ASSIGN_OR_RETURN(Answer answer, kind == TraceKind::kStack
                                             ? RunOwnStatement(context, session, StackStatement(distance, limit))
                                             : RunSuffix(context, session, length, distance, limit));
  SimilarAnswer similar;
  similar.kind = kind;
  similar.by_words = kind == TraceKind::kStack && !distance.edits;
  similar.notes = std::move(answer.notes);
  similar.found.traces = answer.stats.traces;
  for (const AnswerRow& row : answer.rows) {
    if (limit != 0 && similar.found.bugs.size() == limit) break;
    // Every row of these queries comes from two traces.
    if (!row.distance || !row.pair || !row.pair->theirs) continue;
    similar.found.bugs.push_back({row.bugs.front(), static_cast<uint32_t>(*row.distance), row.pair->ours, *row.pair->theirs});
  }
  return similar;
}

}  // namespace oscope::cli
