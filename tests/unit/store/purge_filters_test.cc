// Every combination of the filters of a purge, with some values of each, against what they must take. A dry run says
// the same before, and what stays is whole.
#include "tests/unit/store/purge_filters.h"

namespace oscope {
namespace {

std::set<BugKey> ReportsIn(const Store& store) {
  std::set<BugKey> keys;
  for (const Bug& bug : Must(Must(store.Read()).Bugs())) keys.insert(bug.key);
  return keys;
}

// That the store is without what was taken, and otherwise whole.
void ExpectLeft(Store& store, const Purged& gone) {
  std::set<uint64_t> runs;
  for (const KnownRun& run : ThePurgeDisk().runs) {
    if (!gone.runs.contains(run.id)) runs.insert(run.id);
  }
  std::set<BugKey> reports;
  for (const KnownReport& report : ThePurgeDisk().reports) {
    if (!gone.bugs.contains(report.key)) reports.insert(report.key);
  }
  EXPECT_EQ(RunsIn(store), runs);
  EXPECT_EQ(ReportsIn(store), reports);
  std::multiset<AttachmentOwner> attachments;
  for (const AttachmentOwner& owner : ThePurgeDisk().attachments) {
    if (!gone.attachments.contains(owner)) attachments.insert(owner);
  }
  std::multiset<AttachmentOwner> found;
  for (const Attachment& attachment : Everything(store).attachments) {
    found.insert(attachment.header.owner);
    EXPECT_EQ(attachment.bytes, "bytes");
  }
  EXPECT_EQ(found, attachments);
  for (const CheckProblem& problem : Must(store.Check()).problems) ADD_FAILURE() << problem.what;
}

void ExpectTaken(const PurgeFilter& filter, std::set<std::pair<Purged, uint64_t>>& known) {
  SCOPED_TRACE(ToString(filter));
  const Purged expected = MustGo(filter);
  const auto disk = ThePurgeDisk().fs->Kill();
  Store store = Must(Store::Open(*disk, "s"));
  const uint64_t version = Must(store.NewestVersion());
  const PurgeResult would = Must(store.Purge(filter, /*dry_run=*/true));
  EXPECT_EQ(would.runs, expected.runs.size());
  EXPECT_EQ(would.bugs, expected.bugs.size());
  EXPECT_EQ(would.attachments, expected.attachments.size());
  EXPECT_EQ(Must(store.NewestVersion()), version) << "a dry run changes nothing";

  const PurgeResult did = Must(store.Purge(filter));
  EXPECT_EQ(did.runs, would.runs);
  EXPECT_EQ(did.bugs, would.bugs);
  EXPECT_EQ(did.attachments, would.attachments);
  EXPECT_EQ(did.segments_dropped, would.segments_dropped);
  EXPECT_EQ(did.segments_rewritten, would.segments_rewritten);
  EXPECT_EQ(did.version, version + (did.segments_dropped != 0) + (did.segments_rewritten != 0));
  // Two purges that take as much of the same segments are known by their numbers, and need not be read whole.
  EXPECT_EQ(Must(store.Read()).Stats().runs, ThePurgeDisk().runs.size() - expected.runs.size());
  if (!known.emplace(expected, did.segments_dropped).second) return;
  ExpectLeft(store, expected);
  EXPECT_EQ(Must(store.Purge(filter)).version, did.version) << "nothing is left for the same purge";
}

class PurgeFilters : public ::testing::TestWithParam<size_t> {};

TEST_P(PurgeFilters, TakeWhatEveryOneOfThemSelects) {
  uint64_t purges = 0;
  std::set<std::pair<Purged, uint64_t>> known;
  for (const PurgeFilter& filter : FiltersLike(NamedFilters()[GetParam()])) {
    PurgeFilter without_bugs = filter;
    without_bugs.bugs_too = false;
    if (ToString(without_bugs) == "purge") {
      EXPECT_EQ(Must(Store::Open(*ThePurgeDisk().fs->Kill(), "s")).Purge(filter).error().code, ErrorCode::kInvalid);
      continue;
    }
    ExpectTaken(filter, known);
    ++purges;
    if (HasFailure()) return;
  }
  EXPECT_GE(purges, 106u);
}

INSTANTIATE_TEST_SUITE_P(Named, PurgeFilters, ::testing::Range<size_t>(0, NamedFilters().size()));

// The oracle itself is not blind: among the combinations are those that take runs alone, reports alone, both and none.
TEST(PurgeOracle, TakesOfEveryKind) {
  std::set<Purged> outcomes;
  for (const PurgeFilter& named : NamedFilters()) {
    for (const PurgeFilter& filter : FiltersLike(named)) outcomes.insert(MustGo(filter));
  }
  const auto some = [&](bool runs, bool bugs) {
    return std::any_of(outcomes.begin(), outcomes.end(),
                       [&](const Purged& gone) { return gone.runs.empty() != runs && gone.bugs.empty() != bugs; });
  };
  EXPECT_TRUE(some(true, false) && some(false, true) && some(true, true) && some(false, false));
  EXPECT_GT(outcomes.size(), 40u);
}

}  // namespace
}  // namespace oscope
