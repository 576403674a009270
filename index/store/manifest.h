// The manifest: it names every segment of one version of a store, with size and digest of each file. A reader trusts
// nothing else.
//
// On disk:   manifests/<version, 20 digits>.json, a JSON object, a newline, and "sha256 <64 hex digits of what
//            precedes>\n". The newest segments stand in it; older ones in group files that it names with their digests,
//            so that a commit does not rewrite a list of every segment. docs/formats/store.md has the fields.
// Order:     versions only grow. Version N + 1 is published by link(2), which fails when the name exists, so that
//            exactly one writer makes it.
// Threads:   a value; may be read from any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/checksum.h"
#include "base/result.h"

namespace oscope {

// The format that this release writes, the oldest that it reads, and the oldest release that reads what it writes.
//
// Each change of a store with an older format writes a manifest of the new format. Its segments stay as they are until
// a compaction or `oscope store upgrade` rewrites them; what they lack is read as a default. A store that a newer
// release wrote is opened for reading only, provided that its manifest says that this release can read it.
inline constexpr uint32_t kStoreFormat = 2;
inline constexpr uint32_t kOldestStoreFormat = 1;
inline constexpr uint32_t kReadableFrom = 2;

// A closed interval of the 64-bit hashes that place bugs and runs (placement.h).
struct HashRange {
  uint64_t first = 0;
  uint64_t last = UINT64_MAX;
  bool Contains(uint64_t hash) const { return first <= hash && hash <= last; }
  bool operator==(const HashRange&) const = default;
};

enum class Table : uint8_t { kTraces, kRuns, kSymbols, kBugs, kAttachments };
inline constexpr int kTables = 5;
std::string_view TableName(Table table);  // "traces", "runs", "symbols", "bugs", "attachments"
// Counts the changes of a table's columns. 1 is that of format 1; docs/formats/store.md says what each brought.
uint32_t TableVersion(Table table);

// One Parquet file of a segment, and what it must be.
struct TableFile {
  Table table = Table::kTraces;
  uint64_t size = 0;
  uint64_t rows = 0;
  std::string sha256;  // of the whole file
  // of the Parquet footer at its end: enough, with the page checksums, for a read of a few rows
  std::string footer_sha256;
  uint32_t version = 1;  // TableVersion of the release that wrote it
  bool operator==(const TableFile&) const = default;
};

struct SegmentEntry {
  std::string id;  // 32 hexadecimal digits; the files are segments/<id>.<table>.parquet
  HashRange range;
  std::vector<TableFile> tables;  // in the order of Table, those that have rows
  uint64_t runs = 0;
  uint64_t traces = 0;
  uint64_t events = 0;
  uint64_t bug_revisions = 0;
  std::string quarantined;  // why it is not read; empty: it is read

  const TableFile* Find(Table table) const;
  uint64_t bytes() const;
  // Whether an older release wrote one of its tables: an upgrade rewrites it.
  bool IsOlder() const;
  bool operator==(const SegmentEntry&) const = default;
};

std::vector<std::string> IdsOf(const std::vector<SegmentEntry>& segments);
uint64_t BytesOf(const std::vector<SegmentEntry>& segments);

struct GroupEntry {
  std::string file;  // 32 hexadecimal digits; groups/<file>.json
  uint64_t size = 0;
  std::string sha256;
  bool operator==(const GroupEntry&) const = default;
};

struct StoreSettings {
  std::optional<uint64_t> max_bytes;  // quota: a commit that would exceed it is refused
  std::optional<uint64_t> max_runs;
  // Saved queries: name -> the text of CREATE QUERY. The store keeps the texts and does not interpret them.
  std::map<std::string, std::string> queries;
  // Which saved query is asked about the failing runs of a test, if not the usual one: project -> test -> the query's
  // name. The store does not interpret these either.
  std::map<std::string, std::map<std::string, std::string>> remembered;
  // The least number that the next bug of a project may get, where a purge took the bugs that would say so: a number
  // that was given once may stand in a mail or in another bug, and must never name another bug.
  std::map<std::string, uint64_t> next_numbers;
  bool operator==(const StoreSettings&) const = default;
};

struct Manifest {
  uint32_t format = kStoreFormat;  // that it was read from; what is written is of kStoreFormat always
  uint64_t version = 0;
  std::string store_id;           // 32 hexadecimal digits, minted by init
  std::vector<HashRange> ranges;  // sorted, disjoint, covering all hashes
  std::vector<GroupEntry> groups;
  std::vector<SegmentEntry> segments;  // all of them, in order of commit: those of the groups first
  // How many of `segments` stand in the groups, group by group; the rest are written into the root.
  std::vector<uint32_t> group_sizes;
  StoreSettings settings;

  uint64_t bytes() const;
  uint64_t runs() const;
  uint64_t traces() const;
  uint64_t events() const;
};

// The text of the root file, and back. Decoding gives only the segments that stand in the root itself, and the entries
// of the groups. It fails with kCorrupt for any other text, and with kUnsupported for a format that this release cannot
// read. In a newer format that it can read, tables that it does not know are left out.
std::string EncodeManifestRoot(const Manifest& manifest);
Result<Manifest> DecodeManifestRoot(std::string_view text);

std::string EncodeGroup(const std::vector<SegmentEntry>& segments);
Result<std::vector<SegmentEntry>> DecodeGroup(std::string_view text);

}  // namespace oscope
