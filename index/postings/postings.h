// Postings: for each token of the traces' last 50 events, the rows of a TailTable that have it. An exact prefix filter.
//
// A token is an event and an occurrence: (e, k) stands in a trace whose last kSketchEvents events have e at least k
// times. So the multisets of events that two traces have are sets of tokens, and their overlap is the size of an
// intersection of sets. Of two traces that share at least o of a query's n tokens, one can be found under any n - o + 1
// of them: the query takes its rarest, and the union of their lists holds every row that may be near. The sizes of
// lists are known without decoding them, for a cost model to choose.
//
// On disk:   u32 rows, u32 names, u32 tokens, u32 zero; u32[names + 1]: the first token of each name, whose tokens are
//            occurrence 1, 2, …; u32[tokens + 1]: where the list of each token starts in what follows; the lists. A
//            list: varint number of rows, then varints: the first row, then differences - 1.
// Order:     rows ascend strictly.
// Threads:   immutable; may be read from any thread.
// Example:   the rows {3, 4, 9} are stored as the bytes 03 03 00 04.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "index/tails/tail_table.h"

namespace oscope {

// Below this many traces a scan is as fast, and the directory of tokens would cost more than the lists.
inline constexpr size_t kPostingsMinTraces = 10'000;

struct PostingToken {
  uint32_t name = 0;        // id in the TailTable
  uint32_t occurrence = 1;  // from 1
  auto operator<=>(const PostingToken&) const = default;
};

// The tokens of a sequence of ids.
std::vector<PostingToken> TokensOf(std::span<const uint32_t> events);

// The stored form; empty when the lists would exceed 4 GiB.
std::string EncodePostings(const TailTable& tails);

class Postings {
 public:
  // Reads the postings of a table with these numbers of rows and names. Checks the directory: postings made of any
  // bytes are safe to read. Keeps `owner` alive.
  static Result<Postings> Make(std::string_view bytes, size_t rows, uint32_t names, std::shared_ptr<const void> owner);

  uint32_t rows() const { return rows_; }
  uint32_t names() const { return static_cast<uint32_t>(first_token_.size() - 1); }
  uint32_t tokens() const { return static_cast<uint32_t>(offsets_.size() - 1); }

  // How many rows have the token, without decoding their list.
  uint32_t Count(const PostingToken& token) const;
  // An upper bound of the candidates, and what reading them costs.
  uint64_t SumOfCounts(std::span<const PostingToken> tokens) const;

  void AppendRows(const PostingToken& token, std::vector<uint32_t>& out) const;  // ascending
  // The rows that have any of the tokens, ascending, each once.
  std::vector<uint32_t> Candidates(std::span<const PostingToken> tokens) const;

 private:
  std::string_view ListOf(const PostingToken& token) const;
  template <typename Visit>
  void ForEachRow(const PostingToken& token, Visit visit) const;

  uint32_t rows_ = 0;
  std::span<const uint32_t> first_token_;
  std::span<const uint32_t> offsets_;
  std::string_view lists_;
  std::shared_ptr<const void> owner_;
};

}  // namespace oscope
