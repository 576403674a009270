// Attachments as users name and see them: what `oscope attachment` and `oscope show` share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/context/context.h"
#include "cli/output/json_output.h"

namespace oscope::cli {

// The run or the bug that a user's text means. kConflict where it may mean either, kNotFound where it means neither.
Result<AttachmentOwner> ResolveOwner(const Context& context, const Snapshot& snapshot, const std::string& text);

// The attachment that `text` names: by its name, or by the start of its digest (4 digits or more). kNotFound where there
// is none, kConflict where there are several.
Result<StoredAttachment> PickAttachment(const AttachmentOwner& owner, const std::vector<StoredAttachment>& attachments,
                                        std::string_view text);

Json ToJson(const StoredAttachment& attachment);

// A table with a heading, indented as the parts of `oscope show` are; empty when there are none.
std::string AttachmentsText(const std::vector<StoredAttachment>& attachments);

}  // namespace oscope::cli
