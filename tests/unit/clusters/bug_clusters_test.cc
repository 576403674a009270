#include "query/clusters/bug_clusters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace oscope {
namespace {

constexpr uint32_t kFar = 601;

Bug MakeBug(const std::string& id, int64_t created, const Decisions& decisions = {}) {
  Bug bug;
  bug.key = {"P", id};
  bug.created_ns = created;
  WriteDecisions(decisions, bug);
  return bug;
}

BugPair Near(const std::string& a, const std::string& b, uint32_t edits = 5) { return {{"P", a}, {"P", b}, edits, 50}; }

BugClusters Cluster(const std::vector<Bug>& bugs, const std::vector<BugPair>& pairs) {
  Result<BugClusters> found = ClusterBugs(bugs, pairs, kFar);
  EXPECT_TRUE(found.ok());
  return *std::move(found);
}

// The ids of the bugs of each cluster by the cluster's id.
std::map<std::string, std::vector<std::string>> Names(const BugClusters& found) {
  std::map<std::string, std::vector<std::string>> names;
  for (const BugCluster& cluster : found.clusters) {
    for (const uint32_t bug : cluster.bugs) names[cluster.id.id].push_back(found.bugs[bug].key.id);
  }
  return names;
}
using Expected = std::map<std::string, std::vector<std::string>>;

TEST(BugClusters, AreNamedByTheOldestBug) {
  const auto found = Cluster({MakeBug("9", 30), MakeBug("7", 10), MakeBug("8", 20)}, {Near("9", "7")});
  EXPECT_EQ(Names(found), (Expected{{"7", {"7", "9"}}, {"8", {"8"}}}));
}

TEST(BugClusters, ABugWithoutADateIsYoungAndNineIsOlderThanTen) {
  Bug dateless = MakeBug("10", 0), other = MakeBug("9", 0);
  dateless.created_ns.reset();
  other.created_ns.reset();
  EXPECT_EQ(Names(Cluster({dateless, other}, {Near("9", "10")})), (Expected{{"9", {"9", "10"}}}));
  EXPECT_EQ(Names(Cluster({dateless, MakeBug("11", 5)}, {Near("11", "10")})), (Expected{{"11", {"11", "10"}}}));
}

TEST(BugClusters, ResolvedBugsAreInNone) {
  Bug closed = MakeBug("1", 10);
  closed.status = BugStatus::kClosed;
  EXPECT_EQ(Names(Cluster({closed, MakeBug("2", 20)}, {Near("1", "2")})), (Expected{{"2", {"2"}}}));
}

TEST(BugClusters, TheDistanceIsAShareOfTheEvents) {
  EXPECT_EQ(EditShare(4, 11), 364u);
  EXPECT_EQ(EditShare(30, 50), 600u);
  EXPECT_EQ(EditShare(0, 0), 0u);
  // Five edits in five events have nothing in common.
  EXPECT_EQ(Cluster({MakeBug("1", 1), MakeBug("2", 2)}, {{{"P", "1"}, {"P", "2"}, 5, 5}}).clusters.size(), 2u);
  EXPECT_EQ(Cluster({MakeBug("1", 1), MakeBug("2", 2)}, {{{"P", "1"}, {"P", "2"}, 5, 50}}).clusters.size(), 1u);
}

TEST(BugClusters, TellTheNearestPairAndTheTypicalBug) {
  const auto found = Cluster({MakeBug("1", 1), MakeBug("2", 2), MakeBug("3", 3)},
                             {Near("1", "2", 4), Near("2", "3", 3), Near("1", "3", 7)});
  ASSERT_EQ(found.clusters.size(), 1u);
  EXPECT_EQ(found.bugs[found.clusters[0].representative].key.id, "2");
  EXPECT_EQ(found.clusters[0].nearest->edits, 3u);
  EXPECT_EQ(found.Find({"P", "3"}), &found.clusters[0]);
  EXPECT_EQ(found.Find({"P", "4"}), nullptr);
}

TEST(BugClusters, AMergeStaysWhenBugsCome) {
  std::vector<Bug> bugs = {MakeBug("1", 1), MakeBug("2", 2), MakeBug("3", 3, {.with = {"1"}, .apart = {}, .id = "1"}),
                           MakeBug("4", 4)};
  std::vector<BugPair> pairs = {Near("1", "2"), Near("3", "4")};
  EXPECT_EQ(Names(Cluster(bugs, pairs)), (Expected{{"1", {"1", "2", "3", "4"}}}));
  bugs.push_back(MakeBug("5", 5));
  pairs.push_back(Near("5", "4"));
  pairs.push_back(Near("5", "3"));
  EXPECT_EQ(Names(Cluster(bugs, pairs)), (Expected{{"1", {"1", "2", "3", "4", "5"}}}));
}

TEST(BugClusters, ASplitStaysWhenBugsCome) {
  std::vector<Bug> bugs = {MakeBug("1", 1), MakeBug("2", 2),
                           MakeBug("3", 3, {.with = {}, .apart = {"1", "2"}, .id = "3"})};
  std::vector<BugPair> pairs = {Near("1", "2", 1), Near("1", "3", 1), Near("2", "3", 1)};
  EXPECT_EQ(Names(Cluster(bugs, pairs)), (Expected{{"1", {"1", "2"}}, {"3", {"3"}}}));
  // It is near to all of them, and nearest to the one that was split off.
  bugs.push_back(MakeBug("4", 4));
  for (const char* other : {"1", "2"}) pairs.push_back(Near("4", other, 1));
  pairs.push_back(Near("4", "3", 0));
  EXPECT_EQ(Names(Cluster(bugs, pairs)), (Expected{{"1", {"1", "2"}}, {"3", {"3", "4"}}}));
}

TEST(BugClusters, ADecidedIdOutlivesItsBug) {
  std::vector<Bug> bugs = {MakeBug("1", 1), MakeBug("2", 2, {.with = {"1", "3"}, .apart = {}, .id = "1"}),
                           MakeBug("3", 3)};
  EXPECT_EQ(Names(Cluster(bugs, {})), (Expected{{"1", {"1", "2", "3"}}}));
  bugs[0].status = BugStatus::kResolved;
  EXPECT_EQ(Names(Cluster(bugs, {})), (Expected{{"1", {"2", "3"}}}));
}

TEST(BugClusters, ADecidedIdOfABugThatIsElsewhereDoesNotCount) {
  const auto found =
      Cluster({MakeBug("1", 1), MakeBug("2", 2, {.with = {"3"}, .apart = {}, .id = "1"}), MakeBug("3", 3)}, {});
  EXPECT_EQ(Names(found), (Expected{{"1", {"1"}}, {"2", {"2", "3"}}}));
}

// Families of bugs and random decisions; then more bugs come.
class RandomBugs {
 public:
  explicit RandomBugs(uint32_t seed) : random_(seed) {}

  void Add(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      const size_t number = bugs_.size();
      families_.push_back(random_() % 6);
      bugs_.push_back(MakeBug(std::to_string(number), static_cast<int64_t>(number)));
      for (size_t other = 0; other < number; ++other) {
        if (families_[other] != families_[number]) continue;
        pairs_.push_back(Near(std::to_string(other), std::to_string(number), static_cast<uint32_t>(random_() % 4)));
      }
    }
  }

  void Decide() {
    for (int i = 0; i < 3; ++i) {
      Bug& bug = bugs_[random_() % bugs_.size()];
      Decisions decisions = ReadDecisions(bug);
      (random_() % 2 ? decisions.with : decisions.apart).push_back(std::to_string(random_() % bugs_.size()));
      WriteDecisions(decisions, bug);
    }
  }

  BugClusters Cluster() { return oscope::Cluster(bugs_, pairs_); }
  const std::vector<Bug>& bugs() const { return bugs_; }

 private:
  std::mt19937 random_;
  std::vector<Bug> bugs_;
  std::vector<size_t> families_;
  std::vector<BugPair> pairs_;
};

TEST(BugClusters, NewBugsRenameNoCluster) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    RandomBugs random(seed);
    random.Add(40);
    const Expected before = Names(random.Cluster());
    random.Add(20);
    const Expected after = Names(random.Cluster());
    // Families are clear, so a cluster only grows.
    for (const auto& [id, bugs] : before) {
      ASSERT_TRUE(after.contains(id)) << "seed " << seed;
      EXPECT_TRUE(
          std::includes(after.at(id).begin(), after.at(id).end(), bugs.begin(), bugs.end(),
                        [](const std::string& a, const std::string& b) { return std::stoi(a) < std::stoi(b); }));
    }
  }
}

TEST(BugClusters, DecisionsAreObeyedAndIdsAreUnique) {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    RandomBugs random(seed);
    random.Add(25);
    random.Decide();
    random.Add(5);
    const BugClusters found = random.Cluster();
    const std::set<Contradiction> contradictions(found.contradictions.begin(), found.contradictions.end());
    std::set<BugKey> ids;
    for (const BugCluster& cluster : found.clusters) EXPECT_TRUE(ids.insert(cluster.id).second);
    for (const Bug& bug : random.bugs()) {
      const Decisions decisions = ReadDecisions(bug);
      for (const std::string& other : decisions.with)
        EXPECT_EQ(found.Find(bug.key), found.Find({"P", other})) << "seed " << seed;
      for (const std::string& other : decisions.apart) {
        const BugKey key{"P", other};
        EXPECT_EQ(found.Find(bug.key) == found.Find(key), contradictions.contains({bug.key, key})) << "seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace oscope
