// `oscope bug close`, `reopen`, `duplicate` and `comment`: small changes of a report.
#include <algorithm>

#include "cli/bugs/bug_change.h"
#include "cli/bugs/text_option.h"
#include "cli/commands/bug.h"
#include "cli/context/resolve.h"
#include "cli/output/json_output.h"
#include "cli/output/text.h"
#include "index/intake/failure_rule.h"

namespace oscope::cli {
namespace {

class BugCloseCommand : public Command {
 public:
  std::string_view name() const override { return "close"; }
  std::string_view summary() const override { return "Mark a bug as closed, or as resolved"; }

  void Register(Options& options) override {
    options.Add("BUG", bug_, "The bug").Value("BUG").Required();
    options.AddFlag("--resolved", resolved_, "Resolved: fixed, but not yet verified");
    note_.Register(options);
    options.Footer(
        "Examples:\n  oscope bug close Demo-12\n  oscope bug close 12 --resolved --why 'waits for the release'");
  }

  Result<int> Run(Context& context) override {
    const BugStatus status = resolved_ ? BugStatus::kResolved : BugStatus::kClosed;
    OSCOPE_ASSIGN_OR_RETURN(const Bug bug, ChangeBug(context, bug_, note_, [&](Bug& changed) -> Status {
                              SetStatus(changed, status, NowNs());
                              return {};
                            }));
    return PrintChanged(context, bug, BugStatusName(bug.status));
  }

 private:
  std::string bug_;
  bool resolved_ = false;
  ChangeNote note_;
};

class BugReopenCommand : public Command {
 public:
  std::string_view name() const override { return "reopen"; }
  std::string_view summary() const override { return "Mark a resolved or closed bug as reopened"; }

  void Register(Options& options) override {
    options.Add("BUG", bug_, "The bug").Value("BUG").Required();
    note_.Register(options);
    options.Footer("Examples:\n  oscope bug reopen Demo-12\n  oscope bug reopen 12 --why 'seen again in 2.1'");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(const Bug bug, ChangeBug(context, bug_, note_, [&](Bug& changed) -> Status {
                              if (!IsResolved(changed.status))
                                return Conflict("bug {}: is {}, so there is nothing to reopen", ToString(changed.key),
                                                BugStatusName(changed.status));
                              SetStatus(changed, BugStatus::kReopened, NowNs());
                              return {};
                            }));
    return PrintChanged(context, bug, "reopened");
  }

 private:
  std::string bug_;
  ChangeNote note_;
};

class BugDuplicateCommand : public Command {
 public:
  std::string_view name() const override { return "duplicate"; }
  std::string_view summary() const override { return "Say that two bugs are the same"; }

  void Register(Options& options) override {
    options.Add("BUG", a_, "One bug").Value("BUG").Required();
    options.Add("OTHER", b_, "The other").Value("OTHER").Required();
    options.AddFlag("--remove", remove_, "Say that they are not the same after all");
    note_.Register(options);
    options.Footer(
        "Each names the other afterwards; nothing else of them changes.\n\n"
        "Examples:\n"
        "  oscope bug duplicate Demo-12 Demo-7\n"
        "  oscope bug duplicate 12 7 --remove");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(Access::kWrite));
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    OSCOPE_ASSIGN_OR_RETURN(const BugKey a, ResolveBug(context, snapshot, a_));
    OSCOPE_ASSIGN_OR_RETURN(const BugKey b, ResolveBug(context, snapshot, b_));
    if (a == b) return Invalid("bug {}: cannot be a duplicate of itself", ToString(a));
    const auto name_other = [&](Bug& bug) -> Status {
      const BugKey& other = bug.key == a ? b : a;
      std::erase(bug.duplicates, other);
      if (!remove_) bug.duplicates.push_back(other);
      return {};
    };
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<Bug> changed, ChangeBugs(context, store, {a, b}, note_, name_other));
    return PrintChanged(context, changed.front(),
                        fmt::format("{} {}", remove_ ? "not the same as" : "the same as", Shown(ToString(b))));
  }

 private:
  std::string a_, b_;
  bool remove_ = false;
  ChangeNote note_;
};

class BugCommentCommand : public Command {
 public:
  std::string_view name() const override { return "comment"; }
  std::string_view summary() const override { return "Add a comment to a bug"; }

  void Register(Options& options) override {
    options.Add("BUG", bug_, "The bug").Value("BUG").Required();
    text_.Register(options, "text", "The comment's text");
    options.Add("--author", author_, "The comment's author").Value("NAME");
    note_.Register(options);
    options.Footer(
        "Examples:\n"
        "  oscope bug comment Demo-12 --text 'also on ARM' --author ada\n"
        "  oscope bug comment Demo-12 --text-file -");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(const std::string text, text_.Read(context.cancel()));
    if (text.empty()) return Invalid("bug comment {}: no text; give --text or --text-file", bug_);
    const Comment comment{author_, NowNs(), text};
    OSCOPE_ASSIGN_OR_RETURN(const Bug bug, ChangeBug(context, bug_, note_, [&](Bug& changed) -> Status {
                              changed.comments.push_back(comment);
                              return {};
                            }));
    return PrintChanged(context, bug, Counted(bug.comments.size(), "comment"));
  }

 private:
  std::string bug_, author_;
  TextOption text_;
  ChangeNote note_;
};

}  // namespace

std::unique_ptr<Command> MakeBugCloseCommand() { return std::make_unique<BugCloseCommand>(); }
std::unique_ptr<Command> MakeBugReopenCommand() { return std::make_unique<BugReopenCommand>(); }
std::unique_ptr<Command> MakeBugDuplicateCommand() { return std::make_unique<BugDuplicateCommand>(); }
std::unique_ptr<Command> MakeBugCommentCommand() { return std::make_unique<BugCommentCommand>(); }

}  // namespace oscope::cli
