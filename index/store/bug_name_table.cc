// Encodes and decodes the section BNAM. Everything a lookup needs (numbers, places, rows) is an array of fixed width
// at a computed offset, so that Decode checks ranges in one pass and allocates nothing for each revision;
// bug_name_table.h shows the layout and says what was not chosen.
//
// Integers are read with memcpy, since Decode takes bytes at any address.
#include "index/store/bug_name_table.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>
#include <tuple>

#include "base/bytes.h"

namespace oscope {

namespace {

constexpr size_t kHeaderBytes = 16;

// The first of [0, end) that is not below.
template <typename Below>
uint32_t LowerBound(uint32_t end, const Below& below) {
  uint32_t low = 0;
  while (low < end) {
    const uint32_t middle = low + (end - low) / 2;
    if (below(middle)) {
      low = middle + 1;
    } else {
      end = middle;
    }
  }
  return low;
}

std::vector<uint32_t> InOrder(size_t count, const auto& less) {
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), less);
  return order;
}

}  // namespace

std::vector<IndexSection> BugNameTable::MakeSections(std::span<const BugRevision> rows) {
  if (rows.empty()) return {};
  OSCOPE_CHECK(rows.size() < UINT32_MAX);
  std::set<std::string_view> projects, fields;
  for (const BugRevision& row : rows) {
    projects.insert(row.bug.key.project);
    for (const auto& [name, value] : row.bug.custom) fields.insert(name);
  }
  const std::vector<uint32_t> order = InOrder(rows.size(), [&](uint32_t a, uint32_t b) {
    return std::tie(rows[a].bug.key, rows[a].revision, a) < std::tie(rows[b].bug.key, rows[b].revision, b);
  });
  // Of one project both orders are the same.
  const std::vector<uint32_t> by_id = InOrder(rows.size(), [&](uint32_t a, uint32_t b) {
    const int compared = projects.size() == 1 ? 0 : rows[order[a]].bug.key.id.compare(rows[order[b]].bug.key.id);
    return compared != 0 ? compared < 0 : a < b;
  });

  ByteWriter out;
  out.U32(static_cast<uint32_t>(rows.size()));
  out.U32(static_cast<uint32_t>(projects.size()));
  out.U32(static_cast<uint32_t>(fields.size()));
  out.U32(0);
  std::string text;
  const auto add = [&](std::string_view one) {
    out.U64(text.size());
    text += one;
  };
  std::for_each(projects.begin(), projects.end(), add);
  std::for_each(fields.begin(), fields.end(), add);
  for (const uint32_t row : order) add(rows[row].bug.key.id);
  out.U64(text.size());
  for (const uint32_t row : order) out.U64(rows[row].revision);
  // Projects ascend in both lists.
  auto project = projects.begin();
  uint32_t number = 0;
  for (const uint32_t row : order) {
    for (; *project != rows[row].bug.key.project; ++project) ++number;
    out.U32(number);
  }
  for (const uint32_t row : order) out.U32(row);
  for (const uint32_t place : by_id) out.U32(place);
  out.Bytes(text);
  return {{kBugNamesTag, kBugNamesVersion, out.Take()}};
}

Result<std::shared_ptr<const BugNameTable>> BugNameTable::Make(std::shared_ptr<const IndexFile> file,
                                                               uint64_t revisions) {
  if (revisions == 0) return std::make_shared<const BugNameTable>();
  OSCOPE_ASSIGN_OR_RETURN(const std::string_view bytes, file->Section(kBugNamesTag, kBugNamesVersion));
  OSCOPE_ASSIGN_OR_RETURN(BugNameTable table, Decode(bytes, revisions, std::move(file)));
  return std::make_shared<const BugNameTable>(std::move(table));
}

Result<BugNameTable> BugNameTable::Decode(std::string_view bytes, uint64_t revisions,
                                          std::shared_ptr<const void> owner) {
  if (bytes.size() < kHeaderBytes) return Corrupt("the names of bugs have no header");
  BugNameTable table;
  table.owner_ = std::move(owner);
  table.revisions_ = U32(bytes.data(), 0);
  table.projects_ = U32(bytes.data(), 1);
  table.fields_ = U32(bytes.data(), 2);
  if (U32(bytes.data(), 3) != 0) return Corrupt("the header of the names of bugs has something at its end");
  if (table.revisions_ != revisions)
    return Corrupt("the index names {} revisions of bugs, the segment has {}", table.revisions_, revisions);
  const uint64_t n = table.revisions_, texts = uint64_t{table.projects_} + table.fields_ + n;
  // At most 2^32 of each, so that no product overflows.
  const uint64_t fixed = kHeaderBytes + 8 * (texts + 1) + (8 + 4 + 4 + 4) * n;
  if (bytes.size() < fixed) return Corrupt("the names of bugs are cut");
  table.offsets_ = bytes.data() + kHeaderBytes;
  table.numbers_ = table.offsets_ + 8 * (texts + 1);
  table.project_of_ = table.numbers_ + 8 * n;
  table.rows_ = table.project_of_ + 4 * n;
  table.by_id_ = table.rows_ + 4 * n;
  table.text_ = bytes.substr(fixed);
  OSCOPE_RETURN_IF_ERROR(table.CheckTexts(texts));
  OSCOPE_RETURN_IF_ERROR(table.CheckNumbers());
  return table;
}

Status BugNameTable::CheckTexts(uint64_t texts) const {
  uint64_t before = 0;
  bool ascend = U64(offsets_, 0) == 0;
  for (uint64_t i = 0; i <= texts; ++i) {
    const uint64_t offset = U64(offsets_, i);
    ascend &= offset >= before;
    before = offset;
  }
  if (!ascend || before != text_.size()) return Corrupt("the texts of the names of bugs do not follow each other");
  return {};
}

Status BugNameTable::CheckNumbers() const {
  bool inside = true;
  for (uint64_t i = 0; i < revisions_; ++i) {
    inside &= U32(project_of_, i) < projects_ && U32(rows_, i) < revisions_ && U32(by_id_, i) < revisions_;
  }
  if (!inside) return Corrupt("a name of a bug points outside");
  return {};
}

uint64_t BugNameTable::U64(const char* at, uint64_t i) {
  uint64_t value = 0;
  std::memcpy(&value, at + 8 * i, sizeof(value));
  return value;
}

uint32_t BugNameTable::U32(const char* at, uint64_t i) {
  uint32_t value = 0;
  std::memcpy(&value, at + 4 * i, sizeof(value));
  return value;
}

std::string_view BugNameTable::Text(uint64_t i) const {
  const uint64_t begin = U64(offsets_, i);
  return text_.substr(begin, U64(offsets_, i + 1) - begin);
}

std::optional<uint32_t> BugNameTable::Find(const BugKeyView& wanted) const {
  const uint32_t after = LowerBound(revisions_, [&](uint32_t i) { return key(i) <= wanted; });
  if (after == 0 || key(after - 1) != wanted) return std::nullopt;
  return after - 1;
}

std::vector<BugKey> BugNameTable::WithId(std::string_view id) const {
  std::vector<BugKey> found;
  uint32_t at = LowerBound(revisions_, [&](uint32_t i) { return key(U32(by_id_, i)).id < id; });
  for (; at < revisions_ && key(U32(by_id_, at)).id == id; ++at) {
    const BugKeyView one = key(U32(by_id_, at));
    if (found.empty() || ViewOf(found.back()) != one) found.push_back(one.ToKey());
  }
  return found;
}

bool BugNameTable::HasCustomField(std::string_view name) const {
  const uint32_t at = LowerBound(fields_, [&](uint32_t i) { return custom_field(i) < name; });
  return at < fields_ && custom_field(at) == name;
}

}  // namespace oscope
