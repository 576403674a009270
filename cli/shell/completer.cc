// What Tab offers. The grammar says what may stand at the cursor (bql/syntax/hints.h), the session says which names
// there are; this source only puts the two together. Dot commands are not BQL and are completed by their own table.
#include "cli/shell/completer.h"

#include <algorithm>
#include <filesystem>

#include "base/utf8.h"
#include "bql/metric_table.h"
#include "bql/syntax/hints.h"
#include "bql/syntax/scan.h"
#include "cli/answer/result_printer.h"
#include "cli/shell/dot_commands.h"
#include "query/run/session.h"

namespace oscope::cli {
namespace {

constexpr size_t kMaxNames = 1000;  // of bugs or events: more are no help

// Takes the names that go on from what is written.
class Offer {
 public:
  Offer(std::string_view written, size_t begin) : written_(written) { made_.begin = begin; }

  void Add(const std::string& name) {
    const std::string_view beginning = std::string_view(name).substr(0, written_.size());
    if (bql::EqualsIgnoringCase(beginning, written_)) made_.candidates.push_back(name);
  }
  void AddAll(const std::vector<std::string>& names) {
    for (const std::string& name : names) Add(name);
  }
  // Already chosen by its beginning.
  void AddChosen(std::string name) { made_.candidates.push_back(std::move(name)); }

  std::string_view written() const { return written_; }
  Completions Finish() {
    std::vector<std::string>& names = made_.candidates;
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return std::move(made_);
  }

 private:
  const std::string_view written_;
  Completions made_;
};

void AddFiles(Offer& offer) {
  namespace fs = std::filesystem;
  const std::string written(offer.written());
  const size_t slash = written.rfind('/');
  const std::string directory = slash == std::string::npos ? "" : written.substr(0, slash + 1);
  std::error_code error;
  for (fs::directory_iterator entry(directory.empty() ? "." : directory, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = directory + entry->path().filename().string();
    if (!name.starts_with(written)) continue;
    std::error_code ignored;
    offer.AddChosen(entry->is_directory(ignored) ? name + "/" : name);
  }
}

// An id with characters that no word has stands in backquotes.
std::string AsName(const std::string& bug) { return bql::WordEnd(bug, 0) == bug.size() ? bug : "`" + bug + "`"; }

void AddBugs(Session& session, Offer& offer, bool quoted) {
  std::string_view written = offer.written();
  if (written.starts_with('`')) written.remove_prefix(1);
  for (const std::string& bug : session.BugNames(written, kMaxNames)) offer.AddChosen(quoted ? AsName(bug) : bug);
}

void AddMetrics(Offer& offer) {
  for (const bql::MetricDefinition& metric : bql::kMetricDefinitions) {
    offer.Add(std::string(metric.name) + (metric.users_own ? "(" : ""));
    if (!metric.short_name.empty()) offer.Add(std::string(metric.short_name));
  }
}

Completions CompleteCommand(Session& session, std::string_view text, size_t cursor) {
  const std::string_view line = text.substr(0, cursor);
  const size_t blank = line.find_first_of(" \t");
  if (blank == std::string_view::npos) {
    Offer offer(line, 0);
    for (const DotCommand& command : DotCommands()) offer.Add(std::string(command.name));
    return offer.Finish();
  }
  const size_t begin = std::min(line.find_first_not_of(" \t", blank), line.size());
  Offer offer(line.substr(begin), begin);
  const auto command = FindDotCommand(line.substr(0, blank));
  switch (command.ok() ? (*command)->kind : ArgumentKind::kNone) {
    case ArgumentKind::kMode: offer.AddAll(OutputModeNames()); break;
    case ArgumentKind::kFile: AddFiles(offer); break;
    case ArgumentKind::kBug: AddBugs(session, offer, false); break;
    case ArgumentKind::kOnOff: offer.AddAll({"off", "on"}); break;
    case ArgumentKind::kCommand:
      for (const DotCommand& known : DotCommands()) offer.Add(std::string(known.name));
      break;
    case ArgumentKind::kNone:
    case ArgumentKind::kText: break;
  }
  return offer.Finish();
}

// The statement of the text that the cursor is in: completion looks at no other.
size_t StatementBegin(std::string_view text, size_t cursor) {
  bql::TokenScanner scanner(text);
  size_t begin = 0;
  for (bql::Token token = scanner.Next(); token.kind != bql::Token::Kind::kEnd && token.end <= cursor;
       token = scanner.Next()) {
    if (token.In(text) == ";") begin = token.end;
  }
  return begin;
}

// What could follow `written`. A dash at its end belongs to a word only when a letter follows, so one does for the
// question.
bql::SyntaxHints HintsFor(std::string_view written) {
  std::string text(written);
  if (text.ends_with('-')) text += 'x';
  return bql::HintsAt(text, static_cast<uint32_t>(text.size()));
}

}  // namespace

Completions Complete(Session& session, std::string_view text, size_t cursor) {
  if (text.starts_with('.')) return CompleteCommand(session, text, cursor);
  const size_t start = StatementBegin(text, cursor);
  const bql::SyntaxHints hints = HintsFor(text.substr(start, cursor - start));
  const size_t begin = start + hints.replace_begin;
  Offer offer(text.substr(begin, cursor - begin), begin);
  offer.AddAll(hints.keywords);
  offer.AddAll(hints.variables);
  if (hints.projects) offer.AddAll(session.ProjectNames());
  if (hints.bugs) AddBugs(session, offer, true);
  if (hints.events) {
    for (std::string& event : session.EventNames(offer.written(), kMaxNames)) offer.AddChosen(std::move(event));
  }
  if (hints.fields) offer.AddAll(session.FieldNames());
  if (hints.metrics) AddMetrics(offer);
  if (hints.saved_queries) {
    for (const ListedQuery& query : session.ListedQueries()) offer.Add(query.name + "(");
  }
  if (hints.parameters) {
    const std::string colon = offer.written().starts_with(':') ? ":" : "";
    for (const auto& [name, value] : session.parameters()) offer.Add(colon + name);
  }
  return offer.Finish();
}

std::string CommonPrefix(const std::vector<std::string>& candidates) {
  if (candidates.empty()) return {};
  std::string_view common = candidates.front();
  for (const std::string& candidate : candidates) {
    const auto end = std::mismatch(common.begin(), common.end(), candidate.begin(), candidate.end());
    common = common.substr(0, static_cast<size_t>(end.first - common.begin()));
  }
  // Not in the middle of a character.
  while (!common.empty() && common.size() < candidates.front().size() &&
         IsUtf8Continuation(candidates.front()[common.size()])) {
    common.remove_suffix(1);
  }
  return std::string(common);
}

}  // namespace oscope::cli
