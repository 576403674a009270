#include "index/postings/postings.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "index/sketch/sketch.h"
#include "tests/unit/tails/tail_traces.h"

namespace oscope {
namespace {

constexpr uint64_t kPostingsChecksum = 11377050964324154064u;

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

std::vector<uint32_t> UnionOf(const std::map<PostingToken, std::vector<uint32_t>>& lists,
                              const std::vector<PostingToken>& tokens) {
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
      for (const PostingToken none :
           {PostingToken{table_.names(), 1}, PostingToken{0, 51}, PostingToken{0, 0}, PostingToken{UINT32_MAX, 1}}) {
        EXPECT_EQ(postings.Count(none), 0u);
      }
      for (int i = 0; i < 50; ++i) {
        std::vector<PostingToken> tokens;
        for (uint64_t n = random_() % 6; n > 0; --n) {
          tokens.push_back(
              {static_cast<uint32_t>(random_() % (table_.names() + 1)), 1 + static_cast<uint32_t>(random_() % 4)});
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
    std::sort(rarest.begin(), rarest.end(),
              [&](const PostingToken& a, const PostingToken& b) { return postings.Count(a) < postings.Count(b); });
    const size_t needed = 1 + random_() % rarest.size();
    const std::vector<uint32_t> candidates = postings.Candidates(std::span(rarest).first(rarest.size() - needed + 1));
    for (uint32_t row = 0; row < table_.size(); ++row) {
      std::vector<PostingToken> shared;
      std::set_intersection(tokens_of[query].begin(), tokens_of[query].end(), tokens_of[row].begin(),
                            tokens_of[row].end(), std::back_inserter(shared));
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

TEST_F(PostingsTest, ATokenAboveTheHighestOccurrenceIsInNoRow) {
  Make(60, 120, 10);
  const Postings postings = Postings::Make(bytes_, table_.size(), table_.names(), nullptr).value();
  std::map<uint32_t, uint32_t> most;
  for (const auto& [token, rows] : ListsOf(table_)) most[token.name] = std::max(most[token.name], token.occurrence);
  for (uint32_t name = 0; name < table_.names(); ++name) {
    // A name of which no row has an event in its last 50 has no token at all.
    if (most[name] > 0) {
      EXPECT_GT(postings.Count({name, most[name]}), 0u);
    }
    EXPECT_EQ(postings.Count({name, most[name] + 1}), 0u) << "the next name's first token is another";
    EXPECT_EQ(postings.Count({name, 0}), 0u);
  }
}

// A bit a row, or rows that are sorted: whichever is cheaper, they are the same rows. A hundred and more rows a token,
// and none.
TEST_F(PostingsTest, FewAndManyCandidatesAreTheSame) {
  TailBuilder builder;
  const uint32_t rare = builder.AddName("rare"), common = builder.AddName("common"), other = builder.AddName("other");
  constexpr uint32_t kRows = 640;
  for (uint32_t row = 0; row < kRows; ++row) {
    builder.BeginTrace({.run = {{0, row}}, .event_count = 1});
    const bool is_rare = row == 0 || row == 63 || row == 64 || row == 127 || row == kRows - 1;
    builder.AddEvents(std::vector<uint32_t>{is_rare ? rare : row % 2 == 0 ? common : other});
  }
  tails_ = builder.Finish();
  table_ = TailTable::Make(tails_.views(), nullptr).value();
  bytes_ = EncodePostings(table_);
  const Postings postings = Postings::Make(bytes_, kRows, 3, nullptr).value();
  const uint32_t rare_id = *table_.FindName("rare"), common_id = *table_.FindName("common");
  const std::vector<PostingToken> few = {{rare_id, 1}}, twice = {{rare_id, 1}, {rare_id, 1}},
                                  many = {{rare_id, 1}, {common_id, 1}};
  EXPECT_EQ(postings.SumOfCounts(few), 5u);
  EXPECT_EQ(postings.SumOfCounts(twice), 10u) << "as many as words of bits: another way to the same";
  EXPECT_EQ(postings.Candidates(few), (std::vector<uint32_t>{0, 63, 64, 127, kRows - 1}));
  EXPECT_EQ(postings.Candidates(twice), postings.Candidates(few));
  EXPECT_EQ(postings.Candidates(many), UnionOf(ListsOf(table_), many));
  EXPECT_EQ(postings.Candidates({}), std::vector<uint32_t>{});
}

TEST_F(PostingsTest, OnlyTheLastFiftyEventsHaveTokens) {
  TailBuilder builder;
  const uint32_t old = builder.AddName("old"), recent = builder.AddName("recent");
  for (const uint32_t length : {kSketchEvents, kSketchEvents + 1}) {
    std::vector<uint32_t> events(length, recent);
    events.front() = old;
    builder.BeginTrace({.run = {{0, length}}, .event_count = length});
    builder.AddEvents(events);
  }
  tails_ = builder.Finish();
  table_ = TailTable::Make(tails_.views(), nullptr).value();
  bytes_ = EncodePostings(table_);
  const Postings postings = Postings::Make(bytes_, 2, 2, nullptr).value();
  const uint32_t old_id = *table_.FindName("old"), recent_id = *table_.FindName("recent");
  EXPECT_EQ(postings.Candidates(std::vector<PostingToken>{{old_id, 1}}), std::vector<uint32_t>{0});
  EXPECT_EQ(postings.Candidates(std::vector<PostingToken>{{recent_id, kSketchEvents}}), std::vector<uint32_t>{1});
  EXPECT_EQ(postings.Count({recent_id, kSketchEvents - 1}), 2u);
  EXPECT_EQ(postings.Count({recent_id, kSketchEvents + 1}), 0u);
}

TEST_F(PostingsTest, WideColumnsGiveTheSameLists) {
  TailBuilder builder;
  std::vector<uint32_t> events;
  for (uint32_t i = 0; i < kNarrowNames; ++i) events.push_back(builder.AddName(fmt::format("{:06}", i)));
  builder.BeginTrace({.run = {{0, 1}}, .event_count = events.size()});
  builder.AddEvents(events);
  builder.BeginTrace({.run = {{0, 2}}, .event_count = 2});
  builder.AddEvents(std::vector<uint32_t>{events.back(), events.front()});
  tails_ = builder.Finish();
  table_ = TailTable::Make(tails_.views(), nullptr).value();
  ASSERT_FALSE(table_.column().wide.empty());
  bytes_ = EncodePostings(table_);
  const Postings postings = Postings::Make(bytes_, 2, kNarrowNames, nullptr).value();
  const auto lists = ListsOf(table_);
  EXPECT_EQ(postings.tokens(), lists.size());
  for (const auto& [token, rows] : lists) EXPECT_EQ(postings.Candidates(std::vector<PostingToken>{token}), rows);
}

// Each part of the directory is at its bound, then beyond it.
TEST_F(PostingsTest, TheDirectoryIsChecked) {
  Make(30, 20, 20);
  const auto refused = [&](size_t number, uint32_t value) {
    std::string bytes = bytes_;
    std::memcpy(bytes.data() + number * sizeof(value), &value, sizeof(value));
    const auto made = Postings::Make(bytes, table_.size(), table_.names(), nullptr);
    return made.ok() ? std::string() : made.error().message;
  };
  const auto number = [&](size_t at) {
    uint32_t value = 0;
    std::memcpy(&value, bytes_.data() + at * sizeof(value), sizeof(value));
    return value;
  };
  const uint32_t rows = static_cast<uint32_t>(table_.size()), names = table_.names(), tokens = number(2);
  EXPECT_EQ(refused(0, rows), "");
  EXPECT_EQ(refused(0, rows + 1),
            fmt::format("postings of {} rows and {} names, not {} and {}", rows + 1, names, rows, names));
  EXPECT_EQ(refused(1, names - 1),
            fmt::format("postings of {} rows and {} names, not {} and {}", rows, names - 1, rows, names));
  EXPECT_EQ(refused(2, UINT32_MAX), "the postings' directory is cut off");
  const std::string descends = "the postings' directory does not ascend to its end";
  EXPECT_EQ(refused(2, tokens - 1), descends);
  const size_t first_token = 4, offsets = first_token + names + 1;
  EXPECT_EQ(refused(first_token, 1), descends);
  EXPECT_EQ(refused(first_token + 1, tokens + 1), descends);
  EXPECT_EQ(refused(first_token + names, tokens + 1), descends);
  EXPECT_EQ(refused(offsets, 1), descends);
  EXPECT_EQ(refused(offsets + 1, UINT32_MAX), descends);
  EXPECT_EQ(refused(offsets + tokens, number(offsets + tokens) - 1), descends);
  EXPECT_FALSE(Postings::Make(bytes_ + "x", table_.size(), table_.names(), nullptr).ok());
  std::vector<uint32_t> moved(bytes_.size() / 4 + 2);
  char* const at = reinterpret_cast<char*>(moved.data()) + 1;
  std::memcpy(at, bytes_.data(), bytes_.size());
  EXPECT_EQ(Postings::Make({at, bytes_.size()}, table_.size(), table_.names(), nullptr).error().message,
            "the postings are not aligned");
  // Room for the directory, and not one byte more.
  const std::string empty = EncodePostings(TailTable::Make(TailBuilder().Finish().views(), nullptr).value());
  EXPECT_TRUE(Postings::Make(empty, 0, 0, nullptr).ok());
  EXPECT_FALSE(Postings::Make(empty.substr(0, empty.size() - 1), 0, 0, nullptr).ok());
}

// A list that names a row behind the last, or announces more rows than there are, gives none that is not there.
TEST_F(PostingsTest, AListStaysAmongTheRows) {
  TailBuilder builder;
  const uint32_t name = builder.AddName("e");
  for (uint32_t row = 0; row < 3; ++row) {
    builder.BeginTrace({.run = {{0, row}}, .event_count = 1});
    builder.AddEvents(std::vector<uint32_t>{name});
  }
  tails_ = builder.Finish();
  bytes_ = EncodePostings(TailTable::Make(tails_.views(), nullptr).value());
  const size_t list = (4 + 2 + 2) * sizeof(uint32_t);
  ASSERT_EQ(bytes_.substr(list), std::string("\x03\x00\x00\x00", 4));
  bytes_[list] = 4;
  bytes_[list + 3] = 1;  // the third row would be row 3
  const Postings postings = Postings::Make(bytes_, 3, 1, nullptr).value();
  std::vector<uint32_t> rows;
  postings.AppendRows({0, 1}, rows);
  EXPECT_EQ(rows, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(postings.Count({0, 1}), 3u);
}

// What is stored must not change by itself.
TEST_F(PostingsTest, StoredBytesStayAsTheyAre) {
  Make(50, 120, 40);
  EXPECT_EQ(SketchHash(bytes_), kPostingsChecksum);
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
    EXPECT_FALSE(
        Postings::Make(std::string_view(bytes_).substr(0, length), table_.size(), table_.names(), nullptr).ok());
  }
}

}  // namespace
}  // namespace oscope
