// Sketches: which events a tail's last 50 have, as bits by the hash of their names. They tell, for 50 bits read a row, that the
// edit distance to a query is above a bound.
//
// An event's k-th occurrence among the last kSketchEvents is a token; a token is one of kSketchBits bits, by XXH3 of the name and k. So
// the tokens two tails share are as many as the multisets of their events share, and a bit can only merge tokens.
//
// What is used: let x and y be suffixes (the last `length` events; a shorter trace counts whole) at Levenshtein distance at most d, x50
// and y50 the last 50 events of each (of the whole traces: the suffixes may be shorter). Then at most d tokens of x's last 50 are not in
// y50, for every length:
//   Take a best edit script. The last 50 of x (all of x when it is shorter) come from a suffix y' of y by s replacements, i events only in
//   y' and r events only in x, s + i + r <= d. All but s + r of x's events are kept, from y'. If y' has at most 50 events they are all
//   in y50. Else |y'| - 50 events of y' lie before y50, at most |y'| - |x50| = i - r; so at most i - r kept ones
//   are lost, and s + r + (i - r) = s + i <= d events of x have no partner in y50.
// A suffix of length < 50 is thereby compared with the last 50 of a row: weaker than its own sketch, but never too strict.
//
// Stored:    a section of the segment's index (docs/formats/index.md): "OSKT", u32 bits, u64 rows; per bit u32 how many rows have it; then
//            per bit a column of one bit a row, set when the row does NOT have it (set beyond the last row), in u64 words. All
//            little-endian; multiples of 8 bytes. One sketch of a query serves every segment.
// Threads:   a builder belongs to one thread; views and queries are immutable.
//
// Example:
//   SketchBuilder builder(rows, hashes_of_names);       // by id
//   for (...) builder.AddRow(last_events);              // any number: the last 50 count
//   OSCOPE_ASSIGN_OR_RETURN(SketchView view, SketchView::Make(std::as_bytes(std::span(builder.Finish())), rows));
//   SketchQuery query(hashes_of_query_events);
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
inline constexpr uint32_t kSketchBits = 1024;  // 128 bytes a row

// Of an event's name; the same in every segment and on every machine.
uint64_t SketchHash(std::string_view name);

// How many bytes the section of so many rows has.
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
  void AddTokens(std::span<const Id> events);
  void FlushBlock();

  uint64_t rows_, next_row_ = 0, words_;
  std::vector<uint64_t> name_hashes_;
  std::vector<uint32_t> occurrences_;  // by id, of the row at hand; zeros between rows
  std::vector<uint64_t> block_;        // a word a bit: rows that have it, of the 64 at hand
  std::vector<uint32_t> rows_with_bit_;
  std::string bytes_;
};

// A section where it lies.
class SketchView {
 public:
  // kCorrupt when the bytes are not a sketch of so many rows. They may lie anywhere, but at a multiple of 64 it is faster.
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
  // SketchHash of the query's events, front to back, only its suffix; the last 50 count.
  explicit SketchQuery(std::span<const uint64_t> event_hashes);

  // Whether a bound can rule out any row.
  bool Prunes(uint64_t bound) const { return bound < bits_.size(); }
  std::span<const uint16_t> bits() const { return bits_; }  // one a token; may repeat

 private:
  std::vector<uint16_t> bits_;
};

// Appends those of the rows first <= row < last that may be within `bound`, ascending: all of them when !query.Prunes(bound).
// Fast from 1024 rows on and where `first` is a multiple of 64.
void Survivors(const SketchView& sketch, const SketchQuery& query, uint64_t first, uint64_t last, uint64_t bound,
               std::vector<uint32_t>& rows, SimdLevel level = BestSimdLevel());

}  // namespace oscope
