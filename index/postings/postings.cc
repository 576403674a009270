// Reads the lists in place from the index file. Make checks the two directories (first_token_ and offsets_) once and
// completely, because every later access trusts them; the varints inside the lists are checked as they are read, so
// that opening a large index does not touch its lists. A list that ends early or names a row beyond the table simply
// ends there: postings may only leave rows out, and a damaged section is refused by its checksum before it comes here
// (index/store/index_file.h).
#include "index/postings/postings.h"

#include <algorithm>
#include <cstring>

namespace oscope {

namespace {

constexpr size_t kHeaderBytes = 16;

// A varint from the front of `bytes`, which moves on. Missing or overlong: false.
bool TakeVarint(std::string_view& bytes, uint32_t& value) {
  value = 0;
  for (size_t i = 0; i < 5 && i < bytes.size(); ++i) {
    const auto byte = static_cast<uint8_t>(bytes[i]);
    value |= static_cast<uint32_t>(byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      bytes.remove_prefix(i + 1);
      return true;
    }
  }
  return false;
}

std::span<const uint32_t> NumbersAt(std::string_view bytes, uint64_t at, uint64_t count) {
  return {reinterpret_cast<const uint32_t*>(bytes.data() + at), count};
}

}  // namespace

std::vector<PostingToken> TokensOf(std::span<const uint32_t> events) {
  std::vector<uint32_t> sorted(events.begin(), events.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<PostingToken> tokens;
  tokens.reserve(sorted.size());
  for (const uint32_t name : sorted) {
    const bool again = !tokens.empty() && tokens.back().name == name;
    tokens.push_back({name, again ? tokens.back().occurrence + 1 : 1});
  }
  return tokens;
}

Result<Postings> Postings::Make(std::string_view bytes, size_t rows, uint32_t names,
                                std::shared_ptr<const void> owner) {
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignof(uint32_t) != 0)
    return Corrupt("the postings are not aligned");
  if (bytes.size() < kHeaderBytes) return Corrupt("the postings are cut off");
  const auto header = NumbersAt(bytes, 0, 4);
  if (header[0] != rows || header[1] != names)
    return Corrupt("postings of {} rows and {} names, not {} and {}", header[0], header[1], rows, names);
  const uint64_t tokens = header[2];
  const uint64_t directory = kHeaderBytes + (uint64_t{names} + 1 + tokens + 1) * sizeof(uint32_t);
  if (directory > bytes.size()) return Corrupt("the postings' directory is cut off");
  Postings postings;
  postings.rows_ = header[0];
  postings.first_token_ = NumbersAt(bytes, kHeaderBytes, uint64_t{names} + 1);
  postings.offsets_ = NumbersAt(bytes, kHeaderBytes + (uint64_t{names} + 1) * sizeof(uint32_t), tokens + 1);
  postings.lists_ = bytes.substr(directory);
  postings.owner_ = std::move(owner);
  const auto ascends = [](std::span<const uint32_t> numbers, uint64_t end) {
    return numbers.front() == 0 && numbers.back() == end && std::is_sorted(numbers.begin(), numbers.end());
  };
  if (!ascends(postings.first_token_, tokens) || !ascends(postings.offsets_, postings.lists_.size())) {
    return Corrupt("the postings' directory does not ascend to its end");
  }
  return postings;
}

std::string_view Postings::ListOf(const PostingToken& token) const {
  if (token.name >= names() || token.occurrence == 0) return {};
  const uint32_t first = first_token_[token.name];
  if (token.occurrence > first_token_[token.name + 1] - first) return {};
  const uint32_t number = first + token.occurrence - 1;
  return lists_.substr(offsets_[number], offsets_[number + 1] - offsets_[number]);
}

uint32_t Postings::Count(const PostingToken& token) const {
  std::string_view list = ListOf(token);
  uint32_t count = 0;
  return TakeVarint(list, count) ? std::min(count, rows_) : 0;
}

uint64_t Postings::SumOfCounts(std::span<const PostingToken> tokens) const {
  uint64_t sum = 0;
  for (const PostingToken& token : tokens) sum += Count(token);
  return sum;
}

template <typename Visit>
void Postings::ForEachRow(const PostingToken& token, Visit visit) const {
  std::string_view list = ListOf(token);
  uint32_t count = 0, gap = 0;
  if (!TakeVarint(list, count)) return;
  uint64_t next = 0;
  while (TakeVarint(list, gap)) {
    next += gap;
    if (next >= rows_) return;
    visit(static_cast<uint32_t>(next++));
  }
}

void Postings::AppendRows(const PostingToken& token, std::vector<uint32_t>& out) const {
  ForEachRow(token, [&](uint32_t row) { out.push_back(row); });
}

std::vector<uint32_t> Postings::Candidates(std::span<const PostingToken> tokens) const {
  std::vector<uint32_t> candidates;
  // A bit a row is read whole at the end; for few rows sorting them is cheaper.
  if (SumOfCounts(tokens) < rows_ / 64) {
    for (const PostingToken& token : tokens) AppendRows(token, candidates);
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    return candidates;
  }
  std::vector<uint64_t> bits(rows_ / 64 + 1, 0);
  for (const PostingToken& token : tokens) {
    ForEachRow(token, [&](uint32_t row) { bits[row / 64] |= uint64_t{1} << (row % 64); });
  }
  for (size_t word = 0; word < bits.size(); ++word) {
    for (uint64_t left = bits[word]; left != 0; left &= left - 1) {
      candidates.push_back(static_cast<uint32_t>(word * 64) + static_cast<uint32_t>(__builtin_ctzll(left)));
    }
  }
  return candidates;
}

}  // namespace oscope
