#include "cli/commands/similar_query.h"

#include "base/cancel.h"
#include "cli/shell/own_statement.h"

namespace oscope::cli {
namespace {

// As the shipped queries say it; those have no LIMIT, and `suffix` widens even a distance that was asked for.
std::string StatementOf(TraceKind kind, uint32_t length, const SimilarDistance& distance, size_t limit) {
  const bool nearest_first = distance.any || (kind == TraceKind::kStack && !distance.edits);
  if (kind == TraceKind::kExecution && !nearest_first && !distance.edits) return fmt::format("CALL suffix(tbug, {})", length);
  const std::string operands = kind == TraceKind::kStack ? "PROJ(tbug, stack), PROJ(b, stack)"
                                                         : fmt::format("tbug.failing[{0}], b.failing[{0}]", length);
  // The best for stacks by far (docs/accuracy.md): all that share a word, nearest first.
  if (kind == TraceKind::kStack && nearest_first) {
    return fmt::format("SELECT b FROM ALL WHERE SUBSET?({}, 999) DISTANCE words{}", operands, limit == 0 ? "" : fmt::format(" LIMIT {}", limit));
  }
  return fmt::format("SELECT b FROM ALL WHERE SUBSET?({}, d => {}){}", operands,
                     nearest_first ? "any" : std::to_string(*distance.edits), limit == 0 ? "" : fmt::format(" LIMIT {}", limit));
}

}  // namespace

Result<TraceKind> ComparedKind(const Snapshot& snapshot, const BugKey& bug) {
  RunFilter filter;
  filter.project = bug.project;
  filter.bug = bug.id;
  filter.failing = true;
  std::vector<RunId> runs;
  OSCOPE_RETURN_IF_ERROR(snapshot.ForEachRun(filter, false, [&](const StoredRun& run) {
    runs.push_back(run.header.id);
    return !Cancelled();
  }));
  bool has_stack = false;
  for (const RunId run : runs) {
    OSCOPE_RETURN_IF_ERROR(CheckCancelled());
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<TraceHeader> traces, snapshot.Traces(run));
    for (const TraceHeader& trace : traces) {
      if (trace.kind == TraceKind::kExecution) return TraceKind::kExecution;
      has_stack = true;
    }
  }
  if (has_stack) return TraceKind::kStack;
  return NotFound("bug {}: no failing run of it has a trace to compare", ToString(bug));
}

Result<SimilarAnswer> QuerySimilar(const Context& context, Session& session, const BugKey& bug, TraceKind kind, uint32_t length,
                                   const SimilarDistance& distance, size_t limit) {
  session.SetParameter("tbug", ToString(bug));
  OSCOPE_ASSIGN_OR_RETURN(Answer answer, RunOwnStatement(context, session, StatementOf(kind, length, distance, limit)));
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
