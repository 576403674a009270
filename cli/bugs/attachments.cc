// What a user may write for the owner of an attachment and for its name. A text may be both a bug's id and the
// beginning of a run's id; then the user is asked to say which.
#include "cli/bugs/attachments.h"

#include "base/quantity.h"
#include "base/timestamp.h"
#include "cli/context/resolve.h"
#include "cli/output/table.h"
#include "cli/output/text.h"

namespace oscope::cli {
namespace {

constexpr size_t kShownDigits = 12;
constexpr size_t kFewestDigits = 4;

}  // namespace

Result<AttachmentOwner> ResolveOwner(const Context& context, const Snapshot& snapshot, const std::string& text) {
  const Result<RunId> run = snapshot.ResolveRun(text);
  // A whole id is a run's: no bug is meant by 32 hexadecimal digits.
  if (run.ok() && text.size() == 32) return AttachmentOwner{*run, {}};
  const Result<BugKey> bug = ResolveBug(context, snapshot, text);
  if (run.ok() && bug.ok()) {
    return Conflict(
        "'{}' is bug {} and the start of run {}: name the bug with its project, or the run by all its digits",
        Shown(text), ToString(*bug), ToString(*run));
  }
  if (run.ok()) return AttachmentOwner{*run, {}};
  if (bug.ok()) return AttachmentOwner{{}, *bug};
  if (run.error().code == ErrorCode::kConflict) return run.error();
  if (bug.error().code != ErrorCode::kNotFound) return bug.error();
  return NotFound("'{}' is neither a run nor a bug of this store", Shown(text));
}

Result<StoredAttachment> PickAttachment(const AttachmentOwner& owner, const std::vector<StoredAttachment>& attachments,
                                        std::string_view text) {
  std::vector<const StoredAttachment*> found;
  for (const StoredAttachment& one : attachments) {
    if (one.header.name == text) found.push_back(&one);
  }
  if (found.empty() && text.size() >= kFewestDigits) {
    for (const StoredAttachment& one : attachments) {
      if (one.header.sha256.starts_with(text)) found.push_back(&one);
    }
  }
  if (found.empty())
    return NotFound("{} has no attachment '{}'; `oscope attachment list` lists them", ToString(owner), Shown(text));
  if (found.size() > 1)
    return Conflict("{} has {} attachments '{}': name one by the start of its digest, such as {}", ToString(owner),
                    found.size(), Shown(text), found[0]->header.sha256.substr(0, kShownDigits));
  return *found[0];
}

Json ToJson(const StoredAttachment& attachment) {
  const AttachmentHeader& header = attachment.header;
  Json json = Json::object();
  if (header.owner.is_run()) {
    json["run"] = ToString(header.owner.run);
  } else {
    json["bug"] = ToString(header.owner.bug);
  }
  json["kind"] = header.kind;
  json["name"] = header.name;
  json["sha256"] = header.sha256;
  json["size"] = header.size;
  json["stored"] = FormatTimestamp(attachment.stored_ns);
  return json;
}

std::string AttachmentsText(const std::vector<StoredAttachment>& attachments) {
  if (attachments.empty()) return {};
  TextTable table({{"NAME"}, {"KIND"}, {"SIZE", true}, {"STORED"}, {"SHA-256"}});
  for (const StoredAttachment& one : attachments) {
    table.AddRow({one.header.name, one.header.kind, FormatByteSize(one.header.size), ShownTime(one.stored_ns),
                  one.header.sha256.substr(0, kShownDigits)});
  }
  return "\n" + Counted(attachments.size(), "attachment") + "\n" + table.Render(TerminalWidth(), "  ");
}

}  // namespace oscope::cli
