#include "tests/unit/import/print_runs.h"

#include "base/escape.h"
#include "base/timestamp.h"

namespace oscope {
namespace {

void Field(std::string& out, std::string_view name, std::string_view value) {
  if (!value.empty()) out += fmt::format("  {}: {}\n", name, EscapeForTerminal(value));
}

std::string TimeText(const std::optional<int64_t>& time_ns) { return time_ns ? FormatTimestamp(*time_ns) : ""; }

void Print(std::string& out, const Bug& bug) {
  out += fmt::format("bug {}\n", ToString(bug.key));
  Field(out, "title", bug.title);
  Field(out, "status", BugStatusName(bug.status));
  Field(out, "severity", bug.severity);
  Field(out, "reporter", bug.reporter);
  Field(out, "created", TimeText(bug.created_ns));
  Field(out, "resolved", TimeText(bug.resolved_ns));
  Field(out, "url", bug.url);
  Field(out, "version", bug.version);
  Field(out, "text", bug.text);
  for (const Comment& comment : bug.comments) {
    Field(out, "comment", fmt::format("{} {}: {}", TimeText(comment.at_ns), comment.author, comment.text));
  }
  if (!bug.fix.empty()) {
    Field(out, "fix",
          fmt::format("{} by {} {}: {} | {}", bug.fix.commit, bug.fix.author, TimeText(bug.fix.at_ns), bug.fix.note,
                      bug.fix.diff));
  }
  for (const BugKey& key : bug.duplicates) Field(out, "duplicate", ToString(key));
  for (const auto& [name, value] : bug.custom) Field(out, "custom " + EscapeForTerminal(name), value);
}

void Print(std::string& out, const RunHeader& run) {
  out += fmt::format("run {}\n", ToString(run.id));
  Field(out, "project", run.project);
  Field(out, "bug", run.bug);
  Field(out, "test", run.test);
  Field(out, "version", run.version);
  Field(out, "language", run.language);
  Field(out, "recorder", run.recorder);
  for (const std::string& word : run.command) Field(out, "argument", word);
  for (const RunInput& input : run.inputs) Field(out, "input " + input.name, input.bytes);
  Field(out, "started", TimeText(run.started_ns));
  if (run.duration_ns) Field(out, "duration_ns", std::to_string(*run.duration_ns));
  Field(out, "outcome", OutcomeName(run.outcome));
  if (run.failure.exit_code) Field(out, "exit code", std::to_string(*run.failure.exit_code));
  if (run.failure.signal) Field(out, "signal", std::to_string(*run.failure.signal));
  Field(out, "message", run.failure.message);
  if (run.failing_thread) {
    Field(out, "failing thread", fmt::format("{}.{}", run.failing_thread->process, run.failing_thread->thread));
  }
  if (run.incomplete) Field(out, "incomplete", "yes");
  for (const auto& [name, value] : run.custom) Field(out, "custom " + EscapeForTerminal(name), value);
}

std::string Attributes(const SymbolAttributes& attributes) {
  std::string out;
  if (!attributes.file.empty()) out += " " + EscapeForTerminal(attributes.file);
  if (attributes.line != 0) out += fmt::format(":{}", attributes.line);
  if (!attributes.object.empty()) out += fmt::format(" in {}", EscapeForTerminal(attributes.object));
  if (!attributes.build_id.empty()) out += fmt::format(" build {}", attributes.build_id);
  if (attributes.address != 0) out += fmt::format(" @{:#x}", attributes.address);
  if (!attributes.signature.empty()) out += fmt::format(" sig {}", EscapeForTerminal(attributes.signature));
  return out.empty() ? out : "  --" + out;
}

void Print(std::string& out, const Trace& trace, const SymbolTable& symbols) {
  constexpr std::array<std::string_view, 5> kOutcomes = {"", " taken", " not taken", " returned", " threw"};
  constexpr size_t kShown = 40;  // of a long stack, the ends
  const TraceHeader& header = trace.header;
  out += fmt::format("  trace {}.{} {}", header.process, header.thread, TraceKindName(header.kind));
  if (!header.thread_name.empty()) out += fmt::format(" '{}'", EscapeForTerminal(header.thread_name));
  if (header.partial) out += fmt::format(" partial: {}", EscapeForTerminal(header.partial_note));
  out += '\n';
  for (size_t i = 0; i < trace.events.size(); ++i) {
    if (trace.events.size() > 2 * kShown && i == kShown) {
      out += fmt::format("    … {} events …\n", trace.events.size() - 2 * kShown);
      i = trace.events.size() - kShown;
    }
    out += "    ";
    if (header.has_depths) out += fmt::format("{} ", trace.depths[i]);
    out += EscapeForTerminal(symbols.name(trace.events[i]));
    if (header.has_outcomes) out += kOutcomes[static_cast<size_t>(trace.outcomes[i])];
    if (header.has_values && !trace.values[i].empty()) out += fmt::format(" = {}", EscapeForTerminal(trace.values[i]));
    out += Attributes(symbols.attributes(trace.events[i])) + "\n";
    if (header.mark && header.mark->events == i + 1) out += fmt::format("    ^ {}\n", header.mark->reason);
  }
}

}  // namespace

std::string PrintRuns(const RunCollector& collected) {
  std::string out;
  for (const Bug& bug : collected.bugs) Print(out, bug);
  for (const Run& run : collected.runs) {
    Print(out, run.header);
    for (const Trace& trace : run.traces) Print(out, trace, collected.symbols);
  }
  return out;
}

}  // namespace oscope
