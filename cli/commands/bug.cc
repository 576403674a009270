#include "cli/commands/bug.h"

#include "base/limits.h"
#include "cli/author.h"
#include "cli/json_output.h"
#include "cli/resolve.h"
#include "cli/text.h"

namespace oscope::cli {
namespace {

class BugCommand : public CommandGroup {
 public:
  BugCommand() {
    AddChild(MakeBugAddCommand());
    AddChild(MakeBugEditCommand());
    AddChild(MakeBugLinkCommand());
    AddChild(MakeBugUnlinkCommand());
    AddChild(MakeBugCommentCommand());
    AddChild(MakeBugFixCommand());
    AddChild(MakeBugCloseCommand());
    AddChild(MakeBugReopenCommand());
    AddChild(MakeBugDuplicateCommand());
    AddChild(MakeBugDeleteCommand());
  }
  std::string_view name() const override { return "bug"; }
  std::string_view summary() const override { return "Report, change, link, fix and delete bugs"; }
  void Register(CLI::App& app) override {
    app.footer(
        "Examples:\n"
        "  oscope bug add --title 'crash on an empty file' --severity high\n"
        "  oscope bug link 12 3fa9c2\n"
        "  oscope bug fix 12 --commit HEAD");
  }
};

}  // namespace

std::unique_ptr<Command> MakeBugCommand() { return std::make_unique<BugCommand>(); }

void ChangeNote::Register(CLI::App& app) {
  app.add_option("--by", by_, "Who makes the change (default: $OSCOPE_BY, else the login name)")->option_text("NAME");
  app.add_option("--why", why_, "Why; `oscope show bug BUG --history` tells both")->option_text("TEXT");
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

void TextOption::Register(CLI::App& app, const std::string& name, const std::string& what) {
  CLI::Option* text = app.add_option("--" + name, text_, what)->option_text("TEXT");
  app.add_option("--" + name + "-file", file_, "The same from a file; - is standard input")
      ->option_text("FILE")
      ->excludes(text);
}

Result<std::string> TextOption::Read() const {
  return file_ ? ReadInput(*file_, limits::kMaxTextBytes) : text_.value_or("");
}

}  // namespace oscope::cli
