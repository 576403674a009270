// The bugs table: a row per revision of a bug report, each whole. The newest revision of a key counts.
//
//   project, id, revision, edited, title?, status, severity?, reporter?, created?, resolved?, url?, version?, text?,
//   fix_commit?, fix_diff?, fix_author?, fix_at?, fix_note?, comments list<struct<author, at, text>>,
//   duplicates list<struct<project, id>>, custom map, by?, why?
// Version 1 has neither `by` nor `why`.
#pragma once

#include <span>

#include "index/store/parquet_file.h"
#include "index/store/snapshot.h"

namespace oscope {

std::shared_ptr<arrow::Schema> BugTableSchema();
Status WriteBugs(ParquetWriter& writer, const std::vector<BugRevision>& revisions);
Result<std::vector<BugRevision>> ReadBugs(TableReader& reader);
Result<std::vector<BugRevision>> ReadBugs(TableReader& reader, std::span<const uint32_t> rows);

}  // namespace oscope
