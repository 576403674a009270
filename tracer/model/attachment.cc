// Validation of attachments. An attachment may arrive in pieces (AttachmentPieces); its digest is compared when it is
// complete, so that no reader ever sees bytes that do not match their header.
#include "tracer/model/attachment.h"

#include "base/checksum.h"
#include "base/limits.h"

namespace oscope {
namespace {

constexpr size_t kDigestDigits = 64;

Status ValidateOwner(const AttachmentOwner& owner) {
  const bool has_bug = owner.bug != BugKey{};
  if (owner.is_run() == has_bug) return Invalid("it must belong either to a run or to a bug");
  if (!has_bug) return {};
  OSCOPE_RETURN_IF_ERROR(ValidateId("project", owner.bug.project));
  return ValidateId("bug id", owner.bug.id);
}

Status ValidateFields(const AttachmentHeader& attachment) {
  OSCOPE_RETURN_IF_ERROR(ValidateOwner(attachment.owner));
  OSCOPE_RETURN_IF_ERROR(ValidateId("kind", attachment.kind));
  if (attachment.name.empty()) return Invalid("it has no name");
  if (attachment.name.size() > limits::kMaxNameBytes)
    return Limit("name: {} is over the limit of {}", attachment.name.size(), limits::kMaxNameBytes);
  if (attachment.size > limits::kMaxAttachmentBytes)
    return Limit("bytes: {} is over the limit of {}", attachment.size, limits::kMaxAttachmentBytes);
  if (attachment.sha256.size() != kDigestDigits ||
      attachment.sha256.find_first_not_of("0123456789abcdef") != std::string::npos)
    return Invalid("sha256: expected {} hexadecimal digits", kDigestDigits);
  return {};
}

// An error of an attachment says which one it is about.
Error Named(Error error, const AttachmentHeader& attachment) {
  return std::move(error).Within(
      fmt::format("attachment '{}' of {}", attachment.name.substr(0, 200), ToString(attachment.owner)));
}

}  // namespace

std::string ToString(const AttachmentOwner& owner) {
  return owner.is_run() ? "run " + ToString(owner.run) : "bug " + ToString(owner.bug);
}

Attachment MakeAttachment(AttachmentOwner owner, std::string kind, std::string name, std::string bytes) {
  std::string sha256 = Sha256Of(bytes);
  const uint64_t size = bytes.size();
  return {{std::move(owner), std::move(kind), std::move(name), std::move(sha256), size}, std::move(bytes)};
}

Status AttachmentPieces::Begin(AttachmentHeader header) {
  begun_ = false;
  OSCOPE_RETURN_IF_ERROR(Validate(header));
  attachment_ = {std::move(header), {}};
  begun_ = true;
  return {};
}

Status AttachmentPieces::Add(std::string_view piece) {
  OSCOPE_CHECK(begun_);
  if (piece.size() > attachment_.header.size - attachment_.bytes.size())
    return Named(Error{ErrorCode::kCorrupt, "more bytes came than its size says"}, attachment_.header);
  attachment_.bytes += piece;
  return {};
}

Result<Attachment> AttachmentPieces::Take() {
  begun_ = false;
  OSCOPE_RETURN_IF_ERROR(Validate(attachment_));
  return std::exchange(attachment_, {});
}

Status Validate(const AttachmentHeader& attachment) {
  if (Status fields = ValidateFields(attachment); !fields.ok()) return Named(std::move(fields).error(), attachment);
  return {};
}

Status Validate(const Attachment& attachment) {
  const AttachmentHeader& header = attachment.header;
  OSCOPE_RETURN_IF_ERROR(Validate(header));
  if (attachment.bytes.size() != header.size)
    return Named(Error{ErrorCode::kCorrupt, fmt::format("{} bytes of {} came", attachment.bytes.size(), header.size)},
                 header);
  if (Sha256Of(attachment.bytes) != header.sha256)
    return Named(Error{ErrorCode::kCorrupt, "its bytes do not match its digest"}, header);
  return {};
}

}  // namespace oscope
