// `oscope bug add` and `oscope bug edit`: every field of a report is an option of both.
#include "base/timestamp.h"
#include "cli/commands/bug.h"
#include "cli/json_output.h"
#include "cli/resolve.h"
#include "cli/text.h"

namespace oscope::cli {
namespace {

// The fields as options; Apply changes only those that were given.
class BugFields {
 public:
  void Register(CLI::App& app) {
    app.add_option("--title", title_, "One line that says what is wrong")->option_text("TEXT");
    app.add_option("--status", status_, "open, reopened, resolved or closed")->option_text("STATUS");
    app.add_option("--severity", severity_, "In your own words: high, low, blocker")->option_text("WORD");
    app.add_option("--reporter", reporter_, "Who reported it")->option_text("NAME");
    app.add_option("--url", url_, "Where it stands in an outside tracker")->option_text("URL");
    app.add_option("--version", version_, "The version it was seen in")->option_text("VERSION");
    app.add_option("--created", created_, "When it was reported, as 2026-01-31 or 2026-01-31T12:00:00Z")
        ->option_text("TIME");
    text_.Register(app, "text", "The report's text");
    app.add_option("--field", fields_, "A field of your own; NAME= removes it. May be repeated")
        ->option_text("NAME=VALUE")
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }

  bool any() const {
    return title_ || status_ || severity_ || reporter_ || url_ || version_ || created_ || text_.given() ||
           !fields_.empty();
  }

  // Reads files and checks values once, so that Apply may be called again when another writer was faster.
  Status Prepare() {
    if (text_.given()) {
      OSCOPE_ASSIGN_OR_RETURN(text_read_, text_.Read());
    }
    if (status_) {
      OSCOPE_ASSIGN_OR_RETURN(status_read_, ParseBugStatus(*status_));
    }
    if (created_) {
      Result<int64_t> created = ParseTimestamp(*created_);
      if (!created.ok()) return std::move(created).error().Within("--created");
      created_read_ = *created;
    }
    for (const std::string& field : fields_) {
      const size_t equals = field.find('=');
      if (equals == 0 || equals == std::string::npos) return Invalid("--field '{}': expected NAME=VALUE", field);
    }
    return {};
  }

  void Apply(Bug& bug) const {
    const auto set = [](std::string& field, const std::optional<std::string>& value) {
      if (value) field = *value;
    };
    set(bug.title, title_);
    set(bug.severity, severity_);
    set(bug.reporter, reporter_);
    set(bug.url, url_);
    set(bug.version, version_);
    set(bug.text, text_read_);
    if (created_read_) bug.created_ns = created_read_;
    if (status_read_) SetStatus(bug, *status_read_, NowNs());
    for (const std::string& field : fields_) {
      const size_t equals = field.find('=');
      const std::string name = field.substr(0, equals), value = field.substr(equals + 1);
      if (value.empty()) {
        bug.custom.erase(name);
      } else {
        bug.custom[name] = value;
      }
    }
  }

 private:
  std::optional<std::string> title_, status_, severity_, reporter_, url_, version_, created_;
  std::vector<std::string> fields_;
  TextOption text_;
  std::optional<std::string> text_read_;
  std::optional<BugStatus> status_read_;
  std::optional<int64_t> created_read_;
};

class BugAddCommand : public Command {
 public:
  std::string_view name() const override { return "add"; }
  std::string_view summary() const override { return "Report a bug"; }

  void Register(CLI::App& app) override {
    app.add_option("ID", id_, "The bug's id in the project; the next number if not given")->option_text("ID");
    fields_.Register(app);
    note_.Register(app);
    app.footer(
        "Prints the new bug's name, such as Demo-12.\n\n"
        "Examples:\n"
        "  oscope bug add --title 'crash on an empty file' --severity high\n"
        "  oscope bug add BEANUTILS-342 --project Beanutils --text-file report.txt --url https://…\n"
        "  git log -1 --format=%B | oscope bug add --title 'wrong sum' --text-file -");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_RETURN_IF_ERROR(fields_.Prepare());
    OSCOPE_ASSIGN_OR_RETURN(const std::string project, context.Project());
    if (!id_.empty()) OSCOPE_RETURN_IF_ERROR(CheckId("bug", id_));
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(Access::kWrite));
    OSCOPE_ASSIGN_OR_RETURN(const Bug bug, Add(store, project));
    Settle(context, store);
    if (context.json()) {
      context.PrintJson(ToJson(bug));
    } else {
      context.Print("{}\n", Shown(ToString(bug.key)));
    }
    return kExitOk;
  }

 private:
  Result<Bug> Add(Store& store, const std::string& project) const {
    Bug bug;
    const auto change = [&](KnownBugs& bugs) -> Status {
      bug = Bug();
      bug.key = {project, id_};
      if (id_.empty()) {
        OSCOPE_ASSIGN_OR_RETURN(const uint64_t number, bugs.NextNumber(project));
        bug.key.id = std::to_string(number);
      }
      OSCOPE_ASSIGN_OR_RETURN(const std::optional<Bug> there, bugs.Find(bug.key));
      if (there) return Conflict("bug {}: is there already; `oscope bug edit` changes it", ToString(bug.key));
      bug.created_ns = NowNs();
      fields_.Apply(bug);
      return bugs.Put(bug, note_.why());
    };
    OSCOPE_RETURN_IF_ERROR(store.ChangeBugs(change, note_.by()));
    return bug;
  }

  std::string id_;
  BugFields fields_;
  ChangeNote note_;
};

class BugEditCommand : public Command {
 public:
  std::string_view name() const override { return "edit"; }
  std::string_view summary() const override { return "Change fields of a bug"; }

  void Register(CLI::App& app) override {
    app.add_option("BUG", bug_, "The bug")->option_text("BUG")->required();
    fields_.Register(app);
    note_.Register(app);
    app.footer(
        "Fields that are not given stay. Earlier revisions stay too: `oscope show bug BUG --history`.\n\n"
        "Examples:\n"
        "  oscope bug edit 12 --severity low --field component=parser\n"
        "  oscope bug edit Beanutils-342 --field component=");
  }

  Result<int> Run(Context& context) override {
    if (!fields_.any()) return Invalid("bug edit {}: nothing to change; give a field such as --title", bug_);
    OSCOPE_RETURN_IF_ERROR(fields_.Prepare());
    OSCOPE_ASSIGN_OR_RETURN(const Bug bug, ChangeBug(context, bug_, note_, [&](Bug& changed) -> Status {
                              fields_.Apply(changed);
                              return {};
                            }));
    return PrintChanged(context, bug, "changed");
  }

 private:
  std::string bug_;
  BugFields fields_;
  ChangeNote note_;
};

}  // namespace

std::unique_ptr<Command> MakeBugAddCommand() { return std::make_unique<BugAddCommand>(); }
std::unique_ptr<Command> MakeBugEditCommand() { return std::make_unique<BugEditCommand>(); }

}  // namespace oscope::cli
