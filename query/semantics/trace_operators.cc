// A projection is a table from event to event (or to nothing), made once for all names, so that applying it to a trace
// is one lookup for each event. The mark moves along: it stays behind the last event that is left of those before it.
#include "query/semantics/trace_operators.h"

#include <algorithm>
#include <functional>

#include "bql/pattern/event_matcher.h"
#include "query/semantics/trace_selection.h"
#include "tracer/model/event.h"

namespace oscope {
namespace {

using bql::EventMatcher;
using bql::Projection;
using bql::TraceOp;

// Whether an event's text lies in S, for the kinds of S that are sets of events.
Result<std::function<bool(std::string_view)>> Membership(const Projection& projection) {
  std::vector<EventMatcher> matchers;
  switch (projection.kind) {
    case Projection::Kind::kNames:
      for (const std::string& text : projection.texts) {
        matchers.push_back(EventMatcher::Method(text));
        matchers.push_back(EventMatcher::Scope(text));
      }
      break;
    case Projection::Kind::kGlob:
      for (const std::string& text : projection.texts) matchers.push_back(EventMatcher::Glob(text));
      break;
    case Projection::Kind::kRegex:
      for (const std::string& text : projection.texts) {
        OSCOPE_ASSIGN_OR_RETURN(EventMatcher matcher, EventMatcher::Regex(text));
        matchers.push_back(std::move(matcher));
      }
      break;
    default:
      return std::function<bool(std::string_view)>([granularity = projection.granularity](std::string_view event) {
        return ParseEvent(event).granularity == granularity;
      });
  }
  return std::function<bool(std::string_view)>([matchers = std::move(matchers)](std::string_view event) {
    return std::any_of(matchers.begin(), matchers.end(), [&](const EventMatcher& one) { return one.Matches(event); });
  });
}

}  // namespace

Result<TraceOperators> TraceOperators::Make(const std::vector<TraceOp>& ops, EventNames& names,
                                            const std::function<Status()>& ask) {
  constexpr uint32_t kBetweenQuestions = 16;  // names; a list may have thirty thousand to compare each with
  TraceOperators made;
  for (const TraceOp& op : ops) {
    Step step{.kind = op.kind, .length = op.length, .merge = false, .translation = {}};
    if (op.kind == TraceOp::Kind::kProject) {
      if (ChoosesTraces(op)) continue;
      const uint32_t count = names.size();
      step.translation.resize(count);
      if (op.projection.kind == Projection::Kind::kCoarsen) {
        step.merge = true;
        for (uint32_t id = 0; id < count; ++id) {
          step.translation[id] = names.Intern(Coarsen(names.name(id), op.projection.granularity));
        }
      } else {
        OSCOPE_ASSIGN_OR_RETURN(const auto belongs, Membership(op.projection));
        for (uint32_t id = 0; id < count; ++id) {
          if (id % kBetweenQuestions == 0) OSCOPE_RETURN_IF_ERROR(ask());
          step.translation[id] = belongs(names.name(id)) != op.projection.negated ? id : kDropped;
        }
      }
    }
    made.steps_.push_back(std::move(step));
  }
  return made;
}

void TraceOperators::Project(const Step& step, MarkedEvents& trace) {
  uint64_t kept = 0, kept_to_mark = 0;
  for (uint64_t i = 0; i < trace.events.size(); ++i) {
    const uint32_t event = step.translation[trace.events[i]];
    const bool again = step.merge && kept > 0 && trace.events[kept - 1] == event;
    if (event != kDropped && !again) trace.events[kept++] = event;
    if (i + 1 == trace.marked) kept_to_mark = kept;
  }
  trace.events.resize(kept);
  trace.marked = kept_to_mark;
}

void TraceOperators::Apply(MarkedEvents& trace) const {
  for (const Step& step : steps_) {
    std::vector<uint32_t>& events = trace.events;
    switch (step.kind) {
      case TraceOp::Kind::kPrefix:
        if (events.size() > step.length) events.resize(step.length);
        trace.marked = std::min<uint64_t>(trace.marked, events.size());
        break;
      case TraceOp::Kind::kSuffix:
        events.resize(trace.marked);
        if (events.size() > step.length)
          events.erase(events.begin(), events.end() - static_cast<ptrdiff_t>(step.length));
        trace.marked = events.size();
        break;
      case TraceOp::Kind::kProject: Project(step, trace); break;
    }
  }
}

}  // namespace oscope
