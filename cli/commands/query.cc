// `oscope query`: statements from the command line, a file or standard input, one shot.
#include "base/limits.h"
#include "cli/command.h"
#include "cli/commands/output_file.h"
#include "cli/resolve.h"
#include "cli/shell/query_options.h"
#include "cli/shell/statement_runner.h"

namespace oscope::cli {
namespace {

class QueryCommand : public Command {
 public:
  std::string_view name() const override { return "query"; }
  std::string_view summary() const override { return "Run BQL statements and print the answers"; }
  std::optional<int> error_exit_code() const override { return kExitOwnError; }

  void Register(CLI::App& app) override {
    app.add_option("STATEMENT", statement_, "Statements, divided by ';' (default: standard input)")->option_text("STATEMENT");
    app.add_option("-f,--file", file_, "Read the statements from FILE; '-' is standard input")->option_text("FILE");
    options_.Register(app);
    app.footer(
        "Stops at the first error. Exits with 0 when all went well, also when nothing matched; 1 for an error of oscope\n"
        "(no store, disk full); 2 when a connection is lost; 3 for an error in a query; 130 when cancelled.\n\n"
        "Examples:\n"
        "  oscope query \"SELECT b FROM ALL WHERE INTERSECT?(b, 'open read')\"\n"
        "  oscope query --bug Ini-1 'CALL suffix(tbug)' --mode csv --output near.csv\n"
        "  oscope query --param len=20 -f nightly.bql --json\n"
        "  echo 'SHOW QUERIES' | oscope query");
  }

  Result<int> Run(Context& context) override {
    if (!statement_.empty() && !file_.empty()) return context.FailUsage("give either a statement or --file");
    OSCOPE_ASSIGN_OR_RETURN(const OutputMode mode, options_.Mode(context));
    OSCOPE_ASSIGN_OR_RETURN(const std::string text, ReadStatements(context));
    OSCOPE_ASSIGN_OR_RETURN(Session session, options_.OpenSession(context));
    OSCOPE_ASSIGN_OR_RETURN(OutputFile output, OutputFile::Create(options_.output()));
    const bool to_stdout = options_.output().empty() || options_.output() == "-";
    StatementRunner runner(context, session,
                           {.mode = mode,
                            .timer = options_.timer(),
                            .to_terminal = to_stdout && context.stdout_is_terminal(),
                            .write = [&](std::string_view bytes) { return output.file().Append(bytes); }});
    const int code = runner.RunAll({.name = file_ == "-" ? std::string_view() : file_, .text = text});
    if (code == kExitOk) OSCOPE_RETURN_IF_ERROR(output.Commit());
    return code;
  }

 private:
  Result<std::string> ReadStatements(const Context& context) const {
    if (!statement_.empty()) return statement_;
    if (file_.empty() && context.can_ask()) context.Note("reading statements from the terminal; Ctrl-D ends them");
    return ReadInput(file_.empty() ? "-" : file_, limits::kMaxTextBytes);
  }

  QueryOptions options_;
  std::string statement_, file_;
};

}  // namespace

std::unique_ptr<Command> MakeQueryCommand() { return std::make_unique<QueryCommand>(); }

}  // namespace oscope::cli
