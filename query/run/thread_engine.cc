// Executes a plan in four steps: find out what each predicate says (searches and joins in parallel), join that into
// rows, rank and cut them, and only then find out through which traces each shown row matched and what its fields are.
//
// The last step evaluates the condition again for the rows that are shown, literally. That costs little, since these
// are few, and it means that no fast path needs to remember pairs. It is also a check that runs in production: if the
// distance differs from what the search said, our own metrics are at fault and the program stops (OSCOPE_CHECK); a
// user's metric that answers differently for the same pair is an error that names it.
//
// Fields that stand in the condition are asked for before the search, once for each bug, so that a search does not
// compare traces of bugs that cannot be in the answer.
//
// The answer does not depend on the number of threads: what parallel steps find is put in order, by bug or by distance
// and bug, before the next step reads it.
#include "query/run/thread_engine.h"

#include <algorithm>
#include <map>
#include <utility>

#include "query/corpus/corpus_fields.h"
#include "query/operators/literal_search.h"
#include "query/operators/parallel_bugs.h"
#include "query/operators/prepared_query.h"
#include "query/operators/tail_join.h"
#include "query/operators/tail_search.h"
#include "query/run/row_finder.h"
#include "query/semantics/expressions.h"
#include "query/semantics/ranked_rows.h"
#include "query/semantics/symmetry.h"

namespace oscope {
namespace {

using Role = PredicatePlan::Role;

class Execution {
 public:
  Execution(const PreparedQuery& query, const EngineLimits& limits)
      : query_(query), limits_(limits), fields_(query.corpus()) {}

  Result<Answer> Run() {
    query_.context().total = query_.corpus().traces() * std::max<size_t>(query_.plan().predicates.size(), 1);
    OSCOPE_RETURN_IF_ERROR(LoadFields());
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<PredicateFacts> facts, FindFacts());
    RowFinder finder(query_, facts, fields_, limits_.rows);
    OSCOPE_ASSIGN_OR_RETURN(std::vector<FoundRow> rows, finder.Find());
    RankRows(query_.select(), fields_, rows);
    OSCOPE_RETURN_IF_ERROR(FindPairs(rows));
    return Show(rows, finder.found());
  }

 private:
  // The fields that decide which rows there are and how they come.
  Status LoadFields() {
    const bql::Select& select = query_.select();
    const auto ask = [&] { return query_.context().Check(); };
    Status status;
    ForEachFieldPredicate(select.where, [&](const bql::FieldPredicate& predicate) {
      if (status.ok()) status = fields_.Load(predicate, ask);
    });
    OSCOPE_RETURN_IF_ERROR(status);
    return OrdersByField(select) ? fields_.Load(select.order->column.field, ask) : Status();
  }

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
    OSCOPE_RETURN_IF_ERROR(AskFields(plan.variable));
    const std::vector<uint8_t>& satisfies = satisfies_fields_[plan.variable];
    const AllowsBug allows = [&](uint32_t bug) {
      return query_.IsCandidate(bug) && (satisfies.empty() || satisfies[bug] != 0);
    };
    return plan.tails ? SearchTails(query_, plan, allows) : SearchLiterally(query_, plan, allows);
  }

  Status Join(const PredicatePlan& plan, PredicateFacts& facts) {
    JoinOrder order = JoinOrder::kBoth;
    if (IsSymmetric(query_.select(), std::min(plan.variable, plan.other), std::max(plan.variable, plan.other))) {
      order = plan.variable < plan.other ? JoinOrder::kRightGreater : JoinOrder::kRightLess;
    }
    Result<JoinResult> joined = plan.tails ? JoinTails(query_, plan, order) : JoinLiterally(query_, plan, order);
    if (!joined.ok()) return std::move(joined).error();
    facts.join = *std::move(joined);
    if (plan.other > plan.variable) return {};
    facts.turned.resize(facts.join.size());
    for (uint32_t left = 0; left < facts.join.size(); ++left) {
      for (const BugMatch& match : facts.join[left]) facts.turned[match.bug].push_back({left, match.distance});
    }
    return {};
  }

  // The fields that stand in the condition's conjunction: a bug that fails them need not be searched for. Asked once
  // for all searches of the variable.
  Status AskFields(uint32_t variable) {
    const bql::Condition& where = query_.select().where;
    std::vector<uint8_t>& satisfies = satisfies_fields_[variable];
    if (where.kind != bql::Condition::Kind::kAnd || !satisfies.empty()) return {};
    std::vector<const bql::FieldPredicate*> fields;
    for (const bql::Condition& part : where.parts) {
      if (part.kind == bql::Condition::Kind::kField && part.field.variable == variable) fields.push_back(&part.field);
    }
    if (fields.empty()) return {};
    satisfies.resize(query_.corpus().bugs());
    return ForEachInParallel(satisfies.size(), 8, query_.context(), [&](size_t bug) -> Status {
      satisfies[bug] = std::all_of(fields.begin(), fields.end(), [&](const bql::FieldPredicate* field) {
        return fields_.Satisfies(static_cast<uint32_t>(bug), *field);
      });
      return {};
    });
  }

  // Searches and joins know how near a bug is, not through which traces: that is found out for the rows that are shown.
  Status FindPairs(std::vector<FoundRow>& rows) {
    return ForEachInParallel(rows.size(), 8, query_.context(), [&](size_t i) -> Status {
      FoundRow& row = rows[i];
      Status status;
      Judgement judgement = Judge(
          query_.select().where,
          [&](const bql::SetPredicate& predicate) {
            Result<Judgement> one = query_.Evaluate(query_.plan().Of(predicate).predicate, row.bugs);
            if (one.ok()) return *std::move(one);
            status = std::move(one).error();
            return Judgement{};
          },
          [&](const bql::FieldPredicate& field) { return fields_.Satisfies(row.bugs[field.variable], field); });
      OSCOPE_RETURN_IF_ERROR(status);
      const bool as_before = judgement.holds && judgement.distance == row.judgement.distance;
      if (!as_before) return Contradiction();
      row.judgement = std::move(judgement);
      return {};
    });
  }

  // A row whose distance is another one when it is asked for again. Our metrics are functions of their two traces; of
  // a user's own metric this is not known.
  Error Contradiction() const {
    const bql::Metric& metric = query_.select().metric;
    OSCOPE_CHECK(metric.definition().users_own);
    return Invalid(
        "metric '{}': gave two different distances for the same two traces: it must always return the same "
        "distance for a pair, whatever it was asked before",
        metric.user);
  }

  // The rows with what they show. The reports of a few bugs are read one by one, the fields of many as columns: one
  // report costs about as much as a column of three hundred.
  Result<Answer> Show(const std::vector<FoundRow>& rows, uint64_t found) {
    const bql::Select& select = query_.select();
    if (CountsOnly(select)) return MakeAnswer(select, fields_, rows, found);
    std::vector<uint32_t> bugs;
    for (const FoundRow& row : rows) bugs.insert(bugs.end(), row.bugs.begin(), row.bugs.end());
    std::sort(bugs.begin(), bugs.end());
    bugs.erase(std::unique(bugs.begin(), bugs.end()), bugs.end());
    const bool few = bugs.size() <= query_.corpus().bugs() / 300 + 4;
    if (few && !query_.corpus().has_runs()) {
      OSCOPE_RETURN_IF_ERROR(ReadRecords(bugs));
      const RecordFields read([&](uint32_t bug) -> const BugRecord& { return records_.at(bug); });
      return MakeAnswer(select, read, rows, found);
    }
    for (const bql::OutputColumn& column : ColumnsOf(select).columns) {
      if (column.kind != bql::OutputColumn::Kind::kField) continue;
      OSCOPE_RETURN_IF_ERROR(fields_.Load(column.field, [&] { return query_.context().Check(); }));
    }
    return MakeAnswer(select, fields_, rows, found);
  }

  Status ReadRecords(const std::vector<uint32_t>& bugs) {
    std::vector<BugRecord> records(bugs.size());
    OSCOPE_RETURN_IF_ERROR(ForEachInParallel(bugs.size(), 1, query_.context(), [&](size_t i) -> Status {
      OSCOPE_ASSIGN_OR_RETURN(records[i], query_.corpus().ReadRecord(bugs[i]));
      return {};
    }));
    for (size_t i = 0; i < bugs.size(); ++i) records_.emplace(bugs[i], std::move(records[i]));
    return {};
  }

  const PreparedQuery& query_;
  const EngineLimits& limits_;
  CorpusFields fields_;
  std::vector<uint8_t> satisfies_fields_[bql::kMaxVariables];  // by bug; empty: no field is in the way
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
