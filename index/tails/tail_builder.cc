// Takes the traces of a segment in chunks and keeps of each only the last events before its failure. The trace's
// header comes first and says how many events there are and where the failure is, so it is known in advance which
// events belong to the tail; no ring buffer is needed and nothing is kept twice.
//
// Names arrive in any order and get provisional numbers. Finish sorts those that occur and replaces the numbers by
// ranks, so that the bytes do not depend on the order of arrival, and comparing two ids compares two names.
#include "index/tails/tail_builder.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/bytes.h"
#include "index/sketch/sketch.h"
#include "tracer/model/event.h"

namespace oscope {

namespace {

// Events coarser than methods are counted as methods: a trace of them is searched like one of methods.
Granularity CountedGranularity(std::string_view name) {
  return std::min(ParseEvent(name).granularity, Granularity::kMethod);
}

template <typename Value>
void AppendValues(std::string& out, std::span<const Value> values) {
  out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

template <typename Id>
std::string EncodeColumn(std::span<const uint32_t> tails, std::span<const uint32_t> ranks) {
  std::string bytes(tails.size() * sizeof(Id), '\0');
  auto* out = reinterpret_cast<Id*>(bytes.data());
  for (size_t i = 0; i < tails.size(); ++i) out[i] = static_cast<Id>(ranks[tails[i]]);
  return bytes;
}

// How many traces have each name (by rank) among their last events.
std::vector<uint32_t> CountTraces(std::span<const TailRow> rows, std::span<const uint32_t> tails,
                                  std::span<const uint32_t> ranks, size_t names) {
  std::vector<uint32_t> traces(names, 0), last_row(names, 0);
  for (size_t r = 0; r < rows.size(); ++r) {
    const uint64_t end = rows[r].tail_begin + rows[r].tail_length;
    const auto number = static_cast<uint32_t>(r + 1);
    for (uint64_t i = end - std::min<uint64_t>(rows[r].tail_length, kSketchEvents); i < end; ++i) {
      const uint32_t name = ranks[tails[i]];
      traces[name] += last_row[name] != number ? 1 : 0;
      last_row[name] = number;
    }
  }
  return traces;
}

std::vector<uint32_t> HashNames(const std::vector<std::string_view>& names) {
  std::vector<uint32_t> slots(std::bit_ceil(std::max<size_t>(2, names.size() * 2)), 0);
  const size_t mask = slots.size() - 1;
  for (uint32_t id = 0; id < names.size(); ++id) {
    size_t slot = Xxh3(names[id]) & mask;
    while (slots[slot] != 0) slot = (slot + 1) & mask;
    slots[slot] = id + 1;
  }
  return slots;
}

std::string EncodeNames(const std::vector<std::string_view>& names, std::span<const uint32_t> traces) {
  const std::vector<uint32_t> slots = HashNames(names);
  std::vector<uint64_t> offsets = {0};
  for (const std::string_view name : names) offsets.push_back(offsets.back() + name.size());
  const uint32_t sizes[] = {static_cast<uint32_t>(names.size()), static_cast<uint32_t>(slots.size())};
  std::string bytes;
  bytes.reserve(sizeof(sizes) + offsets.size() * sizeof(uint64_t) + (names.size() + slots.size()) * sizeof(uint32_t) +
                offsets.back());
  AppendValues(bytes, std::span<const uint32_t>(sizes));
  AppendValues(bytes, std::span<const uint64_t>(offsets));
  AppendValues(bytes, traces);
  AppendValues(bytes, std::span<const uint32_t>(slots));
  for (const std::string_view name : names) bytes += name;
  return bytes;
}

std::string EncodeBugs(const std::map<BugKey, uint32_t>& bugs) {
  ByteWriter out;
  out.Varint(bugs.size());
  for (const auto& [key, number] : bugs) {
    out.String(key.project);
    out.String(key.id);
  }
  return out.Take();
}

}  // namespace

uint32_t TailBuilder::AddName(std::string_view name) {
  if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
  const auto number = static_cast<uint32_t>(names_.size());
  names_.push_back({std::string(name), CountedGranularity(name)});
  numbers_.emplace(names_.back().text, number);
  return number;
}

uint32_t TailBuilder::BugNumber(std::string_view project, std::string_view bug) {
  if (bug.empty()) return kNoBug;
  if (last_bug_ == nullptr || last_bug_->first.project != project || last_bug_->first.id != bug) {
    const auto number = static_cast<uint32_t>(bugs_.size());
    last_bug_ = &*bugs_.try_emplace({std::string(project), std::string(bug)}, number).first;
  }
  return last_bug_->second;
}

bool TailBuilder::IsFailingThread(const TailTrace& trace) {
  if (rows_.empty() || rows_.back().run != trace.run) seen_kind_[0] = seen_kind_[1] = false;
  const bool first = !std::exchange(seen_kind_[static_cast<int>(trace.kind)], true);
  return trace.failing_thread ? *trace.failing_thread == ThreadRef{trace.process, trace.thread} : first;
}

void TailBuilder::BeginTrace(const TailTrace& trace) {
  TailRow row;
  row.run = trace.run;
  row.event_count = trace.event_count;
  row.marked_count = std::min(trace.event_count, trace.mark.value_or(trace.event_count));
  row.tail_begin = tails_.size();
  row.bug = BugNumber(trace.project, trace.bug);
  row.process = trace.process;
  row.thread = trace.thread;
  row.tail_length = static_cast<uint16_t>(std::min<uint64_t>(row.marked_count, kTailEvents));
  row.kind = trace.kind;
  row.outcome = trace.outcome;
  // A stack is of methods; so is a trace without events, for want of anything finer.
  row.granularity =
      trace.kind == TraceKind::kStack || trace.event_count == 0 ? Granularity::kMethod : Granularity::kInstruction;
  row.failing_thread = IsFailingThread(trace);
  rows_.push_back(row);
  position_ = 0;
}

void TailBuilder::AddEvents(std::span<const uint32_t> events) {
  TailRow& row = rows_.back();
  for (const uint32_t event : events) {
    Name& name = names_[event];
    name.used = true;
    row.granularity = std::max(row.granularity, name.granularity);
  }
  // The tail is [marked - length, marked): the header says beforehand which events will be in it.
  const uint64_t begin = std::max(position_, row.marked_count - row.tail_length);
  const uint64_t end = std::min(position_ + events.size(), row.marked_count);
  if (begin < end) {
    const auto tail = events.subspan(begin - position_, end - begin);
    tails_.insert(tails_.end(), tail.begin(), tail.end());
  }
  position_ += events.size();
}

// The rank of each name's number among the names that occur, and the numbers by rank.
std::vector<uint32_t> TailBuilder::RankNames(std::vector<uint32_t>& by_rank) const {
  for (uint32_t number = 0; number < names_.size(); ++number) {
    if (names_[number].used) by_rank.push_back(number);
  }
  std::sort(by_rank.begin(), by_rank.end(), [&](uint32_t a, uint32_t b) { return names_[a].text < names_[b].text; });
  std::vector<uint32_t> ranks(names_.size(), 0);
  for (uint32_t rank = 0; rank < by_rank.size(); ++rank) ranks[by_rank[rank]] = rank;
  return ranks;
}

// Gives the rows the bugs' places in order of their keys.
void TailBuilder::SortBugs() {
  std::vector<uint32_t> places(bugs_.size());
  uint32_t place = 0;
  for (const auto& [key, number] : bugs_) places[number] = place++;
  for (TailRow& row : rows_) {
    if (row.bug != kNoBug) row.bug = places[row.bug];
  }
}

TailBytes TailBuilder::Finish() {
  OSCOPE_CHECK(complete());
  std::vector<uint32_t> by_rank;
  const std::vector<uint32_t> ranks = RankNames(by_rank);
  std::vector<std::string_view> names;
  names.reserve(by_rank.size());
  for (const uint32_t number : by_rank) names.push_back(names_[number].text);
  SortBugs();
  TailBytes bytes;
  bytes.names = EncodeNames(names, CountTraces(rows_, tails_, ranks, names.size()));
  bytes.column =
      names.size() < kNarrowNames ? EncodeColumn<uint16_t>(tails_, ranks) : EncodeColumn<uint32_t>(tails_, ranks);
  bytes.bugs = EncodeBugs(bugs_);
  AppendValues(bytes.rows, std::span<const TailRow>(rows_));
  *this = TailBuilder();
  return bytes;
}

}  // namespace oscope
