// Reads whole traces from Parquet, for the expressions that tails do not suffice for. Segments are read in parallel,
// and of each only the row groups that hold a wanted trace. A trace is cut, projected and coarsened as soon as its
// last event is there, and only what is left is kept, within the query's memory budget. Traces that are entirely in
// their tail are taken from there without touching Parquet.
#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "query/operators/parallel_bugs.h"
#include "query/operators/trace_sets.h"
#include "query/semantics/trace_operators.h"
#include "tracer/model/event.h"

namespace oscope {
namespace {

class WholeSets : public TraceSets {
 public:
  explicit WholeSets(std::unordered_map<uint32_t, TraceSet> sets) : sets_(std::move(sets)) {}

  TraceSet Of(uint32_t subject) const override {
    const auto at = sets_.find(subject);
    return at == sets_.end() ? TraceSet{} : at->second;
  }

 private:
  std::unordered_map<uint32_t, TraceSet> sets_;
};

// A trace as its operators leave it, and the rank of its kind: of a subject's only those of the least rank stay.
struct RankedSequence {
  uint32_t subject = 0;
  uint32_t rank = 0;
  TraceSequence sequence;
};

class Reading {
 public:
  Reading(const Corpus& corpus, const QuerySubjects& subjects, const bql::BugTraces& traces,
          const TraceOperators& operators, const QueryNames& names, bool use_tails, const WantsSubject& wants,
          QueryContext& context)
      : corpus_(corpus),
        subjects_(subjects),
        selection_(traces),
        operators_(operators),
        use_tails_(use_tails),
        wants_(wants),
        context_(context) {
    if (!selection_.needs()) return;
    for (const std::string_view name : names.names().views()) {
      needed_.push_back(ParseEvent(name).granularity == *selection_.needs());
    }
  }

  Result<std::vector<RankedSequence>> Read(uint32_t segment) {
    std::vector<RankedSequence> sequences;
    std::vector<uint32_t> rows = RowsOf(segment);
    const std::span<const uint32_t> ids = corpus_.NamesOf(segment);
    const TailTable& tails = corpus_.segments()[segment].search->tails();
    MarkedEvents trace;
    if (use_tails_) {
      OSCOPE_RETURN_IF_ERROR(TakeFromTails(segment, ids, rows, sequences));
    }
    if (rows.empty()) return sequences;
    // Codes are of a row group: translated once for each of its tables of names.
    std::vector<uint32_t> translation;
    const std::string* translated = nullptr;
    OSCOPE_RETURN_IF_ERROR(corpus_.snapshot().ReadRows(
        *corpus_.segments()[segment].entry, rows, std::nullopt, [&](const TraceEvents& events) -> Status {
          if (events.first_event == 0) {
            trace.events.clear();
            OSCOPE_RETURN_IF_ERROR(context_.Check());
          }
          if (events.names.data() != translated || translation.size() != events.names.size()) {
            translation.clear();
            for (const std::string& name : events.names) {
              const std::optional<uint32_t> id = tails.FindName(name);
              if (!id)
                return Corrupt("segment {}: its index does not know the event '{}'",
                               corpus_.segments()[segment].entry->id, name);
              translation.push_back(ids[*id]);
            }
            translated = events.names.data();
          }
          for (const int32_t code : events.codes) trace.events.push_back(translation[static_cast<size_t>(code)]);
          if (!events.last) return {};
          return Take({segment, events.row}, trace, sequences);
        }));
    return sequences;
  }

 private:
  // Calls visit(subject) for the bug and the runs that a trace is wanted for.
  template <typename Visit>
  void ForEachSubject(TraceRef trace, const Visit& visit) const {
    const uint32_t bug = corpus_.segments()[trace.segment].bug(trace.row);
    if (bug != kNoBug && wants_(bug)) visit(bug);
    subjects_.ForEachRunWith(trace, [&](uint32_t run) {
      if (wants_(run)) visit(run);
    });
  }

  std::vector<uint32_t> RowsOf(uint32_t segment) const {
    const std::span<const TailRow> rows = corpus_.segments()[segment].search->tails().rows();
    std::vector<uint32_t> taken;
    for (uint32_t row = 0; row < rows.size(); ++row) {
      if (rows[row].event_count == 0 || !selection_.Admits(TraitsOf(rows[row]))) continue;
      bool wanted = false;
      ForEachSubject({segment, row}, [&](uint32_t) { wanted = true; });
      if (wanted) taken.push_back(row);
    }
    return taken;
  }

  // The rows whose trace is all in its tail; they leave `rows`.
  Status TakeFromTails(uint32_t segment, std::span<const uint32_t> ids, std::vector<uint32_t>& rows,
                       std::vector<RankedSequence>& sequences) {
    const TailTable& tails = corpus_.segments()[segment].search->tails();
    std::vector<uint32_t> longer;
    MarkedEvents trace;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (i % 1024 == 0) OSCOPE_RETURN_IF_ERROR(context_.Check());
      const TailRow& row = tails.rows()[rows[i]];
      if (row.event_count != row.tail_length) {
        longer.push_back(rows[i]);
        continue;
      }
      trace.events.clear();
      tails.AppendTail(rows[i], kTailEvents, trace.events);
      for (uint32_t& event : trace.events) event = ids[event];
      OSCOPE_RETURN_IF_ERROR(Take({segment, rows[i]}, trace, sequences));
    }
    rows = std::move(longer);
    return {};
  }

  Status Take(TraceRef ref, MarkedEvents& trace, std::vector<RankedSequence>& sequences) {
    const TailRow& row = corpus_.row(ref);
    ++context_.done;
    if (selection_.needs() &&
        std::none_of(trace.events.begin(), trace.events.end(), [&](uint32_t event) { return needed_[event]; })) {
      return {};
    }
    trace.marked = row.marked_count;
    operators_.Apply(trace);
    Status status;
    ForEachSubject(ref, [&](uint32_t subject) {
      if (status.ok()) status = context_.memory.Take(sizeof(RankedSequence) + trace.events.size() * sizeof(uint32_t));
      if (status.ok())
        sequences.push_back({subject, selection_.Rank(TraitsOf(row)), {row.kind, trace.events, corpus_.IdOf(ref)}});
    });
    return status;
  }

  const Corpus& corpus_;
  const QuerySubjects& subjects_;
  const TraceSelection selection_;
  const TraceOperators& operators_;
  const bool use_tails_;
  const WantsSubject& wants_;
  QueryContext& context_;
  std::vector<bool> needed_;
};

std::unordered_map<uint32_t, TraceSet> Collect(std::vector<RankedSequence> sequences) {
  struct OfSubject {
    uint32_t rank = UINT32_MAX;
    std::vector<TraceSequence> sequences;
  };
  std::unordered_map<uint32_t, OfSubject> by_subject;
  for (RankedSequence& one : sequences) {
    OfSubject& subject = by_subject[one.subject];
    if (one.rank > subject.rank) continue;
    if (one.rank < subject.rank) subject = {.rank = one.rank, .sequences = {}};
    subject.sequences.push_back(std::move(one.sequence));
  }
  std::unordered_map<uint32_t, TraceSet> sets;
  for (auto& [subject, found] : by_subject) {
    // What has no event left is no trace.
    std::erase_if(found.sequences, [](const TraceSequence& sequence) { return sequence.events.empty(); });
    sets.emplace(subject, Distinct(std::move(found.sequences)));
  }
  return sets;
}

}  // namespace

Result<std::unique_ptr<TraceSets>> ReadWholeSets(const Corpus& corpus, const QuerySubjects& subjects,
                                                 const bql::BugTraces& traces, const TraceOperators& operators,
                                                 const QueryNames& names, bool use_tails, const WantsSubject& wants,
                                                 QueryContext& context) {
  std::mutex mutex;
  std::vector<RankedSequence> all;
  OSCOPE_RETURN_IF_ERROR(ForEachInParallel(corpus.segments().size(), 1, context, [&](size_t segment) -> Status {
    Reading reading(corpus, subjects, traces, operators, names, use_tails, wants, context);
    OSCOPE_ASSIGN_OR_RETURN(std::vector<RankedSequence> sequences, reading.Read(static_cast<uint32_t>(segment)));
    const std::lock_guard lock(mutex);
    std::move(sequences.begin(), sequences.end(), std::back_inserter(all));
    return {};
  }));
  return std::unique_ptr<TraceSets>(std::make_unique<WholeSets>(Collect(std::move(all))));
}

}  // namespace oscope
