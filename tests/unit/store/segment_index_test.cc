#include "index/store/segment_index.h"

#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

const std::string kSegment(32, 'a');

TEST(SegmentIndex, FindsWhatABinaryTreeFinds) {
  std::mt19937_64 random(3);
  for (const size_t count : {0u, 1u, 2u, 3u, 100u, 5000u}) {
    std::map<RunId, uint32_t> expected;
    std::vector<RunLocation> runs;
    std::vector<BugLocation> bugs;
    std::multimap<uint64_t, uint32_t> expected_bugs;
    for (uint32_t i = 0; i < count; ++i) {
      const RunId id{{random() % 50, random() % 1000}};
      if (!expected.emplace(id, i).second) continue;
      runs.push_back({id, random(), i, i});
      bugs.push_back({random() % 100, i});
      expected_bugs.emplace(bugs.back().placement, i);
    }
    const auto index = Must(SegmentIndex::Decode(SegmentIndex::Encode(kSegment, runs, bugs), kSegment));
    ASSERT_EQ(index->runs(), expected.size());
    for (int i = 0; i < 3000; ++i) {
      const RunId id{{random() % 50, random() % 1000}};
      const auto found = index->FindRun(id);
      const auto there = expected.find(id);
      ASSERT_EQ(found.has_value(), there != expected.end());
      if (found) {
        ASSERT_EQ(found->run_row, there->second);
      }
      const size_t from = index->runs() == 0 ? 0 : random() % index->runs();
      const size_t at = index->LowerBound(id, from);
      ASSERT_GE(at, from);
      if (at > from) {
        ASSERT_LT(index->run_id(at - 1), id);
      }
      if (at < index->runs() && (at > from || index->run_id(from) >= id)) {
        ASSERT_GE(index->run_id(at), id);
      }
    }
    for (uint64_t placement = 0; placement < 100; ++placement) {
      std::multiset<uint32_t> rows;
      for (auto [at, end] = expected_bugs.equal_range(placement); at != end; ++at) rows.insert(at->second);
      const auto found = index->BugRows(placement);
      ASSERT_EQ(std::multiset<uint32_t>(found.begin(), found.end()), rows);
      const uint64_t one[] = {placement};
      ASSERT_EQ(index->HasBugAmong(one), !rows.empty());
    }
  }
}

TEST(SegmentIndex, RefusesEveryCutAndEveryFlippedByte) {
  const std::string bytes =
      SegmentIndex::Encode(kSegment, {{RunId{{1, 2}}, 3, 0, 0}, {RunId{{4, 5}}, 6, 1, 1}}, {{7, 0}});
  ASSERT_OK(SegmentIndex::Decode(bytes, kSegment));
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(SegmentIndex::Decode(bytes.substr(0, length), kSegment).ok()) << length;
  }
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x10);
    EXPECT_FALSE(SegmentIndex::Decode(flipped, kSegment).ok()) << i;
  }
  EXPECT_FALSE(SegmentIndex::Decode(bytes, std::string(32, 'b')).ok());
}

}  // namespace
}  // namespace oscope
