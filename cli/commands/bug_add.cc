// `oscope bug add` and `oscope bug edit`: every field of a report is an option of both.
#include <algorithm>

#include "base/timestamp.h"
#include "cli/bugs/bug_change.h"
#include "cli/bugs/text_option.h"
#include "cli/commands/bug.h"
#include "cli/context/resolve.h"
#include "cli/output/json_output.h"
#include "cli/output/text.h"
#include "index/intake/failure_rule.h"
#include "tracer/model/bug_fields.h"

namespace oscope::cli {
namespace {

// One field of a report as an option.
class FieldOption {
 public:
  explicit FieldOption(const BugField& field) : field_(&field) {}

  // Parsing writes into this object, which must stay where it is.
  void Register(Options& options) {
    if (field_->text == TextKind::kBlock) return block_.Register(options, field_->name, field_->help);
    options.Add(Name(), text_, field_->help).Value(field_->option_value);
  }

  bool given() const { return text_ || block_.given(); }

  Status Prepare(const Context& context) {
    if (!given()) return {};
    return std::visit([&](const auto& member) { return Parse(context, member.change(read_)); }, field_->member);
  }

  void Apply(Bug& bug) const {
    if (!given()) return;
    std::visit([&](const auto& member) { Set(bug, member.change(bug), member.read(read_)); }, field_->member);
  }

 private:
  std::string Name() const { return fmt::format("--{}", field_->name); }

  Status Parse(const Context& context, std::string& text) const {
    if (text_) {
      text = *text_;
      return {};
    }
    OSCOPE_ASSIGN_OR_RETURN(text, block_.Read(context.cancel()));
    return {};
  }
  Status Parse(const Context&, std::optional<int64_t>& time_ns) const {
    Result<int64_t> time = ParseTimestamp(*text_);
    if (!time.ok()) return std::move(time).error().Within(Name());
    time_ns = *time;
    return {};
  }
  Status Parse(const Context&, BugStatus& status) const {
    OSCOPE_ASSIGN_OR_RETURN(status, ParseBugStatus(*text_));
    return {};
  }
  // Lists have commands of their own: `bug comment`, `bug duplicate`.
  template <typename List>
  Status Parse(const Context&, List&) const {
    return {};
  }

  template <typename Value>
  static void Set(Bug&, Value& field, const Value& value) {
    field = value;
  }
  static void Set(Bug& bug, BugStatus&, BugStatus status) { SetStatus(bug, status, NowNs()); }

  const BugField* field_;
  std::optional<std::string> text_;
  TextOption block_;
  Bug read_;  // has the value that was given, in the member that the option is for
};

// The fields as options; Apply changes only those that were given.
class BugFields {
 public:
  BugFields() {
    for (const BugField* field : kInOrder<kBugFields, &BugField::option>) options_.emplace_back(*field);
  }

  void Register(Options& options) {
    for (FieldOption& option : options_) option.Register(options);
    options.Add("--field", custom_, "A field of your own; NAME= removes it. May be repeated")
        .Value("NAME=VALUE")
        .Repeatable();
  }

  bool any() const {
    return !custom_.empty() ||
           std::any_of(options_.begin(), options_.end(), [](const FieldOption& option) { return option.given(); });
  }

  // Reads files and checks values once, so that Apply may be called again when another writer was faster.
  Status Prepare(const Context& context) {
    for (FieldOption& option : options_) OSCOPE_RETURN_IF_ERROR(option.Prepare(context));
    for (const std::string& field : custom_) {
      const size_t equals = field.find('=');
      if (equals == 0 || equals == std::string::npos) return Invalid("--field '{}': expected NAME=VALUE", field);
    }
    return {};
  }

  void Apply(Bug& bug) const {
    for (const FieldOption& option : options_) option.Apply(bug);
    for (const std::string& field : custom_) {
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
  std::vector<FieldOption> options_;
  std::vector<std::string> custom_;
};

class BugAddCommand : public Command {
 public:
  std::string_view name() const override { return "add"; }
  std::string_view summary() const override { return "Report a bug"; }

  void Register(Options& options) override {
    options.Add("ID", id_, "The bug's id in the project; the next number if not given").Value("ID");
    fields_.Register(options);
    note_.Register(options);
    options.Footer(
        "Prints the new bug's name, such as Demo-12.\n\n"
        "Examples:\n"
        "  oscope bug add --title 'crash on an empty file' --severity high\n"
        "  oscope bug add BEANUTILS-342 --project Beanutils --text-file report.txt --url https://…\n"
        "  git log -1 --format=%B | oscope bug add --title 'wrong sum' --text-file -");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_RETURN_IF_ERROR(fields_.Prepare(context));
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
      OSCOPE_ASSIGN_OR_RETURN(const Bug* there, bugs.Find(bug.key));
      if (there != nullptr)
        return Conflict("bug {}: is there already; `oscope bug edit` changes it", ToString(bug.key));
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

  void Register(Options& options) override {
    options.Add("BUG", bug_, "The bug").Value("BUG").Required();
    fields_.Register(options);
    note_.Register(options);
    options.Footer(
        "Fields that are not given stay. Earlier revisions stay too: `oscope show bug BUG --history`.\n\n"
        "Examples:\n"
        "  oscope bug edit 12 --severity low --field component=parser\n"
        "  oscope bug edit Beanutils-342 --field component=");
  }

  Result<int> Run(Context& context) override {
    if (!fields_.any()) return Invalid("bug edit {}: nothing to change; give a field such as --title", bug_);
    OSCOPE_RETURN_IF_ERROR(fields_.Prepare(context));
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
