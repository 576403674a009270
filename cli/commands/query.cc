// `oscope query`: statements from the command line, a file or standard input, one shot.
#include "base/limits.h"
#include "cli/context/command.h"
#include "cli/context/resolve.h"
#include "cli/output/json_output.h"
#include "cli/output/output_file.h"
#include "cli/output/table.h"
#include "cli/session/query_options.h"
#include "cli/session/statement_runner.h"
#include "query/similar/remembered_query.h"

namespace oscope::cli {
namespace {

class QueryCommand : public Command {
 public:
  std::string_view name() const override { return "query"; }
  std::string_view summary() const override { return "Run BQL statements and print the answers"; }
  std::optional<int> error_exit_code() const override { return kExitOwnError; }

  void Register(Options& options) override {
    options.Add("STATEMENT", statement_, "Statements, divided by ';' (default: standard input)").Value("STATEMENT");
    options.Add("-f,--file", file_, "Read the statements from FILE; '-' is standard input").Value("FILE");
    options_.Register(options);
    options.AddFlag("--remembered", remembered_,
                    "List the saved queries that are remembered for failing tests instead");
    options.Add("--forget", forget_, "Forget the query of TEST, in the current project, instead").Value("TEST");
    options.Footer(
        "Stops at the first error. Exits with 0 after success, also when nothing matched; 1 for an error of "
        "oscope\n"
        "(no store, disk full); 2 when a connection is lost; 3 for an error in a query; 130 when cancelled.\n\n"
        "Examples:\n"
        "  oscope query \"SELECT b FROM ALL WHERE INTERSECT?(b, 'open read')\"\n"
        "  oscope query --bug Ini-1 'CALL suffix(tbug)' --mode csv --output near.csv\n"
        "  oscope query --run 1f2e3d4c 'CALL suffix(tbug, d => 20)'\n"
        "  oscope query --param len=20 -f nightly.bql --json\n"
        "  echo 'SHOW QUERIES' | oscope query");
  }

  Result<int> Run(Context& context) override {
    if (!statement_.empty() && !file_.empty()) return context.FailUsage("give either a statement or --file");
    if (remembered_) return ListRemembered(context);
    if (forget_) return Forget(context);
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
  static Result<int> ListRemembered(const Context& context) {
    OSCOPE_ASSIGN_OR_RETURN(const Store store, context.OpenStore(Access::kRead));
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<RememberedTest> tests, RememberedQueries(store));
    if (context.json()) {
      Json json = Json::array();
      for (const RememberedTest& one : tests)
        json.push_back({{"project", one.project}, {"test", one.test}, {"query", one.query}});
      context.PrintJson(json);
      return kExitOk;
    }
    if (tests.empty()) context.Note("no query is remembered");
    TextTable table({{"PROJECT"}, {"TEST", false, true}, {"QUERY", false, true}});
    for (const RememberedTest& one : tests) table.AddRow({one.project, one.test, one.query});
    if (!table.empty()) context.PrintText(table.Render(TerminalWidth()));
    return kExitOk;
  }

  Result<int> Forget(const Context& context) const {
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(Access::kWrite));
    OSCOPE_ASSIGN_OR_RETURN(const std::string project, context.Project());
    OSCOPE_ASSIGN_OR_RETURN(const std::string known, RememberedQuery(store, project, *forget_));
    if (known.empty()) return NotFound("no query is remembered for test '{}' of {}", *forget_, project);
    OSCOPE_RETURN_IF_ERROR(RememberQuery(store, project, *forget_, ""));
    return kExitOk;
  }

  Result<std::string> ReadStatements(const Context& context) const {
    if (!statement_.empty()) return statement_;
    if (file_.empty() && context.can_ask()) context.Note("reading statements from the terminal; Ctrl-D ends them");
    return ReadInput(file_.empty() ? "-" : file_, limits::kMaxTextBytes, context.cancel());
  }

  QueryOptions options_;
  std::string statement_, file_;
  bool remembered_ = false;
  std::optional<std::string> forget_;
};

}  // namespace

std::unique_ptr<Command> MakeQueryCommand() { return std::make_unique<QueryCommand>(); }

}  // namespace oscope::cli
