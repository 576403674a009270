#include "query/run/thread_engine.h"

#include <algorithm>
#include <map>
#include <utility>

#include "query/operators/literal_search.h"
#include "query/operators/parallel_bugs.h"
#include "query/operators/prepared_query.h"
#include "query/operators/tail_join.h"
#include "query/operators/tail_search.h"
#include "query/run/row_finder.h"
#include "query/semantics/ranked_rows.h"
#include "query/semantics/symmetry.h"

namespace oscope {
namespace {

using Role = PredicatePlan::Role;
using Method = PredicatePlan::Method;

class Execution {
 public:
  Execution(const PreparedQuery& query, const EngineLimits& limits) : query_(query), limits_(limits) {}

  Result<Answer> Run() {
    query_.context().total = query_.corpus().traces() * std::max<size_t>(query_.plan().predicates.size(), 1);
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<PredicateFacts> facts, FindFacts());
    const RecordOf known = [&](uint32_t bug) -> const BugRecord& { return query_.corpus().record(bug); };
    RowFinder finder(query_, facts, known, limits_.rows);
    OSCOPE_ASSIGN_OR_RETURN(std::vector<FoundRow> rows, finder.Find());
    RankRows(query_.select(), known, rows);
    OSCOPE_RETURN_IF_ERROR(FindPairs(rows));
    if (query_.corpus().has_reports()) return MakeAnswer(query_.select(), known, rows, finder.found());
    OSCOPE_RETURN_IF_ERROR(ReadRecords(rows));
    const RecordOf read = [&](uint32_t bug) -> const BugRecord& {
      BugRecord& record = records_[bug];
      record.bug.key = query_.corpus().key(bug);  // a damaged segment may have held the report
      return record;
    };
    return MakeAnswer(query_.select(), read, rows, finder.found());
  }

 private:
  Result<std::vector<PredicateFacts>> FindFacts() {
    std::vector<PredicateFacts> facts(query_.plan().predicates.size());
    for (size_t i = 0; i < facts.size(); ++i) {
      const PredicatePlan& plan = query_.plan().predicates[i];
      switch (plan.role) {
        case Role::kConstant: {
          OSCOPE_ASSIGN_OR_RETURN(facts[i].constant, query_.Evaluate(plan.predicate, {}));
          break;
        }
        case Role::kSearch: {
          OSCOPE_ASSIGN_OR_RETURN(facts[i].search, Search(plan));
          break;
        }
        case Role::kJoin: OSCOPE_RETURN_IF_ERROR(Join(plan, facts[i])); break;
        case Role::kPerRow: break;
      }
    }
    return facts;
  }

  Result<SearchResult> Search(const PredicatePlan& plan) {
    const AllowsBug allows = [&](uint32_t bug) {
      return query_.IsCandidate(bug) && SatisfiesFields(plan.variable, bug);
    };
    return plan.method == Method::kTails ? SearchTails(query_, plan, allows) : SearchLiterally(query_, plan, allows);
  }

  Status Join(const PredicatePlan& plan, PredicateFacts& facts) {
    JoinOrder order = JoinOrder::kBoth;
    if (IsSymmetric(query_.select(), std::min(plan.variable, plan.other), std::max(plan.variable, plan.other))) {
      order = plan.variable < plan.other ? JoinOrder::kRightGreater : JoinOrder::kRightLess;
    }
    Result<JoinResult> joined =
        plan.method == Method::kTails ? JoinTails(query_, plan, order) : JoinLiterally(query_, plan, order);
    if (!joined.ok()) return std::move(joined).error();
    facts.join = *std::move(joined);
    if (plan.other > plan.variable) return {};
    facts.turned.resize(facts.join.size());
    for (uint32_t left = 0; left < facts.join.size(); ++left) {
      for (const BugMatch& match : facts.join[left]) facts.turned[match.bug].push_back({left, match.distance});
    }
    return {};
  }

  // The fields that stand in the condition's conjunction: a bug that fails them need not be searched for.
  bool SatisfiesFields(uint32_t variable, uint32_t bug) const {
    const bql::Condition& where = query_.select().where;
    if (where.kind != bql::Condition::Kind::kAnd) return true;
    return std::all_of(where.parts.begin(), where.parts.end(), [&](const bql::Condition& part) {
      if (part.kind != bql::Condition::Kind::kField || part.field.variable != variable) return true;
      return Satisfies(query_.corpus().record(bug), part.field);
    });
  }

  // Searches and joins know how near a bug is, not through which traces: that is found out for the rows that are shown.
  Status FindPairs(std::vector<FoundRow>& rows) {
    return ForEachInParallel(rows.size(), 8, query_.context(), [&](size_t i) -> Status {
      FoundRow& row = rows[i];
      Status status;
      Verdict verdict = Judge(
          query_.select().where,
          [&](const bql::SetPredicate& predicate) {
            Result<Verdict> one = query_.Evaluate(query_.plan().Of(predicate).predicate, row.bugs);
            if (one.ok()) return *std::move(one);
            status = std::move(one).error();
            return Verdict{};
          },
          [&](const bql::FieldPredicate& field) {
            return Satisfies(query_.corpus().record(row.bugs[field.variable]), field);
          });
      OSCOPE_RETURN_IF_ERROR(status);
      OSCOPE_CHECK(verdict.holds && verdict.distance == row.verdict.distance);
      row.verdict = std::move(verdict);
      return {};
    });
  }

  Status ReadRecords(const std::vector<FoundRow>& rows) {
    std::vector<uint32_t> bugs;
    for (const FoundRow& row : rows) bugs.insert(bugs.end(), row.bugs.begin(), row.bugs.end());
    std::sort(bugs.begin(), bugs.end());
    bugs.erase(std::unique(bugs.begin(), bugs.end()), bugs.end());
    // One report costs about as much as three hundred in a row.
    if (bugs.size() > query_.corpus().bugs() / 300 + 4) return ReadAllRecords();
    std::vector<BugRecord> records(bugs.size());
    OSCOPE_RETURN_IF_ERROR(ForEachInParallel(bugs.size(), 1, query_.context(), [&](size_t i) -> Status {
      OSCOPE_ASSIGN_OR_RETURN(records[i], query_.corpus().ReadRecord(bugs[i]));
      return {};
    }));
    for (size_t i = 0; i < bugs.size(); ++i) records_.emplace(bugs[i], std::move(records[i]));
    return {};
  }

  Status ReadAllRecords() {
    OSCOPE_ASSIGN_OR_RETURN(std::vector<Bug> bugs, query_.corpus().snapshot().Bugs());
    for (Bug& bug : bugs) {
      if (const auto number = query_.corpus().Find(bug.key)) records_[*number].bug = std::move(bug);
    }
    return {};
  }

  const PreparedQuery& query_;
  const EngineLimits& limits_;
  std::map<uint32_t, BugRecord> records_;
};

}  // namespace

Result<Answer> RunByThreads(const Corpus& corpus, const QueryPlan& plan, const UserMetrics& user_metrics,
                            const EngineLimits& limits, QueryContext& context) {
  OSCOPE_ASSIGN_OR_RETURN(const std::unique_ptr<PreparedQuery> query,
                          PreparedQuery::Make(corpus, plan, user_metrics, context));
  OSCOPE_ASSIGN_OR_RETURN(Answer answer, Execution(*query, limits).Run());
  answer.damaged = corpus.snapshot().damaged();
  answer.stats.traces = corpus.traces();
  answer.stats.by_length = context.by_length;
  answer.stats.by_sketch = context.by_sketch;
  answer.stats.by_postings = context.by_postings;
  answer.stats.verified = context.verified;
  return answer;
}

}  // namespace oscope
