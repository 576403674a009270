// Makes and reads the sections FAIL (which bugs a failure belongs to) and NUMB (the next free number of a bug). A
// failure is sixteen bytes of hash, and the entries are sorted by it, so that a lookup is a bisection in the mapped
// file. Hashes are stored most significant byte first: sorted numbers and sorted bytes are then the same order.
//
// A commit asks these sections of many segments, so they must answer without reading reports or runs. Without them a
// new failure could be recognised only by reading every stored run.
#include "index/store/failure_index.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/bytes.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "index/store/segment_reader.h"
#include "tracer/model/test_identity.h"

namespace oscope {

namespace {

constexpr uint32_t kFailuresTag = SectionTag("FAIL"), kNumbersTag = SectionTag("NUMB");
constexpr uint32_t kVersion = 1;  // of both
constexpr size_t kMaxTestBytes = 1024;

template <typename Number>
Number ReadNumber(const char* at) {
  Number value = 0;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

std::string_view Field(const CustomFields& fields, const char* name) {
  const auto there = fields.find(name);
  return there == fields.end() ? std::string_view() : std::string_view(there->second);
}

bool HasFailure(const RunHeader& run) { return IsFailing(run.outcome) && !run.failure.fingerprint.empty(); }

}  // namespace

Hash128 FailureHash(std::string_view project, std::string_view test, std::string_view fingerprint) {
  WideHasher hasher;
  hasher.UpdateString("oscope failure");
  hasher.UpdateString(project);
  hasher.UpdateString(test);
  hasher.UpdateString(fingerprint);
  return hasher.Digest();
}

std::string TestOfFailure(const RunHeader& run) { return CutToBytes(TestOf(run), kMaxTestBytes); }

std::optional<Hash128> FailureHash(const RunHeader& run) {
  if (!HasFailure(run)) return std::nullopt;
  return FailureHash(run.project, TestOfFailure(run), run.failure.fingerprint);
}

std::optional<Hash128> FailureHash(const Bug& bug) {
  const std::string_view fingerprint = Field(bug.custom, "fingerprint");
  if (fingerprint.empty()) return std::nullopt;
  return FailureHash(bug.key.project, Field(bug.custom, "test"), fingerprint);
}

std::optional<Hash128> FormerFailureHash(const RunHeader& run) {
  if (!HasFailure(run) || !run.test.empty()) return std::nullopt;
  return FailureHash(run.project, CutToBytes(FormerTestOf(run), kMaxTestBytes), run.failure.fingerprint);
}

std::optional<uint64_t> NumberOf(std::string_view id) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  if (error != std::errc() || end != id.data() + id.size() || number == UINT64_MAX) return std::nullopt;
  return number;
}

// --- reading ---

Result<std::shared_ptr<const FailureIndex>> FailureIndex::Make(std::shared_ptr<const IndexFile> file) {
  auto index = std::make_shared<FailureIndex>();
  OSCOPE_ASSIGN_OR_RETURN(index->failures_, file->Section(kFailuresTag, kVersion));
  OSCOPE_ASSIGN_OR_RETURN(const std::string_view numbers, file->Section(kNumbersTag, kVersion));
  if (index->failures_.size() < kHeaderBytes) return Corrupt("the section FAIL is cut");
  index->entries_ = ReadNumber<uint32_t>(index->failures_.data());
  OSCOPE_RETURN_IF_ERROR(index->CheckEntries());
  OSCOPE_RETURN_IF_ERROR(index->ReadNumbers(numbers));
  index->file_ = std::move(file);
  return std::shared_ptr<const FailureIndex>(std::move(index));
}

Status FailureIndex::CheckEntries() const {
  if ((failures_.size() - kHeaderBytes) / kEntryBytes < entries_) return Corrupt("the section FAIL is cut");
  const size_t text = failures_.size() - kHeaderBytes - entries_ * kEntryBytes;
  for (size_t i = 0; i < entries_; ++i) {
    const char* at = failures_.data() + kHeaderBytes + i * kEntryBytes;
    const uint64_t begin = ReadNumber<uint32_t>(at + 16), length = ReadNumber<uint32_t>(at + 20);
    if (begin + length > text) return Corrupt("the section FAIL names a bug outside of its text");
    if (ReadNumber<uint64_t>(at + 24) > 1) return Corrupt("the section FAIL has an entry of an unknown kind");
    if (i > 0 && HashAt(i) < HashAt(i - 1)) return Corrupt("the section FAIL is not in order");
  }
  return {};
}

Status FailureIndex::ReadNumbers(std::string_view section) {
  ByteReader reader(section);
  const uint64_t projects = reader.Count(UINT32_MAX, 2);
  for (uint64_t i = 0; i < projects && reader.ok(); ++i) {
    std::string project(reader.String(limits::kMaxIdBytes));
    next_.insert_or_assign(std::move(project), reader.Varint());
  }
  return reader.ExpectEnd();
}

Hash128 FailureIndex::HashAt(size_t i) const {
  const char* at = failures_.data() + kHeaderBytes + i * kEntryBytes;
  return {__builtin_bswap64(ReadNumber<uint64_t>(at)), __builtin_bswap64(ReadNumber<uint64_t>(at + 8))};
}

std::vector<FailureIndex::Owner> FailureIndex::Owners(Hash128 failure) const {
  size_t low = 0, high = entries_;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (HashAt(middle) < failure) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const std::string_view text = failures_.substr(kHeaderBytes + entries_ * kEntryBytes);
  std::vector<Owner> owners;
  for (; low < entries_ && HashAt(low) == failure; ++low) {
    const char* at = failures_.data() + kHeaderBytes + low * kEntryBytes;
    owners.push_back({text.substr(ReadNumber<uint32_t>(at + 16), ReadNumber<uint32_t>(at + 20)),
                      ReadNumber<uint64_t>(at + 24) != 0});
  }
  return owners;
}

uint64_t FailureIndex::NextNumber(std::string_view project) const {
  const auto there = next_.find(project);
  return there == next_.end() ? 1 : there->second;
}

// --- making ---

void FailureSections::AddNumber(const std::string& project, std::string_view id) {
  const auto number = NumberOf(id);
  if (!number) return;
  uint64_t& next = next_.try_emplace(project, 1).first->second;
  next = std::max(next, *number + 1);
}

// The number of a run's bug is taken even where the report cannot be read.
void FailureSections::AddRun(const RunHeader& run) {
  // The runs of a bug come together.
  if (!run.bug.empty() && (run.bug != last_.id || run.project != last_.project)) {
    AddNumber(run.project, run.bug);
    last_ = {run.project, run.bug};
  }
  if (const auto failure = FailureHash(run)) owners_.emplace(*failure, false, run.bug);
}

void FailureSections::AddReport(const Bug& bug) {
  if (const auto failure = FailureHash(bug)) owners_.emplace(*failure, true, bug.key.id);
  AddNumber(bug.key.project, bug.key.id);
}

std::vector<IndexSection> FailureSections::Finish() const {
  ByteWriter entries;
  entries.U32(static_cast<uint32_t>(owners_.size()));
  entries.U32(0);
  std::string text;
  std::string_view last;  // an id that stands at the text's end already
  for (const auto& [failure, by_report, bug] : owners_) {
    if (bug != last) text += bug;
    last = bug;
    entries.U64(__builtin_bswap64(failure.high));
    entries.U64(__builtin_bswap64(failure.low));
    entries.U32(static_cast<uint32_t>(text.size() - bug.size()));
    entries.U32(static_cast<uint32_t>(bug.size()));
    entries.U64(by_report ? 1 : 0);
  }
  entries.Bytes(text);
  ByteWriter numbers;
  numbers.Varint(next_.size());
  for (const auto& [project, next] : next_) {
    numbers.String(project);
    numbers.Varint(next);
  }
  std::vector<IndexSection> sections;
  sections.push_back({kFailuresTag, kVersion, entries.Take()});
  sections.push_back({kNumbersTag, kVersion, numbers.Take()});
  return sections;
}

Result<std::vector<IndexSection>> RebuildFailureSections(const StoreFiles& files, const SegmentEntry& entry) {
  FailureSections sections;
  const SegmentReader reader(files, entry);
  if (entry.runs != 0) {
    OSCOPE_RETURN_IF_ERROR(reader.ForEachRun(false, [&](const StoredRun& run) {
      sections.AddRun(run.header);
      return true;
    }));
  }
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<BugRevision> revisions, reader.Bugs());
  for (const BugRevision& revision : revisions) sections.AddReport(revision.bug);
  return sections.Finish();
}

}  // namespace oscope
