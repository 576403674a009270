// The commands of the shell that begin with a dot, as one table: name, argument, help, what Tab completes, and the
// function. Help, completion and dispatch all read the table, so a new command is one function and one line.
#include "cli/shell/dot_commands.h"

#include <algorithm>

#include "cli/context/exit_codes.h"
#include "cli/output/table.h"
#include "cli/output/text.h"
#include "cli/session/query_options.h"
#include "cli/shell/shell.h"

namespace oscope::cli {
namespace {

Result<bool> ParseOnOff(std::string_view command, const std::string& text) {
  if (text == "on") return true;
  if (text == "off") return false;
  return Invalid("{} '{}': expected on or off", command, text);
}

int RunStatement(Shell& shell, const std::string& statement) {
  return shell.runner().RunAll({.name = {}, .text = statement});
}

Result<int> Help(Shell& shell, const std::string& name) {
  if (!name.empty()) {
    OSCOPE_ASSIGN_OR_RETURN(const DotCommand* command, FindDotCommand(name.starts_with('.') ? name : "." + name));
    shell.context().Print("{} {}\n  {}\n", command->name, command->arguments, command->help);
    return kExitOk;
  }
  TextTable table({{"COMMAND"}, {"WHAT IT DOES", false, true}});
  for (const DotCommand& command : DotCommands()) {
    table.AddRow({fmt::format("{} {}", command.name, command.arguments), std::string(command.help)});
  }
  shell.context().PrintText(table.Render(TerminalWidth()));
  shell.context().PrintText(
      "\nA statement ends with ';' and may span lines. Tab completes, Ctrl-R searches the history, Ctrl-C cancels.\n"
      "  SELECT b WHERE INTERSECT?(b[50], tbug[50], d => 10) LIMIT 5;\n"
      "  CALL suffix(tbug);\n");
  return kExitOk;
}

Result<int> Mode(Shell& shell, const std::string& name) {
  if (name.empty()) {
    shell.context().Print("{}\n", OutputModeName(shell.presentation().mode));
    return kExitOk;
  }
  OSCOPE_ASSIGN_OR_RETURN(shell.presentation().mode, ParseOutputMode(name));
  return kExitOk;
}

Result<int> Timer(Shell& shell, const std::string& text) {
  if (text.empty()) {
    shell.context().Print("{}\n", shell.presentation().timer ? "on" : "off");
    return kExitOk;
  }
  OSCOPE_ASSIGN_OR_RETURN(shell.presentation().timer, ParseOnOff(".timer", text));
  return kExitOk;
}

Result<int> Output(Shell& shell, const std::string& path) {
  OSCOPE_RETURN_IF_ERROR(shell.SetOutput(path));
  return kExitOk;
}

Result<int> SetBug(Shell& shell, const std::string& text) {
  if (text.empty()) {
    const auto& parameters = shell.session().parameters();
    const auto known = parameters.find("tbug");
    shell.context().Print("{}\n", known == parameters.end() ? "no bug is set" : Shown(known->second));
    return kExitOk;
  }
  OSCOPE_ASSIGN_OR_RETURN(const std::string bug, ResolveBugName(shell.context(), text));
  shell.session().SetParameter("tbug", bug);
  shell.context().Note("tbug is {}", bug);
  return kExitOk;
}

Result<int> Parameter(Shell& shell, const std::string& text) {
  if (text.empty()) {
    TextTable table({{"PARAMETER"}, {"VALUE", false, true}});
    for (const auto& [name, value] : shell.session().parameters()) table.AddRow({":" + name, value});
    if (!table.empty()) shell.context().PrintText(table.Render(TerminalWidth()));
    return kExitOk;
  }
  const size_t end = std::min(text.find_first_of(" \t="), text.size());
  std::string name = text.substr(0, end);
  if (name.starts_with(':')) name.erase(0, 1);
  if (name.empty()) return Invalid(".param '{}': expected NAME VALUE", text);
  const size_t value =
      std::min(text.find_first_not_of(" \t", end + (end < text.size() && text[end] == '=' ? 1 : 0)), text.size());
  if (value == text.size()) {
    shell.session().ClearParameter(name);
  } else {
    shell.session().SetParameter(name, text.substr(value));
  }
  return kExitOk;
}

Result<int> Queries(Shell& shell, const std::string&) { return RunStatement(shell, "SHOW QUERIES"); }

Result<int> Projects(Shell& shell, const std::string&) {
  for (const std::string& project : shell.session().ProjectNames()) shell.context().Print("{}\n", Shown(project));
  return kExitOk;
}

Result<int> Explain(Shell& shell, const std::string& statement) {
  const std::string& explained = statement.empty() ? shell.last_statement() : statement;
  if (explained.empty()) return NotFound(".explain: there is no statement yet");
  return RunStatement(shell, "EXPLAIN " + explained);
}

Result<int> Last(Shell& shell, const std::string&) {
  OSCOPE_RETURN_IF_ERROR(shell.runner().ShowLast());
  return kExitOk;
}

Result<int> Read(Shell& shell, const std::string& path) {
  if (path.empty()) return Invalid(".read: a file is needed");
  return shell.ReadFile(path);
}

Result<int> Exit(Shell& shell, const std::string&) {
  shell.Leave();
  return kExitOk;
}

}  // namespace

const std::vector<DotCommand>& DotCommands() {
  static const std::vector<DotCommand> commands = {
      {".help", "[COMMAND]", "List the commands", ArgumentKind::kCommand, Help},
      {".mode", "[MODE]", "How answers are shown: table, csv, json, jsonlines, markdown or vertical",
       ArgumentKind::kMode, Mode},
      {".output", "[FILE]", "Write answers to FILE; without one, to the terminal again", ArgumentKind::kFile, Output},
      {".timer", "[on|off]", "Print how long each statement took, and what its filters removed", ArgumentKind::kOnOff,
       Timer},
      {".bug", "[ID]", "Set the bug that 'tbug' stands for", ArgumentKind::kBug, SetBug},
      {".param", "[NAME [VALUE]]", "Set the value of ':NAME'; without a value, forget it", ArgumentKind::kText,
       Parameter},
      {".queries", "", "List the saved queries", ArgumentKind::kNone, Queries},
      {".projects", "", "List the projects of the store", ArgumentKind::kNone, Projects},
      {".explain", "[STATEMENT]", "Show the plan of a statement; without one, of the last", ArgumentKind::kText,
       Explain},
      {".last", "", "Show the last answer again, in the current mode and output", ArgumentKind::kNone, Last},
      {".read", "FILE", "Run the statements and commands of a file", ArgumentKind::kFile, Read},
      {".exit", "", "Leave, as Ctrl-D does", ArgumentKind::kNone, Exit},
  };
  return commands;
}

Result<const DotCommand*> FindDotCommand(std::string_view name) {
  std::vector<std::string> names;
  for (const DotCommand& command : DotCommands()) {
    if (command.name == name) return &command;
    names.emplace_back(command.name);
  }
  return NotFound("unknown command '{}'{}; .help lists them", name, Nearest(name, names));
}

}  // namespace oscope::cli
