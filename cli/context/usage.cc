// How help and errors of the command line look. An argument that fits nowhere is left over by the parser; the deepest
// command that has leftovers explains the first of them, with the nearest name.
#include "cli/context/usage.h"

#include <string>
#include <vector>

#include "base/escape.h"
#include "cli/context/exit_codes.h"
#include "cli/options/options.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

std::vector<std::string> OptionNames(const Options& command) {
  std::vector<std::string> names;
  for (const Option& option : command.options()) {
    for (const std::string& name : option.long_names()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> SubcommandNames(const Options& command) {
  std::vector<std::string> names;
  for (const auto& sub : command.commands()) names.push_back(sub->name());
  return names;
}

// "unknown option '--fromat' (did you mean --format?)", for the first argument that found no place.
std::string ExplainExtra(const Options& command, const std::string& extra) {
  const std::string shown = EscapeForTerminal(extra.substr(0, 200));
  if (extra.size() > 1 && extra.front() == '-') {
    const std::string name = extra.substr(0, extra.find('='));
    return fmt::format("unknown option '{}'{}", shown, Nearest(name, OptionNames(command)));
  }
  const std::vector<std::string> names = SubcommandNames(command);
  if (names.empty()) return fmt::format("unexpected argument '{}'", shown);
  return fmt::format("unknown command '{}'{}", shown, Nearest(extra, names));
}

}  // namespace

int FailParse(const Context& context, std::string_view message) {
  const Options& command = context.root().deepest();
  std::string text(message);
  for (const Options* level = &command; level != nullptr; level = level->parent()) {
    const std::vector<std::string> extras = level->extras();
    if (!extras.empty()) text = ExplainExtra(*level, extras.front());
  }
  return context.FailUsage(fmt::format("{}\nTry '{} --help'.", text, command.full_name()));
}

}  // namespace oscope::cli
