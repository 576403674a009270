#include "index/postings/postings.h"

#include <gtest/gtest.h>

#include <set>

#include "index/sketch/sketch.h"
#include "tests/unit/tails/tail_traces.h"

namespace oscope {
namespace {

// The slow, obvious form: every row's tokens in a map.
std::map<PostingToken, std::vector<uint32_t>> ListsOf(const TailTable& table) {
  std::map<PostingToken, std::vector<uint32_t>> lists;
  for (uint32_t row = 0; row < table.size(); ++row) {
    std::vector<uint32_t> tail;
    table.AppendTail(row, kSketchEvents, tail);
    std::map<uint32_t, uint32_t> seen;
    for (const uint32_t name : tail) lists[{name, ++seen[name]}].push_back(row);
  }
  return lists;
}

std::vector<uint32_t> UnionOf(const std::map<PostingToken, std::vector<uint32_t>>& lists, const std::vector<PostingToken>& tokens) {
  std::set<uint32_t> rows;
  for (const PostingToken& token : tokens) {
    if (const auto list = lists.find(token); list != lists.end()) rows.insert(list->second.begin(), list->second.end());
  }
  return {rows.begin(), rows.end()};
}

class PostingsTest : public ::testing::Test {
 protected:
  void Make(size_t runs, size_t max_events, size_t names) {
    tails_ = BuildTails(RandomTraces(random_, runs, max_events, names), random_);
    table_ = TailTable::Make(tails_.views(), nullptr).value();
    bytes_ = EncodePostings(table_);
  }

  std::mt19937_64 random_{1};
  TailBytes tails_;
  TailTable table_;
  std::string bytes_;
};

TEST_F(PostingsTest, HaveTheRowsOfEveryToken) {
  for (const size_t runs : {0u, 1u, 30u, 400u}) {
    for (const size_t names : {1u, 40u, 2000u}) {
      Make(runs, 120, names);
      const auto made = Postings::Make(bytes_, table_.size(), table_.names(), nullptr);
      ASSERT_TRUE(made.ok()) << made.error().message;
      const Postings& postings = *made;
      const auto lists = ListsOf(table_);
      EXPECT_EQ(postings.tokens(), lists.size());
      EXPECT_EQ(postings.rows(), table_.size());
      for (const auto& [token, rows] : lists) {
        EXPECT_EQ(postings.Count(token), rows.size());
        std::vector<uint32_t> found;
        postings.AppendRows(token, found);
        EXPECT_EQ(found, rows);
      }
      for (const PostingToken none : {PostingToken{table_.names(), 1}, PostingToken{0, 51}, PostingToken{0, 0}, PostingToken{UINT32_MAX, 1}}) {
        EXPECT_EQ(postings.Count(none), 0u);
      }
      for (int i = 0; i < 50; ++i) {
        std::vector<PostingToken> tokens;
        for (uint64_t n = random_() % 6; n > 0; --n) {
          tokens.push_back({static_cast<uint32_t>(random_() % (table_.names() + 1)), 1 + static_cast<uint32_t>(random_() % 4)});
        }
        EXPECT_EQ(postings.Candidates(tokens), UnionOf(lists, tokens));
      }
    }
  }
}

// The filter that they are for: whoever shares at least `needed` tokens has one of any size - needed + 1.
TEST_F(PostingsTest, NoRowThatSharesEnoughIsMissed) {
  Make(300, 80, 60);
  const Postings postings = Postings::Make(bytes_, table_.size(), table_.names(), nullptr).value();
  std::vector<std::vector<PostingToken>> tokens_of(table_.size());
  for (uint32_t row = 0; row < table_.size(); ++row) {
    std::vector<uint32_t> tail;
    table_.AppendTail(row, kSketchEvents, tail);
    tokens_of[row] = TokensOf(tail);
  }
  for (uint32_t query = 0; query < 40; ++query) {
    std::vector<PostingToken> rarest = tokens_of[query];
    if (rarest.empty()) continue;
    std::sort(rarest.begin(), rarest.end(), [&](const PostingToken& a, const PostingToken& b) { return postings.Count(a) < postings.Count(b); });
    const size_t needed = 1 + random_() % rarest.size();
    const std::vector<uint32_t> candidates = postings.Candidates(std::span(rarest).first(rarest.size() - needed + 1));
    for (uint32_t row = 0; row < table_.size(); ++row) {
      std::vector<PostingToken> shared;
      std::set_intersection(tokens_of[query].begin(), tokens_of[query].end(), tokens_of[row].begin(), tokens_of[row].end(), std::back_inserter(shared));
      if (shared.size() >= needed) {
        EXPECT_TRUE(std::binary_search(candidates.begin(), candidates.end(), row));
      }
    }
  }
}

TEST_F(PostingsTest, ExampleOfTheHeader) {
  TailBuilder builder;
  const uint32_t name = builder.AddName("e"), other = builder.AddName("f");
  for (uint32_t row = 0; row < 10; ++row) {
    builder.BeginTrace({.run = {{0, row}}, .event_count = 1});
    builder.AddEvents(std::vector<uint32_t>{row == 3 || row == 4 || row == 9 ? name : other});
  }
  tails_ = builder.Finish();
  bytes_ = EncodePostings(TailTable::Make(tails_.views(), nullptr).value());
  const size_t directory = (4 + 3 + 3) * sizeof(uint32_t);
  EXPECT_EQ(bytes_.substr(directory, 4), std::string("\x03\x03\x00\x04", 4));
}

TEST_F(PostingsTest, AnyFlippedByteIsRefusedOrSafe) {
  Make(30, 20, 20);
  for (size_t i = 0; i < bytes_.size(); ++i) {
    for (const int bit : {0, 4, 7}) {
      std::string bytes = bytes_;
      bytes[i] = static_cast<char>(bytes[i] ^ (1 << bit));
      const auto postings = Postings::Make(bytes, table_.size(), table_.names(), nullptr);
      if (!postings.ok()) continue;
      std::vector<PostingToken> tokens;
      for (uint32_t name = 0; name < 30; ++name) tokens.push_back({name, 1 + name % 3});
      for (const uint32_t row : postings->Candidates(tokens)) EXPECT_LT(row, postings->rows());
    }
  }
  for (size_t length = 0; length < bytes_.size(); ++length) {
    EXPECT_FALSE(Postings::Make(std::string_view(bytes_).substr(0, length), table_.size(), table_.names(), nullptr).ok());
  }
}

}  // namespace
}  // namespace oscope
