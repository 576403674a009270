// The subcommands of `oscope bug`, and what they share.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "index/intake/failure_rule.h"

namespace oscope::cli {

std::unique_ptr<Command> MakeBugAddCommand();
std::unique_ptr<Command> MakeBugEditCommand();
std::unique_ptr<Command> MakeBugLinkCommand();
std::unique_ptr<Command> MakeBugUnlinkCommand();
std::unique_ptr<Command> MakeBugCloseCommand();
std::unique_ptr<Command> MakeBugReopenCommand();
std::unique_ptr<Command> MakeBugDuplicateCommand();
std::unique_ptr<Command> MakeBugFixCommand();
std::unique_ptr<Command> MakeBugCommentCommand();
std::unique_ptr<Command> MakeBugDeleteCommand();

// Who changes a report and why, as options that all changes have.
class ChangeNote {
 public:
  void Register(CLI::App& app);
  void SetWhy(std::string why) { why_ = std::move(why); }
  std::string by() const;
  const std::string& why() const { return why_; }

 private:
  std::string by_, why_;
};

// Commits `change` to all of these bugs at once, and returns them as they are then.
Result<std::vector<Bug>> ChangeBugs(const Context& context, Store& store, const std::vector<BugKey>& keys,
                                    const ChangeNote& note, const std::function<Status(Bug&)>& change);
// Finds the bug that a user named and commits `change` to it.
Result<Bug> ChangeBug(const Context& context, const std::string& name, const ChangeNote& note,
                      const std::function<Status(Bug&)>& change);

// The bug as JSON, or "Demo-5: resolved".
int PrintChanged(const Context& context, const Bug& bug, std::string_view what);

// A text given as an option or as a file ("-": standard input).
class TextOption {
 public:
  void Register(CLI::App& app, const std::string& name, const std::string& what);
  bool given() const { return text_ || file_; }
  Result<std::string> Read() const;

 private:
  std::optional<std::string> text_, file_;
};

}  // namespace oscope::cli
