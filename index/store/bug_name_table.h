// The names of a segment's bugs, in place from its index file: which revisions of which bugs it holds and in which rows
// of its bugs table, without a look at the table.
//
// On disk:   one section of the index file, BNAM; none in a segment without bugs (docs/formats/index.md). n revisions
//            of p projects, with f names of custom fields:
//              u32 n, u32 p, u32 f, u32 zero
//              u64[p + f + n + 1] where each text starts, the last their length: projects and fields, each ascending,
//                               then the ids of the revisions
//              u64[n] number of the revision
//              u32[n] its project, u32[n] its row in the bugs table
//              u32[n] the revisions in the order of id, then of project and number
//              the texts
// Order:     revisions ascend by project, id (both as bytes) and number. So a bug is found by bisection, an id of
//            whichever project through the last list, and the lists of two segments can be merged.
// Instead:   a hash table of ids would find one in one step. It would not give the order of keys, which numbers the
//            bugs of a query, nor what begins with a text; and twenty steps take a microsecond.
// Checks:    Make checks that every number and offset stays inside, in one pass; the order is trusted, as the bytes
//            have their checksum (index_file.h).
// Threads:   immutable; may be read from any thread.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "index/store/index_file.h"
#include "index/store/snapshot.h"

namespace oscope {

inline constexpr uint32_t kBugNamesTag = SectionTag("BNAM");
inline constexpr uint32_t kBugNamesVersion = 1;

struct BugKeyView {
  std::string_view project, id;
  auto operator<=>(const BugKeyView&) const = default;
  BugKey ToKey() const { return {std::string(project), std::string(id)}; }
};
inline BugKeyView ViewOf(const BugKey& key) { return {key.project, key.id}; }

class BugNameTable {
 public:
  // The section of these rows of a bugs table; none when there are none.
  static std::vector<IndexSection> MakeSections(std::span<const BugRevision> rows);

  // Reads the section of a segment with this number of revisions. kNotFound when the file lacks the section (an older
  // release wrote it), kCorrupt when it is damaged or has another number of them.
  static Result<std::shared_ptr<const BugNameTable>> Make(std::shared_ptr<const IndexFile> file, uint64_t revisions);
  // The section's bytes; `owner` keeps them.
  static Result<BugNameTable> Decode(std::string_view bytes, uint64_t revisions, std::shared_ptr<const void> owner);

  uint32_t size() const { return revisions_; }  // revisions
  BugKeyView key(uint32_t i) const { return {project(U32(project_of_, i)), Text(projects_ + fields_ + i)}; }
  uint64_t revision(uint32_t i) const { return U64(numbers_, i); }
  uint32_t row(uint32_t i) const { return U32(rows_, i); }

  // The newest revision of the bug that is here.
  std::optional<uint32_t> Find(const BugKeyView& key) const;
  // The bugs of this id, of every project; ascending, each once.
  std::vector<BugKey> WithId(std::string_view id) const;

  uint32_t projects() const { return projects_; }
  std::string_view project(uint32_t i) const { return Text(i); }
  uint32_t custom_fields() const { return fields_; }  // of all revisions, also those that a newer one replaced
  std::string_view custom_field(uint32_t i) const { return Text(projects_ + i); }
  bool HasCustomField(std::string_view name) const;

 private:
  static uint64_t U64(const char* at, uint64_t i);
  static uint32_t U32(const char* at, uint64_t i);
  std::string_view Text(uint64_t i) const;
  Status CheckTexts(uint64_t texts) const;
  Status CheckNumbers() const;

  std::shared_ptr<const void> owner_;
  uint32_t revisions_ = 0, projects_ = 0, fields_ = 0;
  const char* offsets_ = nullptr;
  const char* numbers_ = nullptr;
  const char* project_of_ = nullptr;
  const char* rows_ = nullptr;
  const char* by_id_ = nullptr;
  std::string_view text_;
};

}  // namespace oscope
