#include "cli/commands/all_commands.h"

// One line a subcommand, in the order of `oscope help`; Foo is made by MakeFooCommand() in cli/commands/foo.cc.
#define OSCOPE_COMMANDS(COMMAND) \
  COMMAND(Init)                  \
  COMMAND(Trace)                 \
  COMMAND(Test)                  \
  COMMAND(Same)                  \
  COMMAND(Import)                \
  COMMAND(Bug)                   \
  COMMAND(Attachment)            \
  COMMAND(Similar)               \
  COMMAND(Duplicates)            \
  COMMAND(Clusters)              \
  COMMAND(Query)                 \
  COMMAND(Shell)                 \
  COMMAND(Show)                  \
  COMMAND(List)                  \
  COMMAND(Export)                \
  COMMAND(Store)                 \
  COMMAND(Generate)              \
  COMMAND(Rank)                  \
  COMMAND(Doctor)                \
  COMMAND(Completion)            \
  COMMAND(Version)               \
  COMMAND(Help)

namespace oscope::cli {

#define OSCOPE_DECLARE(Name) std::unique_ptr<Command> Make##Name##Command();
OSCOPE_COMMANDS(OSCOPE_DECLARE)
#undef OSCOPE_DECLARE

std::vector<std::unique_ptr<Command>> AllCommands() {
  std::vector<std::unique_ptr<Command>> commands;
#define OSCOPE_MAKE(Name) commands.push_back(Make##Name##Command());
  OSCOPE_COMMANDS(OSCOPE_MAKE)
#undef OSCOPE_MAKE
  return commands;
}

}  // namespace oscope::cli
