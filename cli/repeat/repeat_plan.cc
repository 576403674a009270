// Makes the shell lines that repeat a run, and the list of what is missing for that. Nothing is guessed: a command
// without its inputs, with masked words or of another revision is still printed, and the comments above it say why it
// may behave differently.
#include "cli/repeat/repeat_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/escape.h"
#include "cli/repeat/shell_quote.h"
#include "tracer/harness/framework_cases.h"

namespace oscope::cli {
namespace {

constexpr std::string_view kMask = "***";  // of secrets.h
constexpr size_t kShortDigits = 12;

std::string Short(const std::string& digest) { return digest.substr(0, kShortDigits); }

class Planner {
 public:
  Planner(const RunHeader& run, const std::string& store, const std::optional<WorkingTree>& here,
          const BuildIdOf& build_id_of)
      : run_(run), store_(store), here_(here), build_id_of_(build_id_of) {}

  RepeatPlan Make() && {
    if (run_.command.empty()) {
      Lack("its command was not kept, and so it cannot be repeated");
      return std::move(plan_);
    }
    AddDirectory();
    AddFiles();
    AddCommand();
    TellSecrets();
    TellNotKept();
    TellBuilds();
    TellSource();
    return std::move(plan_);
  }

 private:
  template <typename... Args>
  void Lack(fmt::format_string<Args...> format, Args&&... args) {
    plan_.missing.push_back(fmt::format(format, std::forward<Args>(args)...));
  }

  void AddDirectory() {
    const std::string& directory = run_.repeat.directory;
    if (directory.empty()) return Lack("the directory in which it ran is not known");
    if (!here_) {
      Lack(
          "it ran in {} of its repository, but this directory is in no repository: change to the repository's root "
          "first",
          directory);
      if (directory == ".") return;
    }
    const std::string root = here_ ? here_->root : std::string();
    std::string path = root.empty() ? directory : directory == "." ? root : root + "/" + directory;
    // A name that begins with - would be taken for an option.
    if (path.starts_with('-')) path.insert(0, "./");
    plan_.commands.push_back("cd " + ShellQuoted(path));
  }

  std::string FromStore(const std::string& option) const {
    return fmt::format("oscope show run {} {} --store {}", ToString(run_.id), option, ShellQuoted(store_));
  }

  void AddFiles() {
    if (std::ranges::any_of(run_.inputs, [](const RunInput& input) { return input.name != "-"; })) {
      plan_.commands.push_back(FromStore("--restore"));
    }
  }

  void AddCommand() {
    std::string line = Selection() + ShellLine(run_.command);
    const bool has_input = std::ranges::any_of(run_.inputs, [](const RunInput& input) { return input.name == "-"; });
    if (has_input) {
      line = FromStore("--input -") + " | " + line;
    } else if (!run_.repeat.selection.runner.empty()) {
      line += " < /dev/null";
    }
    plan_.commands.push_back(std::move(line));
  }

  std::string Selection() {
    const TestSelection& selection = run_.repeat.selection;
    if (selection.filter.empty()) return {};
    const std::string_view variable = FilterVariable(selection.framework);
    if (!variable.empty()) return fmt::format("{}={} ", variable, ShellQuoted(selection.filter));
    Lack("only {} of it ran; this release does not know how {} selects that", selection.filter,
         selection.framework.empty() ? "its framework" : selection.framework);
    return {};
  }

  void TellSecrets() {
    if (std::ranges::any_of(run_.command, [](const std::string& word) { return word.find(kMask) != word.npos; })) {
      Lack("parts of its command that looked secret were masked: put them back in place of {}", kMask);
    }
  }

  void TellNotKept() {
    std::vector<std::string> variables, fixtures;
    for (const NotKept& missing : run_.repeat.not_kept) {
      if (missing.kind == kInputNotKept && missing.name == "-") {
        Lack("its standard input was too large to be kept whole");
      } else if (missing.kind == kInputNotKept) {
        Lack("{} was too large to be kept: it must have the contents that it had", missing.name);
      } else if (missing.kind == kInputsNotKept) {
        Lack(
            "its input files and its standard input were not kept (--no-input): they must have the contents that they "
            "had");
      } else if (missing.kind == kVariableNotKept) {
        variables.push_back(missing.name);
      } else if (missing.kind == kFixtureNotKept) {
        fixtures.push_back(missing.name);
      } else {
        Lack("{} {} was not kept", missing.kind, missing.name);
      }
    }
    if (!variables.empty()) {
      Lack("its test runner set {} in the environment; the values were not kept", fmt::join(variables, ", "));
    }
    if (!fixtures.empty())
      Lack("its test runner ran {} before it, which set up what it needs", fmt::join(fixtures, ", "));
  }

  // A program that was built anew may behave otherwise, though it is of the same revision.
  void TellBuilds() {
    for (const BuiltObject& built : run_.repeat.builds) {
      if (built.build_id.empty()) continue;
      const std::optional<std::string> now = build_id_of_(built.path);
      if (!now) {
        Lack("{} is not there: it had the build id {}", built.path, built.build_id);
      } else if (*now != built.build_id) {
        Lack("{} is another build than the one that ran: its build id was {}, and is {}", built.path, built.build_id,
             now->empty() ? "none" : *now);
      }
    }
  }

  void TellSource() {
    const Repeat& repeat = run_.repeat;
    if (repeat.revision.empty()) {
      if (run_.version.empty()) return Lack("the revision that it was built from is not known");
      return Lack("the revision that it was built from is not known, only its version, {}", run_.version);
    }
    if (!here_) {
      if (!repeat.changes.empty()) TellChanges();
      return;
    }
    if (here_->revision != repeat.revision) {
      Lack("it was built from revision {}, and {} is checked out here", repeat.revision,
           here_->revision.empty() ? "none" : here_->revision);
    }
    const bool same_changes = here_->changes == repeat.changes && repeat.changes != kUnknownChanges;
    if (same_changes && here_->revision == repeat.revision) return;
    if (!repeat.changes.empty()) {
      TellChanges();
    } else if (!here_->changes.empty()) {
      Lack("it was built without uncommitted changes, and there are some here");
    }
  }

  void TellChanges() {
    if (run_.repeat.changes == kUnknownChanges) {
      Lack("it was built with uncommitted changes, which were not kept");
    } else {
      Lack("it was built with uncommitted changes (digest {}), which were not kept", Short(run_.repeat.changes));
    }
  }

  const RunHeader& run_;
  const std::string& store_;
  const std::optional<WorkingTree>& here_;
  const BuildIdOf& build_id_of_;
  RepeatPlan plan_;
};

}  // namespace

RepeatPlan PlanRepeat(const RunHeader& run, const std::string& store, const std::optional<WorkingTree>& here,
                      const BuildIdOf& build_id_of) {
  return Planner(run, store, here, build_id_of).Make();
}

std::string ScriptOf(const RepeatPlan& plan) {
  std::string script;
  // A stranger's name may have a line break in it, and what follows would be a command.
  for (const std::string& sentence : plan.missing) script += fmt::format("# {}\n", EscapeForTerminal(sentence));
  // What comes after a step that failed would run in another directory, or on other files.
  script += "set -e\n";
  for (const std::string& command : plan.commands) script += command + "\n";
  return script;
}

}  // namespace oscope::cli
