// An attachment: bytes of any kind that belong to a run or to a bug, such as the bitcode of a program, the conditions
// of a path, or an input that breaks a fix.
//
// Identity:  owner, kind, name and digest. So an attachment never changes: other bytes under the same name are another
//            attachment, and two stores that both have one are merged by keeping each once.
// Kinds:     a short word that says who can read the bytes. Kinds that a release does not know are kept like any other.
// Secrets:   like an input, an attachment may hold secrets: an export contains it only when it is asked to.
// Threads:   values.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "tracer/model/bug.h"
#include "tracer/model/run.h"

namespace oscope {

// Whose it is: a run, or a bug. Exactly one of the two is set.
struct AttachmentOwner {
  RunId run;   // zero: a bug's
  BugKey bug;  // empty: a run's
  bool is_run() const { return run != RunId{}; }
  auto operator<=>(const AttachmentOwner&) const = default;
};
std::string ToString(const AttachmentOwner& owner);  // "run 3f…", "bug Demo-12"

// All of an attachment but its bytes.
struct AttachmentHeader {
  AttachmentOwner owner;
  std::string kind;    // an id (ValidateId): "bitcode", "conditions", "file", …
  std::string name;    // for people and programs, unique among the owner's by intention, not by rule; never empty
  std::string sha256;  // of the bytes: 64 lower-case hexadecimal digits
  uint64_t size = 0;   // of the bytes
  auto operator<=>(const AttachmentHeader&) const = default;
};

struct Attachment {
  AttachmentHeader header;
  std::string bytes;
  bool operator==(const Attachment&) const = default;
};

// An attachment with the digest and the size of these bytes.
Attachment MakeAttachment(AttachmentOwner owner, std::string kind, std::string name, std::string bytes);

// Puts an attachment together from the pieces that a file has of it, one after another.
class AttachmentPieces {
 public:
  // Forgets what is there. kInvalid or kLimit as Validate says, before anything is allocated.
  Status Begin(AttachmentHeader header);
  // Fails with kCorrupt when there are more bytes than the header says.
  Status Add(std::string_view piece);
  // Whether an attachment was begun and pieces of it are missing.
  bool open() const { return begun_ && attachment_.bytes.size() < attachment_.header.size; }
  const Attachment& so_far() const { return attachment_; }
  // When all of it came. kCorrupt when the digest is that of other bytes.
  Result<Attachment> Take();

 private:
  Attachment attachment_;
  bool begun_ = false;
};

// kInvalid or kLimit names the field that is wrong.
Status Validate(const AttachmentHeader& attachment);
// The same, and kCorrupt when the bytes are not those that size and digest tell of.
Status Validate(const Attachment& attachment);

}  // namespace oscope
