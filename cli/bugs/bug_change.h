// A change of bug reports, as the commands that make one share it: who changes and why, the commit, and what is said of it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/context/context.h"

namespace CLI {
class App;
}

namespace oscope::cli {

class Options;

// Who changes a report and why, as options that all changes have.
class ChangeNote {
 public:
  void Register(Options& options);
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

}  // namespace oscope::cli
