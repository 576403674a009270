#include "tests/unit/store/store_content.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "index/store/segment_reader.h"
#include "index/store/store_files.h"

namespace oscope {
namespace {

// A run that is there twice is an entry of its own, so that no store that has one is like a store that has not.
constexpr const char* kAgain = " again";

std::string Text(const std::optional<int64_t>& time) { return time ? fmt::format("{}", *time) : "-"; }

// Puts the runs that come into the content's entries.
class DescribingSink : public RunSink {
 public:
  explicit DescribingSink(StoreContent& content) : content_(content) {}

  Status AddBug(const Bug&) override { return {}; }  // every revision is told by the history
  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override {
    symbols_ = &symbols;
    name_ = fmt::format("run {}", run.id.value.low);
    text_ = fmt::format("{} {} '{}' test '{}' version '{}' outcome {} message '{}' started {}", ToString(run.id),
                        run.project, run.bug, run.test, run.version, OutcomeName(run.outcome), run.failure.message,
                        Text(run.started_ns));
    for (const auto& [key, value] : run.custom) text_ += fmt::format(" {}={}", key, value);
    for (const RunInput& input : run.inputs) text_ += fmt::format(" input {}='{}'", input.name, input.bytes);
    return {};
  }
  Status BeginTrace(const TraceHeader& trace) override {
    text_ += fmt::format("; trace {}.{} {} of {} events, failing at {}:", trace.process, trace.thread,
                         TraceKindName(trace.kind), trace.event_count,
                         trace.mark ? fmt::format("{} {}", trace.mark->events, trace.mark->reason) : "-");
    return {};
  }
  Status AddEvents(const EventChunk& chunk) override {
    for (size_t i = 0; i < chunk.events.size(); ++i) {
      const SymbolAttributes& attributes = symbols_->attributes(chunk.events[i]);
      text_ += " " + std::string(symbols_->name(chunk.events[i]));
      if (!attributes.empty()) text_ += fmt::format("({}:{})", attributes.file, attributes.line);
      if (!chunk.depths.empty()) text_ += fmt::format("@{}", chunk.depths[i]);
      if (!chunk.values.empty()) text_ += "=" + chunk.values[i];
    }
    return {};
  }
  Status EndTrace() override { return {}; }
  Status EndRun() override {
    while (content_.entries.contains(name_)) name_ += kAgain;
    content_.entries.emplace(name_, text_);
    return {};
  }
  Status AddAttachment(const Attachment& attachment) override {
    const AttachmentHeader& header = attachment.header;
    std::string name = fmt::format("attachment of {}: {} '{}' {}", ToString(header.owner), header.kind, header.name,
                                   header.sha256.substr(0, 8));
    while (content_.entries.contains(name)) name += kAgain;
    content_.entries.emplace(name, attachment.bytes);
    return {};
  }

 private:
  StoreContent& content_;
  const SymbolTable* symbols_ = nullptr;
  std::string name_, text_;
};

std::string Text(const Bug& bug) {
  std::string text = fmt::format("'{}' {} severity '{}' created {} text '{}'", bug.title, BugStatusName(bug.status),
                                 bug.severity, Text(bug.created_ns), bug.text);
  for (const Comment& comment : bug.comments) text += fmt::format(" {} says '{}'", comment.author, comment.text);
  for (const BugKey& key : bug.duplicates) text += " like " + ToString(key);
  for (const auto& [key, value] : bug.custom) text += fmt::format(" {}={}", key, value);
  return text;
}

std::string Text(const StoreSettings& settings) {
  std::string text =
      fmt::format("max_bytes {} max_runs {}", settings.max_bytes.value_or(0), settings.max_runs.value_or(0));
  for (const auto& [name, query] : settings.queries) text += fmt::format(" {}='{}'", name, query);
  return text;
}

}  // namespace

namespace {

void AddManifest(const Manifest& manifest, StoreContent& content) {
  for (const SegmentEntry& segment : manifest.segments) {
    if (!segment.quarantined.empty()) {
      content.entries.emplace("segment " + segment.id,
                              fmt::format("quarantined, {} runs: {}", segment.runs, segment.quarantined));
    }
  }
  content.entries.emplace("settings", Text(manifest.settings));
  content.entries.emplace("ranges", fmt::format("{}", manifest.ranges.size()));
  content.entries.emplace("store", manifest.store_id);
}

void AddHistory(const BugKey& key, const std::vector<BugRevision>& history, StoreContent& content) {
  size_t nth = 0;
  for (const BugRevision& revision : history) {
    const std::string name = fmt::format("bug {} {}.", ToString(key), ++nth);
    content.entries.emplace(name, fmt::format("revision {}: {}", revision.revision, Text(revision.bug)));
    content.times.emplace(name, revision.edited_ns);
  }
}

}  // namespace

Result<StoreContent> ReadContent(const Snapshot& snapshot) {
  StoreContent content;
  DescribingSink sink(content);
  OSCOPE_RETURN_IF_ERROR(snapshot.Send([](const StoredRun&) { return true; }, sink));
  OSCOPE_RETURN_IF_ERROR(snapshot.ForEachRun({}, false, [&](const StoredRun& run) {
    content.times.emplace(fmt::format("run {}", run.header.id.value.low), run.stored_ns);
    return true;
  }));
  OSCOPE_ASSIGN_OR_RETURN(const std::vector<Bug> bugs, snapshot.Bugs());
  for (const Bug& bug : bugs) {
    OSCOPE_ASSIGN_OR_RETURN(const std::vector<BugRevision> history, snapshot.History(bug.key));
    AddHistory(bug.key, history, content);
  }
  AddManifest(snapshot.manifest(), content);
  return content;
}

namespace {

// What one segment holds.
struct SegmentContent {
  StoreContent runs;
  std::vector<BugRevision> revisions;
};

Result<SegmentContent> ReadSegment(const StoreFiles& files, const SegmentEntry& entry) {
  SegmentContent content;
  const SegmentReader reader(files, entry);
  DescribingSink sink(content.runs);
  OSCOPE_RETURN_IF_ERROR(reader.SendRuns(
      [&](const StoredRun& run) {
        content.runs.times.emplace(fmt::format("run {}", run.header.id.value.low), run.stored_ns);
        return true;
      },
      sink));
  OSCOPE_RETURN_IF_ERROR(reader.ReadAttachments(
      [](const StoredAttachment&) { return true; },
      [&](const StoredAttachment& one, const std::string& bytes) { return sink.AddAttachment({one.header, bytes}); }));
  OSCOPE_ASSIGN_OR_RETURN(content.revisions, reader.Bugs());
  return content;
}

// The segments that were decoded by this process, by all that decides what they are.
class KnownSegments {
 public:
  explicit KnownSegments(CrashFileSystem& fs, const std::string& store)
      : files_(fs, store), bytes_(fs.Files(store + "/segments")) {}

  std::string KeyOf(const SegmentEntry& entry) const {
    std::string key = EncodeGroup({entry});
    for (const TableFile& table : entry.tables) {
      const auto file = bytes_.find(files_.TablePath(entry.id, table.table));
      key += file == bytes_.end() ? "missing" : Sha256Of(file->second);
    }
    return key;
  }
  const SegmentContent* Find(const SegmentEntry& entry) const {
    const auto known = Known().find(KeyOf(entry));
    return known == Known().end() ? nullptr : &known->second;
  }
  Status Learn(const SegmentEntry& entry) const {
    OSCOPE_ASSIGN_OR_RETURN(SegmentContent content, ReadSegment(files_, entry));
    Known().insert_or_assign(KeyOf(entry), std::move(content));
    return {};
  }

 private:
  static std::map<std::string, SegmentContent>& Known() {
    static std::map<std::string, SegmentContent> known;
    return known;
  }
  StoreFiles files_;
  std::map<std::string, std::string> bytes_;
};

// Made of what the segments are known to hold.
Result<StoreContent> Compose(const Manifest& manifest, const KnownSegments& known) {
  StoreContent content;
  std::map<BugKey, std::vector<BugRevision>> histories;
  for (const SegmentEntry& entry : manifest.segments) {
    if (!entry.quarantined.empty()) continue;
    if (known.Find(entry) == nullptr) OSCOPE_RETURN_IF_ERROR(known.Learn(entry));
    const SegmentContent& segment = *known.Find(entry);
    for (const auto& [name, text] : segment.runs.entries) {
      std::string free = name;
      while (content.entries.contains(free)) free += kAgain;
      content.entries.emplace(std::move(free), text);
    }
    content.times.insert(segment.runs.times.begin(), segment.runs.times.end());
    for (const BugRevision& revision : segment.revisions) histories[revision.bug.key].push_back(revision);
  }
  for (auto& [key, history] : histories) {
    std::sort(history.begin(), history.end(),
              [](const BugRevision& a, const BugRevision& b) { return a.revision < b.revision; });
    AddHistory(key, history, content);
  }
  AddManifest(manifest, content);
  return content;
}

Result<StoreContent> ContentOfStore(CrashFileSystem& fs, const std::string& path) {
  OSCOPE_ASSIGN_OR_RETURN(const Store store, Store::Open(fs, path));
  OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store.Read());
  return Compose(snapshot.manifest(), KnownSegments(fs, path));
}

StoreContent Under(const std::string& path, const StoreContent& content) {
  StoreContent under;
  for (const auto& [name, text] : content.entries) under.entries.emplace(fmt::format("{}: {}", path, name), text);
  for (const auto& [name, time] : content.times) under.times.emplace(fmt::format("{}: {}", path, name), time);
  return under;
}

}  // namespace

void ExpectReadAndChecked(FileSystem& fs, const StoreContent& content) {
  auto store = Store::Open(fs, "s");
  ASSERT_TRUE(store.ok()) << store.error().message;
  const auto read = [&]() -> Result<StoreContent> {
    OSCOPE_ASSIGN_OR_RETURN(const Snapshot snapshot, store->Read());
    return ReadContent(snapshot);
  }();
  ASSERT_TRUE(read.ok()) << read.error().message;
  StoreContent expected = content;
  std::erase_if(expected.entries, [](const auto& entry) { return !entry.first.starts_with("s: "); });
  EXPECT_EQ(Difference(expected, Under("s", *read)), "");
  const auto check = store->Check();
  ASSERT_TRUE(check.ok()) << check.error().message;
  EXPECT_TRUE(check->healthy()) << check->problems[0].what;
}

StoreContent ContentOf(CrashFileSystem& fs) {
  StoreContent all;
  for (const char* path : {"s", "other", "copy"}) {
    if (!fs.Exists(path)) continue;
    const auto content = ContentOfStore(fs, path);
    if (!content.ok()) {
      all.entries.emplace(path, "cannot be read: " + content.error().message);
      continue;
    }
    StoreContent under = Under(path, *content);
    all.entries.merge(under.entries);
    all.times.merge(under.times);
  }
  return all;
}

std::string Difference(const StoreContent& expected, const StoreContent& found) {
  std::string difference;
  for (const auto& [name, text] : expected.entries) {
    const auto other = found.entries.find(name);
    if (other == found.entries.end()) {
      difference += fmt::format("missing: {} ({})\n", name, text);
    } else if (other->second != text) {
      difference += fmt::format("other: {}\n  expected {}\n  found    {}\n", name, text, other->second);
    }
  }
  for (const auto& [name, text] : found.entries) {
    if (!expected.entries.contains(name)) difference += fmt::format("additional: {} ({})\n", name, text);
  }
  return difference;
}

std::string TimeDifference(const StoreContent& expected, const StoreContent& found) {
  std::string difference;
  for (const auto& [name, time] : expected.times) {
    const auto other = found.times.find(name);
    if (other != found.times.end() && other->second != time)
      difference += fmt::format("{}: stored at {}, now at {}\n", name, time, other->second);
  }
  return difference;
}

std::map<std::string, std::string> FilesOf(const CrashFileSystem& fs) {
  std::map<std::string, std::string> files = fs.Files("/");
  std::erase_if(files, [](const auto& file) {
    return file.first.find("/pins/") != std::string::npos || file.first.find("/locks/") != std::string::npos;
  });
  return files;
}

}  // namespace oscope
