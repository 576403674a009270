#include "base/limits.h"
#include "cli/bugs/bug_change.h"
#include "cli/bugs/git.h"
#include "cli/commands/bug.h"
#include "cli/context/resolve.h"
#include "cli/output/text.h"
#include "index/intake/failure_rule.h"

namespace oscope::cli {
namespace {

class BugFixCommand : public Command {
 public:
  std::string_view name() const override { return "fix"; }
  std::string_view summary() const override { return "Record how a bug was fixed, and resolve it"; }

  void Register(Options& options) override {
    options.Add("BUG", bug_, "The bug").Value("BUG").Required();
    options.Add("--commit", revision_, "Take diff, author, date and message from this git commit").Value("REV");
    options.Add("--repo", repository_, "The git repository; the current directory if not given").Value("DIR");
    options.Add("--diff", diff_file_, "The diff, from a file; - is standard input").Value("FILE");
    options.Add("--note", note_, "How it was fixed, in words").Value("TEXT");
    options.Add("--author", author_, "Who fixed it").Value("NAME");
    options.AddFlag("--keep-open", keep_open_, "Record the fix, but leave the status as it is");
    change_.Register(options);
    options.Footer(
        "Examples:\n"
        "  oscope bug fix Demo-12 --commit HEAD\n"
        "  oscope bug fix Demo-12 --commit 4f2c1e7 --repo ~/src/demo --note 'off by one'\n"
        "  git diff | oscope bug fix Demo-12 --diff - --keep-open");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(const Fix fix, ReadFix(context));
    if (fix.empty()) return Invalid("bug fix {}: no fix; give --commit, --diff or --note", bug_);
    OSCOPE_ASSIGN_OR_RETURN(const Bug bug, ChangeBug(context, bug_, change_, [&](Bug& changed) -> Status {
                              changed.fix = fix;
                              if (!keep_open_ && !IsResolved(changed.status))
                                SetStatus(changed, BugStatus::kResolved, NowNs());
                              return {};
                            }));
    return PrintChanged(context, bug, fmt::format("fix recorded, {}", BugStatusName(bug.status)));
  }

 private:
  Result<Fix> ReadFix(const Context& context) const {
    Fix fix;
    if (revision_) {
      OSCOPE_ASSIGN_OR_RETURN(GitCommit commit, ReadGitCommit(repository_, *revision_, context.cancel()));
      fix = Fix{commit.id, std::move(commit.diff), commit.author, commit.at_ns, std::move(commit.message)};
    }
    if (!diff_file_.empty()) {
      OSCOPE_ASSIGN_OR_RETURN(fix.diff, ReadInput(diff_file_, limits::kMaxTextBytes, context.cancel()));
      if (fix.diff.empty()) return Invalid("--diff {}: empty", diff_file_);
    }
    if (!note_.empty()) fix.note = note_;
    if (!author_.empty()) fix.author = author_;
    if (!fix.at_ns) fix.at_ns = NowNs();
    return fix;
  }

  std::string bug_, repository_, diff_file_, note_, author_;
  std::optional<std::string> revision_;
  bool keep_open_ = false;
  ChangeNote change_;
};

}  // namespace

std::unique_ptr<Command> MakeBugFixCommand() { return std::make_unique<BugFixCommand>(); }

}  // namespace oscope::cli
