// `oscope shell`: reads statements and commands, runs them, until the end of the input or `.exit`.
//
// On a terminal errors do not end it, and everything entered is in the history before it runs. From a script or a pipe
// it is silent and stops at the first error with its exit code.
// Threads: one at a time.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "cli/context/context.h"
#include "cli/session/statement_runner.h"
#include "cli/shell/history.h"
#include "cli/shell/line_editor.h"
#include "query/run/session.h"

namespace oscope::cli {

class Shell {
 public:
  Shell(const Context& context, Session session, OutputMode mode, bool timer);

  // Returns the exit code.
  Result<int> Run();

  // For the dot commands.
  const Context& context() const { return context_; }
  Session& session() { return session_; }
  StatementRunner& runner() { return runner_; }
  Presentation& presentation() { return runner_.presentation(); }
  const std::string& last_statement() const { return last_statement_; }
  void Leave() { leaving_ = true; }

  // Answers go to the file from now on, in place of what is in it; "" or "-" is standard output.
  Status SetOutput(const std::string& path);

  // Statements and dot commands of a file. Stops at the first error and returns its exit code.
  Result<int> ReadFile(const std::string& path);

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::unique_ptr<LineEditor> MakeEditor();
  // Bytes [begin, end) of the script: a dot command, or statements.
  int RunInput(const Script& script, size_t begin, size_t end);
  int RunDotCommand(std::string_view line);
  Status Write(std::string_view text);
  void Remember(const std::string& input);

  const Context& context_;
  const bool interactive_;
  Session session_;
  StatementRunner runner_;
  std::optional<History> history_;
  std::unique_ptr<LineEditor> editor_;
  std::unique_ptr<std::FILE, CloseFile> output_;  // null: standard output
  std::string output_path_;
  std::string last_statement_;
  int reading_ = 0;  // how deep `.read` is nested
  bool leaving_ = false;
};

// Whether an input can be run: a dot command, or statements that are all ended by `;`.
bool IsCompleteInput(std::string_view text);

}  // namespace oscope::cli
