// `oscope bug close`, `reopen`, `duplicate` and `comment`: small changes of a report.
#include <algorithm>

#include "cli/commands/bug.h"
#include "cli/json_output.h"
#include "cli/resolve.h"
#include "cli/text.h"

namespace oscope::cli {
namespace {

class BugCloseCommand : public Command {
 public:
  std::string_view name() const override { return "close"; }
  std::string_view summary() const override { return "Mark a bug as closed, or as resolved"; }

  void Register(CLI::App& app) override {
    app.add_option("BUG", bug_, "The bug")->option_text("BUG")->required();
    app.add_flag("--resolved", resolved_, "Resolved: fixed, but not yet verified");
    app.footer("Examples:\n  oscope bug close Demo-12\n  oscope bug close 12 --resolved");
  }

  Result<int> Run(Context& context) override {
    const BugStatus status = resolved_ ? BugStatus::kResolved : BugStatus::kClosed;
    OSCOPE_ASSIGN_OR_RETURN(const Bug bug, ChangeBug(context, bug_, [&](Bug& changed) -> Status {
                              SetStatus(changed, status);
                              return {};
                            }));
    return PrintChanged(context, bug, BugStatusName(bug.status));
  }

 private:
  std::string bug_;
  bool resolved_ = false;
};

class BugReopenCommand : public Command {
 public:
  std::string_view name() const override { return "reopen"; }
  std::string_view summary() const override { return "Mark a resolved or closed bug as reopened"; }

  void Register(CLI::App& app) override {
    app.add_option("BUG", bug_, "The bug")->option_text("BUG")->required();
    app.footer("Examples:\n  oscope bug reopen Demo-12");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(const Bug bug, ChangeBug(context, bug_, [&](Bug& changed) -> Status {
                              if (!IsResolved(changed.status))
                                return Conflict("bug {}: is {}, so there is nothing to reopen", ToString(changed.key),
                                                BugStatusName(changed.status));
                              SetStatus(changed, BugStatus::kReopened);
                              return {};
                            }));
    return PrintChanged(context, bug, "reopened");
  }

 private:
  std::string bug_;
};

class BugDuplicateCommand : public Command {
 public:
  std::string_view name() const override { return "duplicate"; }
  std::string_view summary() const override { return "Say that two bugs are the same"; }

  void Register(CLI::App& app) override {
    app.add_option("BUG", a_, "One bug")->option_text("BUG")->required();
    app.add_option("OTHER", b_, "The other")->option_text("OTHER")->required();
    app.add_flag("--remove", remove_, "They are not the same after all");
    app.footer(
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
    OSCOPE_ASSIGN_OR_RETURN(const Bug first, Name(context, store, a, b));
    OSCOPE_RETURN_IF_ERROR(Name(context, store, b, a));
    return PrintChanged(context, first,
                        fmt::format("{} {}", remove_ ? "not the same as" : "the same as", Shown(ToString(b))));
  }

 private:
  Result<Bug> Name(const Context& context, Store& store, const BugKey& key, const BugKey& other) const {
    return ChangeBug(context, store, key, [&](Bug& bug) -> Status {
      std::erase(bug.duplicates, other);
      if (!remove_) bug.duplicates.push_back(other);
      return {};
    });
  }

  std::string a_, b_;
  bool remove_ = false;
};

class BugCommentCommand : public Command {
 public:
  std::string_view name() const override { return "comment"; }
  std::string_view summary() const override { return "Add a comment to a bug"; }

  void Register(CLI::App& app) override {
    app.add_option("BUG", bug_, "The bug")->option_text("BUG")->required();
    text_.Register(app, "text", "What to say");
    app.add_option("--author", author_, "Who says it")->option_text("NAME");
    app.footer(
        "Examples:\n"
        "  oscope bug comment Demo-12 --text 'also on ARM' --author ada\n"
        "  oscope bug comment Demo-12 --text-file -");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(const std::string text, text_.Read());
    if (text.empty()) return Invalid("bug comment {}: no text; give --text or --text-file", bug_);
    const Comment comment{author_, NowNs(), text};
    OSCOPE_ASSIGN_OR_RETURN(const Bug bug, ChangeBug(context, bug_, [&](Bug& changed) -> Status {
                              changed.comments.push_back(comment);
                              return {};
                            }));
    return PrintChanged(context, bug, Counted(bug.comments.size(), "comment"));
  }

 private:
  std::string bug_, author_;
  TextOption text_;
};

}  // namespace

std::unique_ptr<Command> MakeBugCloseCommand() { return std::make_unique<BugCloseCommand>(); }
std::unique_ptr<Command> MakeBugReopenCommand() { return std::make_unique<BugReopenCommand>(); }
std::unique_ptr<Command> MakeBugDuplicateCommand() { return std::make_unique<BugDuplicateCommand>(); }
std::unique_ptr<Command> MakeBugCommentCommand() { return std::make_unique<BugCommentCommand>(); }

}  // namespace oscope::cli
