// Runs statements and shows what they gave: answers to the output, everything else to stderr.
//
// Exit codes of a statement (docs/exit-codes.md): 0 fine, 1 an error of our own (disk, damage), 3 an error of the
// query, 130 cancelled.
// Threads: one at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bql/syntax/split.h"
#include "cli/answer/result_printer.h"
#include "cli/context/context.h"
#include "query/run/session.h"

namespace oscope::cli {

struct Presentation {
  OutputMode mode = OutputMode::kTable;
  bool timer = false;
  bool to_terminal = false;  // answers go to a terminal: tables fit it, and a footer follows
  WriteText write;
};

// Where statements stand: errors are located in the whole of it.
struct Script {
  std::string_view name;  // of a file; empty: only the place is shown
  std::string_view text;
};

class StatementRunner {
 public:
  StatementRunner(const Context& context, Session& session, Presentation presentation);
  ~StatementRunner();
  StatementRunner(const StatementRunner&) = delete;
  StatementRunner& operator=(const StatementRunner&) = delete;

  Presentation& presentation() { return presentation_; }

  int Run(const Script& script, const bql::StatementText& statement);
  // All of a script's statements; stops at the first error and returns its code.
  int RunAll(const Script& script);
  // Shows the last answer again, as the presentation now is. kNotFound when there is none.
  Status ShowLast();

 private:
  int ShowError(const Script& script, uint32_t offset, const StatementResult& result) const;
  Status ShowResult(StatementResult result, int64_t took_ns);
  Status ShowAnswer(const Answer& answer) const;
  void ShowTimes(const QueryStats& stats, int64_t took_ns) const;

  const Context& context_;
  Session& session_;
  Presentation presentation_;
  std::optional<Answer> last_;
};

// The code of a statement's error.
int StatementExitCode(ErrorCode code);

}  // namespace oscope::cli
