// Sketches: which events a tail's last 50 have, as bits by the hash of their names. They tell, for 50 bits read a row,
// that the edit distance to a query is above a bound.
//
// The last 50 events are two zones, the last 25 and the 25 before. An event's k-th occurrence in a zone is a token; a
// token is one of the zone's bits, by XXH3 of the name and k. So the tokens two zones share are as many as the
// multisets of their events share, and a bit can only merge tokens. A row of fewer than 50 events has all of them in
// both zones. Zones rule out three times as many rows as one bag.
//
// What is used: x and y are the suffixes of query and row (their last `length` events; a shorter trace counts whole),
// at Levenshtein distance at most d. Take a best edit script, and cut x 25 events before its end: with s replacements,
// i events only in y and r only in x, the part of x after the cut (i1, r1) comes from a suffix of y of 25 + i1 - r1
// events, the part before it (i2, r2) from the rest. An event of x has no partner in y's zone if it is replaced or only
// in x, or if its partner lies on the other side of the cut.
// - length <= 50, y of m or more events (m = |x|): let t = i1 - r1. At most |t| partners are on the other side. If t >=
//   0, at most
//   s + r1 + r2 + i1 - r1 <= s + i + r <= d tokens of x miss. If t < 0, |y| >= |x| says i1 + i2 >= r1 + r2, so r1 - i1
//   <= i2 - r2, and
//   at most s + r1 + r2 + i2 - r2 <= d miss. That y's second zone may reach beyond the suffix only adds partners.
//   y of fewer than m events has fewer than 50, so all of them in both zones: only s + r <= d events of x miss.
// - length > 50: partners also lie before y's last 50: at most u = max(0, i - r), i and r now those of x's last 50. So
//   at most
//   s + r + |t| + u <= 2d tokens miss.
// - length > 50 without zones: s + r + u = s + max(r, i) <= d events of x's last 50 have no partner in y's last 50. A
//   bag's count in those is at
//   most the sum of its counts in the zones; so of the tokens of x's last 50 as one bag, looked up in both zones, |x50|
//   - d are found.
// Stored:    a section of the segment's index (docs/formats/index.md): "OSKT", u32 bits, u64 rows; per bit u32 how many
//            rows have it; then per bit a column of one bit a row, set when the row does NOT have it (set beyond the
//            last row), in u64 words. All little-endian; multiples of 8 bytes. One sketch of a query serves every
//            segment.
// Threads:   a builder belongs to one thread; views and queries are immutable.
//
// Example:
//   SketchBuilder builder(rows, hashes_of_names);       // by id
//   for (...) builder.AddRow(last_events);              // any number: the last 50 count
//   OSCOPE_ASSIGN_OR_RETURN(SketchView view, SketchView::Make(std::as_bytes(std::span(builder.Finish())), rows));
//   SketchQuery query(hashes_of_query_events, 50);
//   Survivors(view, query, 0, rows, 10, found);         // rows that may be within distance 10
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/simd_level.h"

namespace oscope {

inline constexpr uint32_t kSketchEvents = 50;
inline constexpr uint32_t kSketchZone = 25;
inline constexpr uint32_t kSketchBits = 1024;  // of both zones: 128 bytes a row

// Of an event's name; the same in every segment and on every machine.
uint64_t SketchHash(std::string_view name);

// The size in bytes of the section for this number of rows.
uint64_t SketchBytes(uint64_t rows);

class SketchBuilder {
 public:
  // `name_hashes`: SketchHash of every name, by id.
  SketchBuilder(uint64_t rows, std::vector<uint64_t> name_hashes);

  // The next row's events in ids, front to back. Exactly `rows` calls.
  void AddRow(std::span<const uint16_t> events);
  void AddRow(std::span<const uint32_t> events);

  // The section.
  std::string Finish();

 private:
  template <typename Id>
  void AddEvents(std::span<const Id> events);
  template <typename Id>
  void AddZone(uint32_t zone, std::span<const Id> events);
  void FlushBlock();

  uint64_t rows_, next_row_ = 0, words_;
  std::vector<uint64_t> name_hashes_;
  std::vector<uint32_t> occurrences_;  // by id, of the zone at hand; zeros between zones
  std::vector<uint64_t> block_;        // a word a bit: rows that have it, of the 64 at hand
  std::vector<uint32_t> rows_with_bit_;
  std::string bytes_;
};

// A section where it lies.
class SketchView {
 public:
  // Fails with kCorrupt when the bytes are not a sketch of this number of rows. They may lie anywhere, but at a
  // multiple of 64 it is faster.
  static Result<SketchView> Make(std::span<const std::byte> bytes, uint64_t rows);

  uint64_t rows() const { return rows_; }
  uint32_t rows_with_bit(uint32_t bit) const;
  // Words of 64 rows, bit set: not there.
  const std::byte* column(uint32_t bit) const { return columns_ + uint64_t{bit} * words_ * 8; }

 private:
  uint64_t rows_ = 0, words_ = 0;
  const std::byte* counts_ = nullptr;
  const std::byte* columns_ = nullptr;
};

class SketchQuery {
 public:
  // SketchHash of the events of the query's suffix, front to back, and the length asked for: there are fewer events in
  // a shorter trace.
  SketchQuery(std::span<const uint64_t> event_hashes, uint64_t length);

  // What to look up for a bound: a row with more than `misses` of the bits missing is beyond it. misses >= bits.size():
  // all rows stay.
  struct Test {
    std::span<const uint16_t> bits;  // may repeat
    uint64_t misses = 0;
  };
  Test TestFor(uint64_t bound) const;

  // Whether a bound can rule out any row.
  bool Prunes(uint64_t bound) const { return TestFor(bound).misses < TestFor(bound).bits.size(); }

 private:
  std::vector<uint16_t> zoned_;
  std::vector<uint16_t> in_both_;  // the last 50 as one bag, in both zones; for lengths above 50
};

// Appends those of the rows first <= row < last that may be within `bound`, ascending: all of them when
// !query.Prunes(bound). Fast from 1024 rows on and where `first` is a multiple of 64.
void Survivors(const SketchView& sketch, const SketchQuery& query, uint64_t first, uint64_t last, uint64_t bound,
               std::vector<uint32_t>& rows, SimdLevel level = BestSimdLevel());

}  // namespace oscope
