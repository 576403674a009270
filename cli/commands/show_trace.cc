// Finds the trace that a user means (a run stands for its failing thread) and the window of events to print. Events are
// read in pieces and go to a pager, so that a trace of any length can be looked at.
#include <algorithm>
#include <charconv>

#include "cli/commands/show.h"
#include "cli/output/json_output.h"
#include "cli/output/pager.h"
#include "cli/output/text.h"
#include "cli/output/trace_view.h"
#include "tracer/model/event.h"

namespace oscope::cli {
namespace {

class ShowTraceCommand : public Command {
 public:
  std::string_view name() const override { return "trace"; }
  std::string_view summary() const override { return "Show the events of a trace"; }

  void Register(Options& options) override {
    options.Add("TRACE", trace_, "A run (its failing thread is shown), or RUN/PROCESS.THREAD[/KIND]")
        .Value("TRACE")
        .Required();
    options.Add("--granularity", granularity_, "Coarsen to statement, block, method, class or package").Value("LEVEL");
    const Option first = options.Add("--first", first_, "Only the first N events").Value("N");
    const Option last = options.Add("--last", last_, "Only the last N events").Value("N").Excludes(first);
    options.Add("--around-mark", around_, "Only N events on each side of the failure")
        .Value("N")
        .Excludes(first)
        .Excludes(last);
    options.AddFlag("--no-pager", no_pager_, "Print straight to the terminal");
    options.Footer(
        "N counts events as they were recorded, before they are coarsened.\n\n"
        "Examples:\n"
        "  oscope show trace 3fa9c2\n"
        "  oscope show trace 3fa9c2/0.1 --last 100\n"
        "  oscope show trace 3fa9c2 --around-mark 20 --granularity class");
  }

  Result<int> Run(Context& context) override {
    TraceViewOptions view;
    if (!granularity_.empty()) {
      OSCOPE_ASSIGN_OR_RETURN(view.coarsen, ParseGranularity(granularity_));
    }
    OSCOPE_ASSIGN_OR_RETURN(const Store store, context.OpenStore(Access::kRead));
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    OSCOPE_ASSIGN_OR_RETURN(const Chosen chosen, Choose(snapshot));
    OSCOPE_ASSIGN_OR_RETURN(view.window, Window(chosen.header));
    if (context.json()) return PrintAsJson(context, snapshot, chosen, view);
    if (chosen.of > 1) {
      context.Note("{} of {} traces; `oscope show run {}` lists them", ToString(chosen.id), chosen.of,
                   ShortId(chosen.id.run));
    }
    view.color = context.color();
    Pager pager(context.wants_pager());
    if (!no_pager_) pager.Start();
    view.stop = [&] { return pager.closed(); };
    if (chosen.header.partial) context.Print("(partial: {})\n", Shown(chosen.header.partial_note));
    OSCOPE_RETURN_IF_ERROR(
        ShowTrace(snapshot, chosen.id, chosen.header, view, [&](std::string_view line) { context.PrintText(line); }));
    return kExitOk;
  }

 private:
  struct Chosen {
    TraceId id;
    TraceHeader header;
    size_t of = 1;  // the traces it was chosen from
  };

  static bool ParseThread(std::string_view text, ThreadRef& thread) {
    const size_t dot = text.find('.');
    if (dot == std::string_view::npos) return false;
    const auto number = [](std::string_view digits, uint32_t& value) {
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
      return error == std::errc() && end == digits.data() + digits.size();
    };
    return number(text.substr(0, dot), thread.process) && number(text.substr(dot + 1), thread.thread);
  }

  // The run's id may be a prefix, the kind may be left out, and the thread too.
  Result<Chosen> Choose(const Snapshot& snapshot) const {
    const size_t slash = trace_.find('/');
    OSCOPE_ASSIGN_OR_RETURN(const RunId run, snapshot.ResolveRun(trace_.substr(0, slash)));
    OSCOPE_ASSIGN_OR_RETURN(std::vector<TraceHeader> traces, snapshot.Traces(run));
    if (traces.empty()) return NotFound("run {}: has no traces", ToString(run));
    const size_t of = slash == std::string::npos ? traces.size() : 1;
    if (slash != std::string::npos) {
      OSCOPE_RETURN_IF_ERROR(Select(trace_.substr(slash + 1), traces));
      if (traces.empty())
        return NotFound("trace {}: the run has no such trace; `oscope show run {}` lists them", trace_, ShortId(run));
    } else {
      OSCOPE_ASSIGN_OR_RETURN(const std::optional<StoredRun> stored, snapshot.FindRun(run));
      Prefer(stored ? stored->header.failing_thread : std::nullopt, traces);
    }
    const TraceHeader& header = traces.front();
    return Chosen{TraceId{run, header.process, header.thread, header.kind}, header, of};
  }

  Status Select(const std::string& text, std::vector<TraceHeader>& traces) const {
    const size_t slash = text.find('/');
    ThreadRef thread;
    if (!ParseThread(text.substr(0, slash), thread))
      return Invalid("trace '{}': expected RUN, RUN/PROCESS.THREAD or RUN/PROCESS.THREAD/KIND", trace_);
    std::erase_if(traces,
                  [&](const TraceHeader& t) { return t.process != thread.process || t.thread != thread.thread; });
    if (slash == std::string::npos) return {};
    OSCOPE_ASSIGN_OR_RETURN(const TraceKind kind, ParseTraceKind(text.substr(slash + 1)));
    std::erase_if(traces, [&](const TraceHeader& t) { return t.kind != kind; });
    return {};
  }

  static void Prefer(const std::optional<ThreadRef>& failing, std::vector<TraceHeader>& traces) {
    std::stable_sort(traces.begin(), traces.end(), [&](const TraceHeader& a, const TraceHeader& b) {
      const auto rank = [&](const TraceHeader& t) {
        return (failing && *failing == ThreadRef{t.process, t.thread} ? 2 : 0) + (t.mark ? 1 : 0);
      };
      return rank(a) > rank(b);
    });
  }

  Result<TraceWindow> Window(const TraceHeader& header) const {
    const uint64_t events = header.event_count;
    if (first_) return TraceWindow{0, *first_};
    if (last_) return TraceWindow{events - std::min(events, *last_), *last_};
    if (!around_) return TraceWindow{};
    if (!header.mark) return Invalid("--around-mark: this trace has no failure mark; use --last");
    const uint64_t begin = header.mark->events - std::min(header.mark->events, *around_);
    const uint64_t end = header.mark->events + std::min(*around_, events - std::min(events, header.mark->events));
    return TraceWindow{begin, end - begin};
  }

  Result<int> PrintAsJson(const Context& context, const Snapshot& snapshot, const Chosen& chosen,
                          const TraceViewOptions& view) const {
    SymbolTable symbols;
    OSCOPE_ASSIGN_OR_RETURN(const Trace trace,
                            snapshot.ReadTrace(chosen.id, symbols, view.window.first, view.window.count));
    Json json = ToJson(chosen.id.run, chosen.header);
    json["first"] = view.window.first;
    json["events"] = Json::array();
    for (size_t i = 0; i < trace.events.size(); ++i) {
      const std::string& name = symbols.name(trace.events[i]);
      const SymbolAttributes& attributes = symbols.attributes(trace.events[i]);
      Json event = {{"event", view.coarsen ? Coarsen(name, *view.coarsen, attributes.object) : name}};
      if (!trace.depths.empty()) event["depth"] = trace.depths[i];
      if (!trace.values.empty() && !trace.values[i].empty()) event["value"] = trace.values[i];
      if (!attributes.file.empty()) event["file"] = attributes.file;
      if (attributes.line != 0) event["line"] = attributes.line;
      json["events"].push_back(std::move(event));
    }
    context.PrintJson(json);
    return kExitOk;
  }

  std::string trace_, granularity_;
  std::optional<uint64_t> first_, last_, around_;
  bool no_pager_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeShowTraceCommand() { return std::make_unique<ShowTraceCommand>(); }

}  // namespace oscope::cli
