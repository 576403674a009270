// Loads the whole store and evaluates the language as its definition reads: bind each variable to every bug in turn,
// ask the condition, keep the rows that hold. Nothing is planned, indexed or shared between rows, except that a bug's
// set of traces is made once for each expression.
//
// It shares with the other engine what defines the language (query/semantics) and nothing that makes it fast. So a
// difference between the two is a fault of a plan, a rule, an operator, a kernel or the index, and the tests compare
// both on thousands of random queries.
#include "query/naive/naive_engine.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "query/semantics/expressions.h"
#include "query/semantics/ranked_rows.h"
#include "query/semantics/set_predicate.h"
#include "query/semantics/symmetry.h"
#include "query/semantics/trace_operators.h"
#include "query/semantics/trace_union.h"
#include "tracer/model/event.h"
#include "tracer/model/run_sink.h"

namespace oscope {
namespace {

using bql::BugTraces;
using bql::SetPredicate;

// The coarsest granularity of a trace's events, up to method.
Granularity GranularityOf(const std::vector<uint32_t>& events, const EventNames& names) {
  Granularity coarsest = Granularity::kInstruction;
  for (const uint32_t event : events) coarsest = std::max(coarsest, ParseEvent(names.name(event)).granularity);
  return std::min(coarsest, Granularity::kMethod);
}

// Whether the run says that this thread failed; when it says nothing, its first trace of the kind did.
bool IsFailingThread(const Run& run, const Trace& trace) {
  if (run.header.failing_thread) {
    return *run.header.failing_thread == ThreadRef{trace.header.process, trace.header.thread};
  }
  const auto first = std::find_if(run.traces.begin(), run.traces.end(),
                                  [&](const Trace& one) { return one.header.kind == trace.header.kind; });
  return &*first == &trace;
}

// A segment that is left out may hold the report of a bug whose traces are here: the bug is then known by its key
// alone, as in Corpus. One that has neither report nor traces is not known at all.
void AddMissingReports(RunCollector& all) {
  std::set<BugKey> known;
  for (const Bug& bug : all.bugs) known.insert(bug.key);
  for (const Run& run : all.runs) {
    BugKey key{run.header.project, run.header.bug};
    if (key.id.empty() || run.traces.empty() || !known.insert(key).second) continue;
    all.bugs.emplace_back().key = std::move(key);
  }
}

// Asks before every run and every report that it takes in.
class AskingCollector : public RunCollector {
 public:
  explicit AskingCollector(const NaiveEngine::Ask& ask) : ask_(ask) {}

  Status AddBug(const Bug& bug) override {
    OSCOPE_RETURN_IF_ERROR(ask_());
    return RunCollector::AddBug(bug);
  }
  Status BeginRun(const RunHeader& run, const SymbolTable& theirs) override {
    OSCOPE_RETURN_IF_ERROR(ask_());
    return RunCollector::BeginRun(run, theirs);
  }

 private:
  const NaiveEngine::Ask& ask_;
};

// Asks before every pair of traces: two bugs may have thousands.
class AskingMetric : public SequenceMetric {
 public:
  AskingMetric(const SequenceMetric& metric, const NaiveEngine::Ask& ask) : metric_(metric), ask_(ask) {}

  Result<std::optional<uint64_t>> Within(Sequence a, Sequence b, uint64_t bound) const override {
    OSCOPE_RETURN_IF_ERROR(ask_());
    return metric_.Within(a, b, bound);
  }

 private:
  const SequenceMetric& metric_;
  const NaiveEngine::Ask& ask_;
};

}  // namespace

Result<NaiveEngine> NaiveEngine::Load(const Snapshot& snapshot, const Ask& ask) {
  AskingCollector all(ask);
  OSCOPE_RETURN_IF_ERROR(snapshot.Send([](const StoredRun&) { return true; }, all, Snapshot::KeepNone));

  NaiveEngine engine;
  AddMissingReports(all);
  std::sort(all.bugs.begin(), all.bugs.end(), [](const Bug& a, const Bug& b) { return a.key < b.key; });
  std::map<BugKey, size_t> number;
  for (Bug& bug : all.bugs) {
    number.emplace(bug.key, engine.bugs_.size());
    StoredBug& stored = engine.bugs_.emplace_back();
    stored.record.bug = std::move(bug);
  }
  for (const oscope::Run& run : all.runs) {
    OSCOPE_RETURN_IF_ERROR(ask());
    for (const Trace& trace : run.traces) {
      StoredTrace stored;
      stored.id = {run.header.id, trace.header.process, trace.header.thread, trace.header.kind};
      for (const SymbolId event : trace.events) stored.events.push_back(engine.names_.Intern(all.symbols.name(event)));
      stored.marked = trace.header.mark ? trace.header.mark->events : stored.events.size();
      stored.traits = {.kind = trace.header.kind,
                       .granularity = GranularityOf(stored.events, engine.names_),
                       .failing_run = IsFailing(run.header.outcome),
                       .failing_thread = IsFailingThread(run, trace),
                       .thread = trace.header.thread};
      engine.statistics_.Count(std::span(stored.events).first(stored.marked));
      if (stored.id.kind == TraceKind::kStack) engine.CountWords(stored);
      if (run.header.bug.empty()) {
        engine.loose_runs_[run.header.id].push_back(std::move(stored));
      } else {
        engine.bugs_[number.at({run.header.project, run.header.bug})].traces.push_back(std::move(stored));
      }
    }
    const auto bug = number.find({run.header.project, run.header.bug});
    if (bug != number.end()) engine.bugs_[bug->second].record.runs.Add(run.header);
  }
  return engine;
}

void NaiveEngine::CountWords(const StoredTrace& stack) {
  std::vector<std::string_view> frames;
  for (const uint32_t event : std::span(stack.events).first(stack.marked)) frames.push_back(names_.name(event));
  words_.Add(frames);
}

class NaiveEngine::Evaluation {
 public:
  Evaluation(const NaiveEngine& engine, const bql::Select& select, const Ask& ask)
      : engine_(engine), select_(select), ask_(ask), names_(engine.names_.Copy()) {}

  // Operators come first: coarsening adds names, and what is bound to names must know them all.
  Status Prepare(const UserMetrics& user_metrics) {
    Status status;
    ForEachTraces(select_.where, [&](const BugTraces& traces) {
      Result<TraceOperators> made = TraceOperators::Make(traces.ops, names_, ask_);
      if (made.ok()) {
        operators_.emplace(&traces, *std::move(made));
      } else {
        status = made.error();
      }
    });
    OSCOPE_RETURN_IF_ERROR(status);
    const auto methods = [&] {
      Methods all;
      all.Extend(names_);
      return std::make_shared<const MethodWeights>(all.Weigh(engine_.statistics_));
    };
    const MetricInputs inputs{names_, engine_.statistics_, [&] { return engine_.words_.Freeze(); }, methods,
                              user_metrics};
    OSCOPE_ASSIGN_OR_RETURN(metric_, MakeMetric(select_.metric, inputs, MetricSpeed::kPlain));
    return {};
  }

  Result<Answer> Run() {
    for (uint32_t bug = 0; bug < engine_.bugs_.size(); ++bug) {
      const std::string& project = engine_.bugs_[bug].record.bug.key.project;
      const auto& from = select_.projects;
      if (from.empty() || std::find(from.begin(), from.end(), project) != from.end()) candidates_.push_back(bug);
    }
    const uint32_t variables = static_cast<uint32_t>(select_.variables.size());
    for (uint32_t a = 0; a < variables; ++a) {
      for (uint32_t b = a + 1; b < variables; ++b) {
        if (IsSymmetric(select_, a, b)) symmetric_.emplace_back(a, b);
      }
    }
    OSCOPE_RETURN_IF_ERROR(Extend());
    const uint64_t found = rows_.size();
    RankRows(select_, fields_, rows_);
    return MakeAnswer(select_, fields_, rows_, found);
  }

 private:
  static constexpr uint32_t kMissing = UINT32_MAX;

  // Binds the next variable to every bug in turn; with all of them bound, asks the condition.
  Status Extend() {
    if (row_.size() == select_.variables.size()) return Ask();
    for (const uint32_t bug : candidates_) {
      OSCOPE_RETURN_IF_ERROR(ask_());
      row_.push_back(bug);
      if (IsAllowed()) OSCOPE_RETURN_IF_ERROR(Extend());
      row_.pop_back();
    }
    return {};
  }

  // A row is of different bugs, and of two that may change places the lesser comes first.
  bool IsAllowed() const {
    if (std::find(row_.begin(), row_.end() - 1, row_.back()) != row_.end() - 1) return false;
    const size_t last = row_.size() - 1;
    return std::none_of(symmetric_.begin(), symmetric_.end(),
                        [&](const auto& pair) { return pair.second == last && row_[pair.first] > row_[last]; });
  }

  Status Ask() {
    Status status;
    const Judgement judgement = Judge(
        select_.where,
        [&](const SetPredicate& predicate) {
          if (!status.ok()) return Judgement{};
          Result<Judgement> one = Evaluate(predicate);
          if (one.ok()) return *one;
          status = one.error();
          return Judgement{};
        },
        [&](const bql::FieldPredicate& field) { return fields_.Satisfies(row_[field.variable], field); });
    if (status.ok() && judgement.holds) rows_.push_back({row_, judgement});
    return status;
  }

  Result<Judgement> Evaluate(const SetPredicate& predicate) {
    const uint32_t left_bug = NumberOf(predicate.left);  // or run
    const TraceSet& left = TracesOfBug(predicate.left);
    const TracesOf traces_of = [&](const BugTraces& traces) -> Result<TraceSet> {
      // A bug never matches itself.
      if (!select_.with_self && NumberOf(traces) == left_bug) return TraceSet{};
      return TracesOfBug(traces);
    };
    OSCOPE_ASSIGN_OR_RETURN(const TraceUnion right, MakeTraceUnion(predicate.right, traces_of, names_, ask_));
    const PatternMetric patterns = PatternMetricOf(select_.metric);
    const auto to_language = [&](Sequence x, const Language& language, uint64_t bound) {
      return PatternDistance(x, language, patterns, bound);
    };
    const AskingMetric asking(*metric_, ask_);
    return EvaluateSetPredicate(predicate, left, right, {asking, to_language});
  }

  // Of a bug, or after all bugs of a run without one. Two that have the same number are the same bug, but for
  // kMissing: of a bug whose report and traces are in segments that are left out.
  uint32_t NumberOf(const BugTraces& traces) const {
    if (traces.variable) return row_[*traces.variable];
    if (IsLooseRun(traces)) {
      const auto run = engine_.loose_runs_.lower_bound(*traces.run);
      return static_cast<uint32_t>(engine_.bugs_.size() +
                                   static_cast<size_t>(std::distance(engine_.loose_runs_.begin(), run)));
    }
    const auto at = std::lower_bound(engine_.bugs_.begin(), engine_.bugs_.end(), traces.bug,
                                     [](const StoredBug& bug, const BugKey& key) { return bug.record.bug.key < key; });
    if (at == engine_.bugs_.end() || at->record.bug.key != traces.bug) return kMissing;
    return static_cast<uint32_t>(at - engine_.bugs_.begin());
  }

  const TraceSet& TracesOfBug(const BugTraces& traces) {
    const auto key = std::make_pair(&traces, NumberOf(traces));
    if (const auto known = sets_.find(key); known != sets_.end()) return known->second;
    return sets_.emplace(key, Select(traces, StoredTraces(traces))).first->second;
  }

  static bool IsLooseRun(const BugTraces& traces) { return traces.run && traces.bug.id.empty(); }

  // All that the expression's bug has, or the run that stands for one.
  std::vector<StoredTrace> StoredTraces(const BugTraces& traces) const {
    if (IsLooseRun(traces)) {
      const auto run = engine_.loose_runs_.find(*traces.run);
      return run == engine_.loose_runs_.end() ? std::vector<StoredTrace>{} : run->second;
    }
    const uint32_t number = NumberOf(traces);
    if (number == kMissing) return {};
    std::vector<StoredTrace> stored = engine_.bugs_[number].traces;
    if (traces.run) std::erase_if(stored, [&](const StoredTrace& trace) { return trace.id.run != *traces.run; });
    return stored;
  }

  TraceSet Select(const BugTraces& expression, const std::vector<StoredTrace>& traces) const {
    const TraceSelection selection(expression);
    const TraceOperators& operators = operators_.at(&expression);
    std::vector<const StoredTrace*> taken;
    uint32_t first_kind = UINT32_MAX;
    for (const StoredTrace& trace : traces) {
      if (trace.events.empty() || !selection.Admits(trace.traits) || !Has(trace, selection.needs())) continue;
      first_kind = std::min(first_kind, selection.Rank(trace.traits));
      taken.push_back(&trace);
    }
    std::vector<TraceSequence> sequences;
    for (const StoredTrace* trace : taken) {
      if (selection.Rank(trace->traits) != first_kind) continue;
      MarkedEvents events{trace->events, trace->marked};
      operators.Apply(events);
      // What has no event left is no trace.
      if (!events.events.empty()) sequences.push_back({trace->id.kind, std::move(events.events), trace->id});
    }
    return Distinct(std::move(sequences));
  }

  bool Has(const StoredTrace& trace, std::optional<Granularity> granularity) const {
    if (!granularity) return true;
    return std::any_of(trace.events.begin(), trace.events.end(),
                       [&](uint32_t event) { return ParseEvent(names_.name(event)).granularity == *granularity; });
  }

  const NaiveEngine& engine_;
  const RecordFields fields_{[this](uint32_t bug) -> const BugRecord& { return engine_.bugs_[bug].record; }};
  const bql::Select& select_;
  const NaiveEngine::Ask& ask_;
  EventNames names_;  // the store's, and those that coarsening makes
  std::map<const BugTraces*, TraceOperators> operators_;
  std::unique_ptr<SequenceMetric> metric_;
  std::vector<uint32_t> candidates_;
  std::vector<std::pair<uint32_t, uint32_t>> symmetric_;
  std::vector<uint32_t> row_;
  std::vector<FoundRow> rows_;
  std::map<std::pair<const BugTraces*, uint32_t>, TraceSet> sets_;
};

Result<Answer> NaiveEngine::Run(const bql::Select& select, const UserMetrics& user_metrics, const Ask& ask) const {
  Evaluation evaluation(*this, select, ask);
  OSCOPE_RETURN_IF_ERROR(evaluation.Prepare(user_metrics));
  return evaluation.Run();
}

}  // namespace oscope
