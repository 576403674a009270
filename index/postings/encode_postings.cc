// Builds the lists in three passes over the tails, each linear: how often a name occurs at most in a trace (that
// numbers the tokens), how many bytes each token's list takes, and the bytes themselves at their places. Nothing is
// sorted and nothing is held twice.
#include <algorithm>

#include "index/postings/postings.h"
#include "index/sketch/sketch.h"

namespace oscope {

namespace {

size_t VarintBytes(uint32_t value) {
  size_t bytes = 1;
  for (; value >= 0x80; value >>= 7) ++bytes;
  return bytes;
}

char* PutVarint(char* at, uint32_t value) {
  for (; value >= 0x80; value >>= 7) *at++ = static_cast<char>(value | 0x80);
  *at++ = static_cast<char>(value);
  return at;
}

// Calls visit(row, name, occurrence) for every token of every row, rows ascending.
template <typename Id, typename Visit>
void ForEachToken(const TailTable& tails, std::span<const Id> column, std::vector<uint16_t>& seen, Visit visit) {
  const auto rows = tails.rows();
  for (uint32_t r = 0; r < rows.size(); ++r) {
    const size_t length = std::min<size_t>(rows[r].tail_length, kSketchEvents);
    const auto tail = column.subspan(rows[r].tail_begin + rows[r].tail_length - length, length);
    for (const Id name : tail) visit(r, name, ++seen[name]);
    for (const Id name : tail) seen[name] = 0;
  }
}

class Encoder {
 public:
  explicit Encoder(const TailTable& tails) : tails_(tails), seen_(tails.names(), 0) {}

  std::string Encode() {
    NumberTokens();
    Measure();
    const uint64_t directory = (4 + first_token_.size() + sizes_.size() + 1) * sizeof(uint32_t);
    uint64_t total = 0;
    for (size_t t = 0; t < sizes_.size(); ++t) total += sizes_[t] + VarintBytes(counts_[t]);
    if (total > UINT32_MAX) return {};
    std::string bytes(directory + total, '\0');
    Fill(bytes, directory);
    return bytes;
  }

 private:
  template <typename Visit>
  void ForEach(Visit visit) {
    const TailColumn column = tails_.column();
    if (column.wide.empty()) {
      ForEachToken(tails_, column.narrow, seen_, visit);
    } else {
      ForEachToken(tails_, column.wide, seen_, visit);
    }
  }

  void NumberTokens() {
    std::vector<uint16_t> most(tails_.names(), 0);
    ForEach([&](uint32_t, uint32_t name, uint16_t occurrence) { most[name] = std::max(most[name], occurrence); });
    first_token_.assign(1, 0);
    for (const uint16_t occurrences : most) first_token_.push_back(first_token_.back() + occurrences);
  }

  void Measure() {
    const uint32_t tokens = first_token_.back();
    counts_.assign(tokens, 0);
    sizes_.assign(tokens, 0);
    next_.assign(tokens, 0);
    ForEach([&](uint32_t row, uint32_t name, uint16_t occurrence) {
      const uint32_t token = first_token_[name] + occurrence - 1;
      ++counts_[token];
      sizes_[token] += VarintBytes(row - next_[token]);
      next_[token] = row + 1;
    });
  }

  void Fill(std::string& bytes, uint64_t directory) {
    auto* numbers = reinterpret_cast<uint32_t*>(bytes.data());
    numbers[0] = static_cast<uint32_t>(tails_.size());
    numbers[1] = tails_.names();
    numbers[2] = first_token_.back();
    numbers = std::copy(first_token_.begin(), first_token_.end(), numbers + 4);
    std::vector<char*> cursors(sizes_.size());
    char* const lists = bytes.data() + directory;
    uint32_t offset = 0;
    for (size_t t = 0; t < sizes_.size(); ++t) {
      *numbers++ = offset;
      cursors[t] = PutVarint(lists + offset, counts_[t]);
      offset = static_cast<uint32_t>(cursors[t] - lists) + static_cast<uint32_t>(sizes_[t]);
    }
    *numbers = offset;
    std::fill(next_.begin(), next_.end(), 0);
    ForEach([&](uint32_t row, uint32_t name, uint16_t occurrence) {
      const uint32_t token = first_token_[name] + occurrence - 1;
      cursors[token] = PutVarint(cursors[token], row - next_[token]);
      next_[token] = row + 1;
    });
  }

  const TailTable& tails_;
  std::vector<uint16_t> seen_;         // of a name in the row at hand
  std::vector<uint32_t> first_token_;  // by name
  std::vector<uint32_t> counts_;       // by token, as the next two
  std::vector<uint64_t> sizes_;
  std::vector<uint32_t> next_;  // one past the last row
};

}  // namespace

std::string EncodePostings(const TailTable& tails) { return Encoder(tails).Encode(); }

}  // namespace oscope
