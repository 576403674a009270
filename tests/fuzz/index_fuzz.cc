// Reads any bytes as an .osix file, and again with its checksums put right, and asks it everything that a store and a
// search ask.
#include <cstring>

#include "index/store/bug_name_table.h"
#include "index/store/segment_index.h"
#include "index/store/segment_search.h"
#include "tests/fuzz/fuzz_target.h"

namespace oscope {
namespace {

constexpr size_t kSectionsAt = 6, kSegmentAt = 8, kSegmentBytes = 32, kTableAt = 40, kSectionBytes = 32;

template <typename Number>
Number Load(const std::string& bytes, size_t at) {
  Number number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof(number));
  return number;
}

void StoreHash(std::string& bytes, size_t at, uint64_t hash) { std::memcpy(bytes.data() + at, &hash, sizeof(hash)); }

// The checksums that the bytes would need, where there is room for them.
std::string PutRight(std::string bytes) {
  if (bytes.size() < kTableAt) return bytes;
  const size_t sections = Load<uint16_t>(bytes, kSectionsAt);
  const size_t table_end = kTableAt + sections * kSectionBytes;
  if (bytes.size() < table_end + sizeof(uint64_t)) return bytes;
  for (size_t at = kTableAt; at < table_end; at += kSectionBytes) {
    const auto offset = Load<uint64_t>(bytes, at + 8), length = Load<uint64_t>(bytes, at + 16);
    if (offset > bytes.size() || length > bytes.size() - offset) continue;
    StoreHash(bytes, at + 24, Xxh3(std::string_view(bytes).substr(offset, length)));
  }
  StoreHash(bytes, table_end, Xxh3(std::string_view(bytes).substr(0, table_end)));
  return bytes;
}

void AskForRuns(const SegmentIndex& index) {
  for (size_t i = 0; i < index.runs(); ++i) {
    const RunLocation run = index.run(i);
    OSCOPE_CHECK(index.LowerBound(run.id) <= index.runs());
    OSCOPE_CHECK(index.LowerBound(run.id, i) <= index.runs());
    if (const auto found = index.FindRun(run.id)) OSCOPE_CHECK(found->id == run.id);
    const uint64_t placements[] = {run.content_hash_low / 2, run.content_hash_low};
    (void)index.HasBugAmong(placements);
    (void)index.BugRows(run.content_hash_low);
  }
}

std::vector<uint32_t> AskForTails(const TailTable& tails) {
  std::vector<uint32_t> events;
  for (size_t row = 0; row < tails.size(); ++row) {
    const size_t before = events.size();
    tails.AppendTail(row, kSketchEvents, events);
    OSCOPE_CHECK(events.size() - before <= kSketchEvents);
    const uint32_t bug = tails.rows()[row].bug;
    if (bug != kNoBug) OSCOPE_CHECK(tails.FindBug(tails.bugs()[bug]) == bug);
  }
  for (uint32_t id = 0; id < tails.names(); ++id) {
    if (const auto found = tails.FindName(tails.name(id))) OSCOPE_CHECK(tails.name(*found) == tails.name(id));
  }
  for (const uint32_t event : events) OSCOPE_CHECK(event < tails.names());
  return events;
}

// How many rows are near, by each of the two.
std::string AskForNearRows(const SegmentSearch& search, std::span<const uint32_t> events) {
  std::string description;
  if (const SketchView* sketch = search.sketch()) {
    std::vector<uint64_t> hashes;
    for (const uint32_t event : events.first(std::min<size_t>(events.size(), kSketchEvents)))
      hashes.push_back(SketchHash(search.tails().name(event)));
    std::vector<uint32_t> rows;
    Survivors(*sketch, SketchQuery(hashes, kSketchEvents), 0, sketch->rows(), 5, rows);
    for (const uint32_t row : rows) OSCOPE_CHECK(row < search.tails().size());
    description += fmt::format(", {} near by sketch", rows.size());
  }
  if (const Postings* postings = search.postings()) {
    const auto tokens = TokensOf(events.first(std::min<size_t>(events.size(), kSketchEvents)));
    const auto rows = postings->Candidates(tokens);
    for (const uint32_t row : rows) OSCOPE_CHECK(row < search.tails().size());
    description += fmt::format(", {} near by postings", rows.size());
  }
  return description;
}

// How many rows the section of rows has: a store knows that from its manifest.
uint64_t RowsIn(const IndexFile& file) {
  const auto rows = file.Section(kTailRowsTag, kTailsVersion);
  return rows.ok() ? rows->size() / sizeof(TailRow) : 0;
}

std::string AskForBugs(std::shared_ptr<const IndexFile> file) {
  const auto section = file->Section(kBugNamesTag, kBugNamesVersion);
  if (!section.ok()) return "";
  const auto names = BugNameTable::Decode(*section, section->size() < 4 ? 0 : Load<uint32_t>(std::string(*section), 0),
                                          std::move(file));
  if (!names.ok()) return "; bugs: " + DescribeError(names.error());
  for (uint32_t i = 0; i < names->size(); ++i) {
    OSCOPE_CHECK(names->row(i) < names->size());
    if (const auto found = names->Find(names->key(i))) OSCOPE_CHECK(names->key(*found) == names->key(i));
    for (const BugKey& bug : names->WithId(names->key(i).id)) OSCOPE_CHECK(bug.id == names->key(i).id);
  }
  for (uint32_t i = 0; i < names->custom_fields(); ++i) (void)names->HasCustomField(names->custom_field(i));
  return fmt::format("; {} revisions of bugs", names->size());
}

std::string Ask(const std::string& bytes) {
  const std::string segment =
      bytes.size() < kTableAt ? std::string(kSegmentBytes, '0') : bytes.substr(kSegmentAt, kSegmentBytes);
  const auto file = IndexFile::Decode(bytes, segment);
  if (!file.ok()) return DescribeError(file.error());
  OSCOPE_CHECK((*file)->bytes() == bytes);
  const Status sections = (*file)->CheckAll();
  std::string description = sections.ok() ? "sound" : DescribeError(sections.error());
  if (const auto index = SegmentIndex::Make(*file); index.ok()) {
    AskForRuns(**index);
    description += fmt::format("; {} runs", (*index)->runs());
  } else {
    description += "; runs: " + DescribeError(index.error());
  }
  description += AskForBugs(*file);
  const auto search = SegmentSearch::Make(*file, RowsIn(**file));
  if (!search.ok()) return description + "; tails: " + DescribeError(search.error());
  const TailTable& tails = (*search)->tails();
  const std::vector<uint32_t> events = AskForTails(tails);
  return description + fmt::format("; {} tails of {} events and {} names", tails.size(), events.size(), tails.names()) +
         AskForNearRows(**search, events);
}

}  // namespace

std::string DescribeInput(std::string_view input) {
  const std::string bytes(input);
  return fmt::format("{} | put right: {}", Ask(bytes), Ask(PutRight(bytes)));
}

}  // namespace oscope
