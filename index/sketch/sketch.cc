// Builds and reads the columns of bits, and chooses which test a bound allows. sketch.h has the proof of what may be
// ruled out.
//
// A column holds one bit for each row, not one row's bits together: a query looks up at most 100 tokens, so it reads
// at most 100 of the 1,024 columns, and 64 to 512 rows are decided with each machine word or vector. The builder
// therefore collects 64 rows as 1,024 words and writes each word to its column's place. Bits are stored inverted ("the
// row does not have the token"), since misses are what the filter counts.
//
// A query's columns are ordered by how few rows have their bit. Rare tokens produce misses early, so that a vector of
// rows is ruled out after few columns.
//
// Left out: a Bloom filter with several bits for each token would collide less, but a bound on misses would then count
// a token several times.
#include "index/sketch/sketch.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/bytes.h"
#include "base/checksum.h"
#include "index/sketch/filter.h"

namespace oscope {
namespace {

constexpr std::string_view kMagic = "OSKT";
constexpr uint64_t kHeaderBytes = 16;
constexpr uint64_t kCountBytes = kSketchBits * 4;
constexpr uint64_t kBlockWords = 512;  // of the result of one call of the inner loop
static_assert(std::endian::native == std::endian::little, "columns are read in place");

uint64_t WordsOf(uint64_t rows) { return (rows + 63) / 64; }

constexpr uint32_t kZoneBits = kSketchBits / 2;

// Which bit the k-th occurrence of a name in a zone is, k from 0. The steps between occurrences are odd and differ by
// name, so that two names that meet in one occurrence do not meet in all.
uint16_t BitOfToken(uint32_t zone, uint64_t name_hash, uint64_t occurrence) {
  return static_cast<uint16_t>(zone * kZoneBits + (name_hash + occurrence * ((name_hash >> 32) | 1)) % kZoneBits);
}

template <typename T>
std::span<const T> Last(std::span<const T> events, size_t count) {
  return events.last(std::min(events.size(), count));
}

// The tokens of some events of a query.
void AppendBits(uint32_t zone, std::span<const uint64_t> hashes, std::vector<uint16_t>& bits) {
  for (size_t i = 0; i < hashes.size(); ++i) {
    const auto before = std::count(hashes.begin(), hashes.begin() + static_cast<ptrdiff_t>(i), hashes[i]);
    bits.push_back(BitOfToken(zone, hashes[i], static_cast<uint64_t>(before)));
  }
}

decltype(&FilterWordsPortable) FilterAt(SimdLevel level) {
  switch (level) {
    case SimdLevel::kPortable: return FilterWordsPortable;
    case SimdLevel::kAvx2: return FilterWordsAvx2;
    case SimdLevel::kAvx512: return FilterWordsAvx512;
  }
  return FilterWordsPortable;
}

// The query's columns, those first that the fewest rows have.
std::vector<const std::byte*> ColumnsRarestFirst(const SketchView& sketch, const SketchQuery::Test& test) {
  std::vector<uint16_t> bits(test.bits.begin(), test.bits.end());
  std::sort(bits.begin(), bits.end(), [&](uint16_t a, uint16_t b) {
    const uint32_t rows_a = sketch.rows_with_bit(a), rows_b = sketch.rows_with_bit(b);
    return rows_a != rows_b ? rows_a < rows_b : a < b;
  });
  std::vector<const std::byte*> columns;
  for (const uint16_t bit : bits) columns.push_back(sketch.column(bit));
  return columns;
}

// Appends the rows of the words that are not over, of first <= row < last.
void AppendRows(std::span<const uint64_t> over, uint64_t first_word, uint64_t first, uint64_t last,
                std::vector<uint32_t>& rows) {
  for (size_t i = 0; i < over.size(); ++i) {
    for (uint64_t left = ~over[i]; left != 0; left &= left - 1) {
      const uint64_t row = (first_word + i) * 64 + static_cast<uint64_t>(std::countr_zero(left));
      if (row >= first && row < last) rows.push_back(static_cast<uint32_t>(row));
    }
  }
}

}  // namespace

uint64_t SketchHash(std::string_view name) { return Xxh3(name); }

uint64_t SketchBytes(uint64_t rows) { return kHeaderBytes + kCountBytes + kSketchBits * WordsOf(rows) * 8; }

SketchBuilder::SketchBuilder(uint64_t rows, std::vector<uint64_t> name_hashes)
    : rows_(rows),
      words_(WordsOf(rows)),
      name_hashes_(std::move(name_hashes)),
      occurrences_(name_hashes_.size()),
      block_(kSketchBits),
      rows_with_bit_(kSketchBits),
      bytes_(SketchBytes(rows), '\0') {}

void SketchBuilder::AddRow(std::span<const uint16_t> events) { AddEvents(events); }
void SketchBuilder::AddRow(std::span<const uint32_t> events) { AddEvents(events); }

template <typename Id>
void SketchBuilder::AddEvents(std::span<const Id> events) {
  OSCOPE_CHECK(next_row_ < rows_);
  const std::span<const Id> last = Last(events, kSketchEvents);
  const bool whole = last.size() < kSketchEvents;
  AddZone(0, whole ? last : last.last(kSketchZone));
  AddZone(1, whole ? last : last.first(kSketchEvents - kSketchZone));
  if (++next_row_ % 64 == 0 || next_row_ == rows_) FlushBlock();
}

template <typename Id>
void SketchBuilder::AddZone(uint32_t zone, std::span<const Id> events) {
  for (const Id id : events) {
    block_[BitOfToken(zone, name_hashes_[id], occurrences_[id]++)] |= uint64_t{1} << (next_row_ % 64);
  }
  for (const Id id : events) occurrences_[id] = 0;
}

void SketchBuilder::FlushBlock() {
  char* word = bytes_.data() + kHeaderBytes + kCountBytes + (next_row_ - 1) / 64 * 8;
  for (uint32_t bit = 0; bit < kSketchBits; ++bit, word += words_ * 8) {
    rows_with_bit_[bit] += static_cast<uint32_t>(std::popcount(block_[bit]));
    const uint64_t absent = ~block_[bit];
    std::memcpy(word, &absent, 8);
    block_[bit] = 0;
  }
}

std::string SketchBuilder::Finish() {
  OSCOPE_CHECK(next_row_ == rows_);
  ByteWriter header;
  header.Bytes(kMagic);
  header.U32(kSketchBits);
  header.U64(rows_);
  for (const uint32_t rows : rows_with_bit_) header.U32(rows);
  std::memcpy(bytes_.data(), header.bytes().data(), header.size());
  return std::move(bytes_);
}

Result<SketchView> SketchView::Make(std::span<const std::byte> bytes, uint64_t rows) {
  ByteReader header(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  const std::string_view magic = header.Bytes(kMagic.size());
  const uint32_t bits = header.U32();
  const uint64_t stored_rows = header.U64();
  OSCOPE_RETURN_IF_ERROR(header.status());
  if (magic != kMagic) return Corrupt("sketch: bad magic");
  if (bits != kSketchBits) return Corrupt("sketch: {} bits, not {}", bits, kSketchBits);
  if (stored_rows != rows) return Corrupt("sketch: of {} rows, not {}", stored_rows, rows);
  // Rows are 32-bit numbers; so no size here overflows.
  if (rows > UINT32_MAX || bytes.size() != SketchBytes(rows)) {
    return Corrupt("sketch: {} bytes for {} rows", bytes.size(), rows);
  }
  SketchView view;
  view.rows_ = rows;
  view.words_ = WordsOf(rows);
  view.counts_ = bytes.data() + kHeaderBytes;
  view.columns_ = view.counts_ + kCountBytes;
  return view;
}

uint32_t SketchView::rows_with_bit(uint32_t bit) const {
  uint32_t rows;
  std::memcpy(&rows, counts_ + bit * 4, sizeof(rows));
  return rows;
}

SketchQuery::SketchQuery(std::span<const uint64_t> event_hashes, uint64_t length) {
  const std::span<const uint64_t> last = Last(event_hashes, kSketchEvents);
  const std::span<const uint64_t> end = Last(last, kSketchZone);
  AppendBits(0, end, zoned_);
  AppendBits(1, last.first(last.size() - end.size()), zoned_);
  if (length <= kSketchEvents) return;
  AppendBits(0, last, in_both_);
  AppendBits(1, last, in_both_);
}

SketchQuery::Test SketchQuery::TestFor(uint64_t bound) const {
  if (bound >= zoned_.size()) return {zoned_, zoned_.size()};
  if (in_both_.empty()) return {zoned_, bound};
  // Twice the bound is a good test only while it is far below the number of tokens.
  if (4 * bound <= zoned_.size()) return {zoned_, 2 * bound};
  return {in_both_, zoned_.size() + bound};
}

void Survivors(const SketchView& sketch, const SketchQuery& query, uint64_t first, uint64_t last, uint64_t bound,
               std::vector<uint32_t>& rows, SimdLevel level) {
  OSCOPE_CHECK(first <= last && last <= sketch.rows());
  const SketchQuery::Test test = query.TestFor(bound);
  if (test.misses >= test.bits.size()) {
    for (uint64_t row = first; row < last; ++row) rows.push_back(static_cast<uint32_t>(row));
    return;
  }
  const std::vector<const std::byte*> columns = ColumnsRarestFirst(sketch, test);
  const FilterColumns filter{columns.data(), static_cast<uint32_t>(columns.size()), static_cast<uint32_t>(test.misses)};
  const auto filter_words = FilterAt(level);
  uint64_t over[kBlockWords];
  for (uint64_t word = first / 64; word * 64 < last; word += kBlockWords) {
    const uint64_t words = std::min(kBlockWords, WordsOf(last) - word);
    filter_words(filter, word, words, over);
    AppendRows(std::span(over, words), word, first, last, rows);
  }
}

}  // namespace oscope
