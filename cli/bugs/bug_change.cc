#include "cli/bugs/bug_change.h"

#include <utility>

#include "cli/bugs/author.h"
#include "cli/context/exit_codes.h"
#include "cli/context/resolve.h"
#include "cli/options/options.h"
#include "cli/output/json_output.h"
#include "cli/output/text.h"

namespace oscope::cli {

void ChangeNote::Register(Options& options) {
  options.Add("--by", by_, "Who makes the change (default: $OSCOPE_BY, else the login name)").Value("NAME");
  options.Add("--why", why_, "The reason; `oscope show bug BUG --history` shows both").Value("TEXT");
}

std::string ChangeNote::by() const { return AuthorOr(by_); }

Result<std::vector<Bug>> ChangeBugs(const Context& context, Store& store, const std::vector<BugKey>& keys,
                                    const ChangeNote& note, const std::function<Status(Bug&)>& change) {
  std::vector<Bug> changed;
  const auto change_all = [&](KnownBugs& bugs) -> Status {
    changed.clear();
    OSCOPE_RETURN_IF_ERROR(bugs.Load(keys));
    for (const BugKey& key : keys) {
      OSCOPE_ASSIGN_OR_RETURN(const Bug* there, bugs.Find(key));
      if (there == nullptr) return NotFound("bug {}: was deleted meanwhile", ToString(key));
      Bug bug = *there;
      OSCOPE_RETURN_IF_ERROR(change(bug));
      OSCOPE_RETURN_IF_ERROR(bugs.Put(bug, note.why()));
      changed.push_back(std::move(bug));
    }
    return {};
  };
  OSCOPE_RETURN_IF_ERROR(store.ChangeBugs(change_all, note.by()));
  Settle(context, store);
  return changed;
}

Result<Bug> ChangeBug(const Context& context, const std::string& name, const ChangeNote& note,
                      const std::function<Status(Bug&)>& change) {
  OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(Access::kWrite));
  BugKey key;
  {
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    OSCOPE_ASSIGN_OR_RETURN(key, ResolveBug(context, snapshot, name));
  }
  OSCOPE_ASSIGN_OR_RETURN(std::vector<Bug> changed, ChangeBugs(context, store, {key}, note, change));
  return std::move(changed.front());
}

int PrintChanged(const Context& context, const Bug& bug, std::string_view what) {
  if (context.json()) {
    context.PrintJson(ToJson(bug));
  } else if (!context.quiet()) {
    context.Print("{}: {}\n", Shown(ToString(bug.key)), what);
  }
  return kExitOk;
}

}  // namespace oscope::cli
