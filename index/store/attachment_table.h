// The attachments table: a row for each attachment of a segment.
//
//   run_id?, project?, bug?, kind, name, sha256, size, stored, bytes?
//
// Whose:   `run_id` of a run's; `project` and `bug` of a bug's.
// Bytes:   those of a digest stand once in a segment, in the first row that has it; in the others they are null. So a
//          program's bitcode that belongs to a hundred runs costs its size once, and a segment needs no other one.
// Order:   by placement (placement.h), then by header.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/store/parquet_file.h"
#include "index/store/snapshot.h"

namespace oscope {

// An attachment on its way into a segment.
struct PendingAttachment {
  StoredAttachment stored;
  std::shared_ptr<const std::string> bytes;  // shared by all that have the digest
  uint64_t placement = 0;
};

std::shared_ptr<arrow::Schema> AttachmentTableSchema();

// Writes attachments in this order, in row groups of a few megabytes, so that one can be read without the others.
Status WriteAttachments(ParquetWriter& writer, std::span<const PendingAttachment* const> attachments);

// All of them, without their bytes, in order of the table.
Result<std::vector<StoredAttachment>> ReadAttachments(TableReader& reader);

// Calls `take` with those that `keep` accepts, and their bytes; of those that share a digest one after another. A row
// group is in memory at a time. kCorrupt when the bytes are not those of the digest; an error of `take` ends the reading
// and comes back as it is.
Status ReadAttachmentBytes(TableReader& reader, const std::function<bool(const StoredAttachment&)>& keep,
                           const std::function<Status(const StoredAttachment&, const std::string& bytes)>& take);

}  // namespace oscope
