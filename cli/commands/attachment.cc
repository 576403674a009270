// The four commands under `oscope attachment`. Bytes are never written to a terminal, since they may contain anything.
// An attachment never changes: a name is unique among the attachments of its owner, and adding other bytes under the
// same name is refused rather than replacing them.
#include "base/limits.h"
#include "cli/bugs/attachments.h"
#include "cli/context/command.h"
#include "cli/context/resolve.h"
#include "cli/output/output_file.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

constexpr const char* kTarget = "The run, by its id or the start of it, or the bug, as Demo-12";

void AddTarget(Options& options, std::string& target) {
  options.Add("TARGET", target, kTarget).Value("TARGET").Required();
}

class AttachmentAddCommand : public Command {
 public:
  std::string_view name() const override { return "add"; }
  std::string_view summary() const override { return "Attach files to a run or a bug"; }

  void Register(Options& options) override {
    AddTarget(options, target_);
    options.Add("FILE", files_, "The files; - is standard input").Value("FILE...").Required();
    options.Add("--kind", kind_, "The kind of attachment, in one word (default file)").Value("WORD");
    options.Add("--name", name_, "The attachment's name (default: the file's)").Value("NAME");
    options.Footer(
        "An attachment never changes. To replace one, remove it first.\n\n"
        "Examples:\n"
        "  oscope attachment add Demo-12 screenshot.png\n"
        "  oscope attachment add 3fa9c2 core.txt --kind core --name 'core of the worker'\n"
        "  journalctl -u demo | oscope attachment add Demo-12 - --name journal");
  }

  Result<int> Run(Context& context) override {
    if (name_ && files_.size() > 1) return Invalid("--name: names one file, and {} are given", files_.size());
    OSCOPE_RETURN_IF_ERROR(CheckId("--kind", kind_));
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(Access::kWrite));
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    OSCOPE_ASSIGN_OR_RETURN(const AttachmentOwner owner, ResolveOwner(context, snapshot, target_));
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<StoredAttachment> there, snapshot.Attachments(owner));
    OSCOPE_ASSIGN_OR_RETURN(const auto ingest, store.BeginIngest({}));
    std::vector<StoredAttachment> added;
    for (const std::string& file : files_) {
      OSCOPE_ASSIGN_OR_RETURN(const std::string name, NameOf(file));
      OSCOPE_ASSIGN_OR_RETURN(std::string bytes, ReadInput(file, limits::kMaxAttachmentBytes, context.cancel()));
      const Attachment attachment = MakeAttachment(owner, kind_, name, std::move(bytes));
      for (const std::vector<StoredAttachment>* known : {&there, &std::as_const(added)}) {
        for (const StoredAttachment& one : *known) OSCOPE_RETURN_IF_ERROR(CheckName(one.header, attachment.header));
      }
      OSCOPE_RETURN_IF_ERROR(ingest->AddAttachment(attachment));
      added.push_back({attachment.header, NowNs()});
    }
    OSCOPE_ASSIGN_OR_RETURN(const IngestResult result, ingest->Commit());
    Settle(context, store);
    Show(context, owner, added, result);
    return kExitOk;
  }

 private:
  Result<std::string> NameOf(const std::string& file) const {
    if (name_) return *name_;
    if (file == "-") return Invalid("--name: standard input has no name of its own");
    return BaseName(file);
  }

  static Status CheckName(const AttachmentHeader& there, const AttachmentHeader& added) {
    if (there.name != added.name || there == added) return {};
    return Conflict("{} has another attachment '{}': give a --name, or remove that one first", ToString(added.owner),
                    Shown(added.name));
  }

  static void Show(const Context& context, const AttachmentOwner& owner, const std::vector<StoredAttachment>& added,
                   const IngestResult& result) {
    if (context.json()) {
      Json json = {{"version", result.version}, {"added", result.attachments_added}, {"attachments", Json::array()}};
      for (const StoredAttachment& one : added) json["attachments"].push_back(ToJson(one));
      context.PrintJson(json);
    } else if (!context.quiet()) {
      context.Print("{}: added {}{}\n", Shown(ToString(owner)), Counted(result.attachments_added, "attachment"),
                    result.attachments_known == 0 ? "" : fmt::format("; {} there already", result.attachments_known));
    }
  }

  std::string target_, kind_ = "file";
  std::optional<std::string> name_;
  std::vector<std::string> files_;
};

class AttachmentListCommand : public Command {
 public:
  std::string_view name() const override { return "list"; }
  std::string_view summary() const override { return "List the attachments of a run or a bug"; }

  void Register(Options& options) override {
    AddTarget(options, target_);
    options.Footer("Examples:\n  oscope attachment list Demo-12\n  oscope attachment list 3fa9c2 --json");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(const Store store, context.OpenStore(Access::kRead));
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    OSCOPE_ASSIGN_OR_RETURN(const AttachmentOwner owner, ResolveOwner(context, snapshot, target_));
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<StoredAttachment> attachments, snapshot.Attachments(owner));
    if (context.json()) {
      Json json = {{"attachments", Json::array()}};
      for (const StoredAttachment& one : attachments) json["attachments"].push_back(ToJson(one));
      context.PrintJson(json);
      return kExitOk;
    }
    if (attachments.empty()) {
      context.Note("{} has no attachments", Shown(ToString(owner)));
      return kExitOk;
    }
    context.Print("{}\n", Shown(ToString(owner)));
    context.PrintText(AttachmentsText(attachments));
    return kExitOk;
  }

 private:
  std::string target_;
};

class AttachmentGetCommand : public Command {
 public:
  std::string_view name() const override { return "get"; }
  std::string_view summary() const override { return "Write the bytes of an attachment"; }

  void Register(Options& options) override {
    AddTarget(options, target_);
    options.Add("NAME", attachment_, "Its name, or the start of its digest").Value("NAME").Required();
    options.Add("-o,--output", output_, "The file (default: standard output)").Value("PATH");
    options.Footer(
        "Examples:\n"
        "  oscope attachment get Demo-12 screenshot.png -o screenshot.png\n"
        "  oscope attachment get 3fa9c2 journal | less");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(const Store store, context.OpenStore(Access::kRead));
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
    OSCOPE_ASSIGN_OR_RETURN(const AttachmentOwner owner, ResolveOwner(context, snapshot, target_));
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<StoredAttachment> attachments, snapshot.Attachments(owner));
    OSCOPE_ASSIGN_OR_RETURN(const StoredAttachment picked, PickAttachment(owner, attachments, attachment_));
    const bool to_stdout = output_.empty() || output_ == "-";
    if (to_stdout && context.stdout_is_terminal())
      return Invalid(
          "an attachment may contain any bytes, so it is not written to a terminal: give a file with -o, or a pipe");
    OSCOPE_ASSIGN_OR_RETURN(const std::string bytes, snapshot.ReadAttachment(picked.header));
    OSCOPE_ASSIGN_OR_RETURN(OutputFile output, OutputFile::Create(output_));
    OSCOPE_RETURN_IF_ERROR(output.file().Append(bytes));
    OSCOPE_RETURN_IF_ERROR(output.Commit());
    return kExitOk;
  }

 private:
  std::string target_, attachment_, output_;
};

class AttachmentRemoveCommand : public Command {
 public:
  std::string_view name() const override { return "remove"; }
  std::string_view summary() const override { return "Delete attachments of a run or a bug"; }

  void Register(Options& options) override {
    AddTarget(options, target_);
    options.Add("NAME", attachments_, "Their names, or the starts of their digests").Value("NAME...").Required();
    options.Footer(
        "The bytes are gone when the command ends, unless another run or bug has them too.\n\n"
        "Examples:\n"
        "  oscope attachment remove Demo-12 screenshot.png");
  }

  Result<int> Run(Context& context) override {
    OSCOPE_ASSIGN_OR_RETURN(Store store, context.OpenStore(Access::kWrite));
    std::vector<AttachmentHeader> picked;
    AttachmentOwner owner;
    {
      // The files that are replaced must not be held by a snapshot of our own.
      OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
      OSCOPE_ASSIGN_OR_RETURN(owner, ResolveOwner(context, snapshot, target_));
      OSCOPE_ASSIGN_OR_RETURN(const std::vector<StoredAttachment> there, snapshot.Attachments(owner));
      for (const std::string& text : attachments_) {
        OSCOPE_ASSIGN_OR_RETURN(StoredAttachment one, PickAttachment(owner, there, text));
        picked.push_back(std::move(one.header));
      }
    }
    OSCOPE_ASSIGN_OR_RETURN(const DetachResult result, store.Detach(picked));
    if (context.json()) {
      context.PrintJson(
          {{"version", result.version}, {"removed", picked.size()}, {"files_pinned", result.files_pinned}});
    } else if (!context.quiet()) {
      context.Print("{}: removed {}\n", Shown(ToString(owner)), Counted(picked.size(), "attachment"));
    }
    RemoveRemains(context, store, result.files_pinned);
    return kExitOk;
  }

 private:
  std::string target_;
  std::vector<std::string> attachments_;
};

class AttachmentCommand : public CommandGroup {
 public:
  AttachmentCommand() {
    AddChild(std::make_unique<AttachmentAddCommand>());
    AddChild(std::make_unique<AttachmentListCommand>());
    AddChild(std::make_unique<AttachmentGetCommand>());
    AddChild(std::make_unique<AttachmentRemoveCommand>());
  }
  std::string_view name() const override { return "attachment"; }
  std::string_view summary() const override { return "Keep files with runs and bugs"; }
  void Register(Options& options) override {
    options.Footer(
        "As with inputs, an export contains attachments only with --with-input.\n\n"
        "Examples:\n"
        "  oscope attachment add Demo-12 screenshot.png\n"
        "  oscope attachment get Demo-12 screenshot.png -o screenshot.png");
  }
};

}  // namespace

std::unique_ptr<Command> MakeAttachmentCommand() { return std::make_unique<AttachmentCommand>(); }

}  // namespace oscope::cli
