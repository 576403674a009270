// Names and fields of bugs from the indexes and the columns, against what whole reports say.

#include <random>

#include "base/timestamp.h"
#include "index/store/bug_column.h"
#include "index/store/bug_name_table.h"
#include "index/store/segment_index.h"
#include "tests/unit/store/store_fixture.h"

namespace oscope {
namespace {

std::vector<BugRevision> Revisions() {
  const auto revision = [](const char* project, const char* id, uint64_t number) {
    BugRevision made;
    made.revision = number;
    made.bug.key = {project, id};
    return made;
  };
  std::vector<BugRevision> rows = {revision("b", "7", 2),  revision("a", "7", 1),   revision("b", "7", 1),
                                   revision("a", "10", 1), revision("c", "x-1", 9), revision("b", "8", 3)};
  rows[0].bug.custom = {{"owner", "me"}, {"empty", ""}};
  rows[3].bug.custom = {{"area", "x"}};
  return rows;
}

std::string BytesOf(std::span<const BugRevision> rows) { return BugNameTable::MakeSections(rows).at(0).bytes; }

TEST(BugNameTable, HasEveryRevisionByKeyAndById) {
  const std::vector<BugRevision> rows = Revisions();
  const std::string bytes = BytesOf(rows);
  const BugNameTable table = Must(BugNameTable::Decode(bytes, rows.size(), nullptr));
  ASSERT_EQ(table.size(), rows.size());
  for (uint32_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(table.key(i), ViewOf(rows[table.row(i)].bug.key));
    EXPECT_EQ(table.revision(i), rows[table.row(i)].revision);
    if (i > 0) {
      EXPECT_LE(table.key(i - 1), table.key(i));
    }
  }
  EXPECT_EQ(table.row(table.Find({"b", "7"}).value()), 0u) << "the newest revision";
  EXPECT_EQ(table.row(table.Find({"a", "10"}).value()), 3u);
  for (const BugKeyView none : {BugKeyView{"a", "8"}, {"", ""}, {"zz", "1"}, {"b", "70"}, {"a", ""}})
    EXPECT_EQ(table.Find(none), std::nullopt);
  EXPECT_EQ(table.WithId("7"), (std::vector<BugKey>{{"a", "7"}, {"b", "7"}}));
  EXPECT_EQ(table.WithId("x-1"), (std::vector<BugKey>{{"c", "x-1"}}));
  EXPECT_EQ(table.WithId("x"), std::vector<BugKey>());
  EXPECT_EQ(table.WithId("zz"), std::vector<BugKey>());
  EXPECT_EQ(table.projects(), 3u);
  EXPECT_EQ(table.custom_fields(), 3u);
  EXPECT_TRUE(table.HasCustomField("area") && table.HasCustomField("empty") && table.HasCustomField("owner"));
  EXPECT_FALSE(table.HasCustomField("own") || table.HasCustomField("zone"));
  EXPECT_TRUE(BugNameTable::MakeSections({}).empty());
}

// Asks everything, so that a sanitizer sees each step outside.
void AskAll(const BugNameTable& table) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < table.size(); ++i) {
    bytes += table.key(i).project.size() + table.key(i).id.size() + table.row(i);
    (void)table.Find(table.key(i));
    (void)table.WithId(table.key(i).id);
  }
  for (uint32_t i = 0; i < table.projects(); ++i) bytes += table.project(i).size();
  for (uint32_t i = 0; i < table.custom_fields(); ++i) bytes += table.HasCustomField(table.custom_field(i));
  EXPECT_LT(bytes, 1u << 20);
}

TEST(BugNameTable, DamagedBytesAreRefusedOrReadWithoutAStepOutside) {
  const std::vector<BugRevision> rows = Revisions();
  const std::string bytes = BytesOf(rows);
  for (size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(BugNameTable::Decode(std::string(bytes, 0, length), rows.size(), nullptr).ok()) << length;
  EXPECT_FALSE(BugNameTable::Decode(bytes + "x", rows.size(), nullptr).ok());
  EXPECT_EQ(BugNameTable::Decode(bytes, rows.size() + 1, nullptr).error().code, ErrorCode::kCorrupt);
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const int bit : {0x01, 0x10, 0x80}) {
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ bit);
      if (const auto table = BugNameTable::Decode(flipped, rows.size(), nullptr); table.ok()) AskAll(*table);
    }
  }
  // With the file around it no flipped byte is read at all.
  const std::string segment(32, 'a');
  const std::string file = IndexFile::Encode(segment, BugNameTable::MakeSections(rows));
  for (size_t i = 0; i < file.size(); ++i) {
    std::string flipped = file;
    flipped[i] = static_cast<char>(flipped[i] ^ 0x10);
    const auto decoded = IndexFile::Decode(flipped, segment);
    EXPECT_FALSE(decoded.ok() && BugNameTable::Make(*decoded, rows.size()).ok()) << i;
  }
}

class BugNamesTest : public ::testing::Test {
 protected:
  CrashFileSystem fs_;
  Store store_ = Must(Store::Create(fs_, "s"));
  const StoreFiles files_{fs_, "s"};

  void Edit(const BugKey& key, const std::function<void(Bug&)>& change = [](Bug&) {}) {
    Must(store_.EditBug(key, [&](const std::optional<Bug>& stored) -> Result<Bug> {
      Bug bug = stored.value_or(Bug());
      bug.key = key;
      change(bug);
      return bug;
    }));
  }
  // The index files as a release without names would have written them.
  void DropNames() {
    const Snapshot snapshot = Must(store_.Read());
    for (const SegmentEntry& segment : snapshot.manifest().segments) {
      std::vector<IndexSection> sections = Must(RebuildIndexSections(files_, segment));
      std::erase_if(sections, [](const IndexSection& one) { return one.tag == kBugNamesTag; });
      Must(IndexFile::Write(files_, segment.id, sections));
    }
  }
};

// What a name means, found by a look at every bug.
std::string Slowly(const std::vector<BugKey>& bugs, std::string_view text, std::string_view project) {
  std::vector<BugKey> found;
  for (const BugKey& bug : bugs) {
    if (ToString(bug) == text) found.push_back(bug);
  }
  for (const BugKey& bug : bugs) {
    if (found.empty() && bug.project == project && bug.id == text) return ToString(bug);
  }
  if (found.empty()) {
    for (const BugKey& bug : bugs) {
      if (bug.id == text) found.push_back(bug);
    }
  }
  if (found.empty()) return "none";
  return found.size() == 1 ? ToString(found[0]) : "several";
}

std::string Resolved(const Snapshot& snapshot, std::string_view text, std::string_view project) {
  const auto found = snapshot.ResolveBug(text, project);
  if (found.ok()) return ToString(*found);
  return found.error().code == ErrorCode::kNotFound ? "none" : "several";
}

TEST_F(BugNamesTest, AnyNameMeansWhatALookAtEveryBugSays) {
  std::mt19937 random(5);
  const std::vector<std::string> projects = {"a", "a-b", "b", "c"};
  const std::vector<std::string> ids = {"1", "2", "b-1", "10", "x", "b-b-1"};
  const auto draw = [&](const std::vector<std::string>& of) { return of[random() % of.size()]; };
  for (int edit = 0; edit < 14; ++edit) {
    Edit({draw(projects), draw(ids)}, [&](Bug& bug) { bug.title = std::to_string(edit); });
    if (edit == 5) Must(store_.Compact());
    const Snapshot snapshot = Must(store_.Read());
    std::vector<BugKey> bugs;
    for (const Bug& bug : Must(snapshot.Bugs())) bugs.push_back(bug.key);
    EXPECT_EQ(Must(snapshot.BugKeys()), bugs);
    for (const std::string& project : projects) {
      for (const std::string& id : ids) {
        const BugKey key{project, id};
        EXPECT_EQ(Must(snapshot.HasBug(key)), std::binary_search(bugs.begin(), bugs.end(), key)) << ToString(key);
        for (const std::string& text : {id, ToString(key)}) {
          EXPECT_EQ(Resolved(snapshot, text, ""), Slowly(bugs, text, "")) << text;
          EXPECT_EQ(Resolved(snapshot, text, project), Slowly(bugs, text, project)) << text << " in " << project;
        }
      }
    }
  }
}

TEST_F(BugNamesTest, AnOlderIndexHasTheSameNamesAndIsWrittenAnewByASearch) {
  Must(CommitRuns(store_, {{1, "7", "abc"}}));
  Edit({"other", "7"});
  Edit({"other", "8"});
  DropNames();
  Store store = Must(Store::Open(fs_, "s"));
  EXPECT_EQ(Must(store.Reindex({.verify = true})).older, 3u);
  const Snapshot snapshot = Must(store.Read());
  EXPECT_EQ(Resolved(snapshot, "8", ""), "other-8");
  EXPECT_EQ(Resolved(snapshot, "7", ""), "several");
  EXPECT_TRUE(Must(snapshot.HasBug({"demo", "7"})));
  EXPECT_FALSE(Must(snapshot.HasBug({"demo", "8"})));
  EXPECT_EQ(Must(snapshot.Projects()), (std::vector<std::string>{"demo", "other"}));
  EXPECT_EQ(Must(store.Reindex({.verify = true})).older, 3u) << "a look-up of a name writes nothing";
  for (const SegmentEntry& segment : snapshot.manifest().segments) Must(snapshot.Search(segment));
  const ReindexResult now = Must(Must(Store::Open(fs_, "s")).Reindex({.verify = true}));
  EXPECT_EQ(now.older + now.missing + now.damaged + now.wrong, 0u);
}

// A file with sound checksums whose names are of too few bugs is not believed.
TEST_F(BugNamesTest, NamesOfAnotherNumberOfBugsAreNotUsed) {
  Edit({"demo", "7"});
  const SegmentEntry segment = Must(store_.Read()).manifest().segments.at(0);
  std::vector<IndexSection> sections = Must(RebuildIndexSections(files_, segment));
  for (IndexSection& section : sections) {
    if (section.tag == kBugNamesTag) section.bytes = BytesOf(Revisions());
  }
  Must(IndexFile::Write(files_, segment.id, sections));
  const Snapshot snapshot = Must(Must(Store::Open(fs_, "s")).Read());
  EXPECT_TRUE(Must(snapshot.HasBug({"demo", "7"})));
  EXPECT_FALSE(Must(snapshot.HasBug({"a", "7"})));
}

std::string OneOf(const BugColumn& column, uint32_t row) {
  if (!column.is_time()) return std::string(column.text(row));
  const auto at = column.time(row);
  return at ? FormatTimestamp(*at) : "";
}

TEST_F(BugNamesTest, AColumnSaysWhatTheReportsSay) {
  Edit({"demo", "1"}, [](Bug& bug) {
    bug.title = std::string("a\xff") + "b";
    bug.severity = "high";
    bug.created_ns = 5;
    bug.custom = {{"owner", "me"}, {"empty", ""}};
  });
  Edit({"demo", "2"}, [](Bug& bug) {
    bug.status = BugStatus::kClosed;
    bug.resolved_ns = -7;
    bug.custom = {{"owner", "you\xfe"}};
  });
  Edit({"demo", "1"}, [](Bug& bug) { bug.title = "later", bug.custom.clear(); });
  Must(store_.Compact());
  const Snapshot snapshot = Must(store_.Read());
  const auto time = [](const std::optional<int64_t>& at) { return at ? FormatTimestamp(*at) : std::string(); };
  const auto custom = [](const Bug& bug, const char* name) {
    const auto at = bug.custom.find(name);
    return at == bug.custom.end() ? std::string() : at->second;
  };
  uint32_t seen = 0;
  for (const SegmentEntry& segment : snapshot.manifest().segments) {
    const auto names = Must(snapshot.NamesOfBugs(segment));
    ASSERT_NE(names, nullptr);
    const auto column = [&](const char* field) { return Must(snapshot.FieldOfBugs(segment, field)); };
    for (uint32_t i = 0; i < names->size(); ++i, ++seen) {
      const uint32_t row = names->row(i);
      for (const BugRevision& revision : Must(snapshot.History(names->key(i).ToKey()))) {
        if (revision.revision != names->revision(i)) continue;
        const Bug& bug = revision.bug;
        EXPECT_EQ(OneOf(*column("title"), row), bug.title);
        EXPECT_EQ(OneOf(*column("status"), row), BugStatusName(bug.status));
        EXPECT_EQ(OneOf(*column("severity"), row), bug.severity);
        EXPECT_EQ(OneOf(*column("reporter"), row), bug.reporter);
        EXPECT_EQ(OneOf(*column("version"), row), bug.version);
        EXPECT_EQ(OneOf(*column("url"), row), bug.url);
        EXPECT_EQ(OneOf(*column("created"), row), time(bug.created_ns));
        EXPECT_EQ(OneOf(*column("resolved"), row), time(bug.resolved_ns));
        for (const char* name : {"owner", "empty", "nobody"}) {
          EXPECT_EQ(OneOf(*column(name), row), custom(bug, name));
          EXPECT_EQ(column(name)->is_set(row), bug.custom.contains(name));
        }
      }
    }
  }
  EXPECT_EQ(seen, 3u) << "every revision";
}

TEST_F(BugNamesTest, ADamagedTableIsNamedOrLeftOut) {
  Edit({"demo", "7"});
  Edit({"demo", "8"});
  const SegmentEntry segment = Must(store_.Read()).manifest().segments.at(0);
  Must(fs_.Remove(files_.TablePath(segment.id, Table::kBugs)));
  Snapshot snapshot = Must(Must(Store::Open(fs_, "s")).Read());
  const auto refused = snapshot.FieldOfBugs(segment, "title");
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find(segment.id), std::string::npos) << refused.error().message;
  snapshot.SkipDamaged(true);
  const auto names = snapshot.NamesOfBugs(snapshot.manifest().segments.at(0));
  EXPECT_TRUE(!names.ok() || *names == nullptr);
  EXPECT_NE(Must(snapshot.NamesOfBugs(snapshot.manifest().segments.at(1))), nullptr);
}

}  // namespace
}  // namespace oscope
