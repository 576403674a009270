// Makes segments from runs and bug revisions: the one way anything gets into a store, whether uploaded, compacted,
// moved or merged.
//
// Small runs gather in memory until Write; a run with more events than `spill_events` is written to a segment of its
// own while it arrives, so that no trace need fit in memory. Files are written and synced but named by no manifest:
// until a commit publishes the entries they are orphans, and Discard removes them.
// Threads: one at a time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

#include "index/store/attachment_table.h"
#include "index/store/run_table.h"
#include "index/store/segment_rows.h"
#include "index/store/store_files.h"
#include "index/store/symbol_scopes.h"
#include "tracer/model/content_hash.h"
#include "tracer/model/run_sink.h"

namespace oscope {

struct RunIdHash {
  size_t operator()(RunId id) const { return id.value.low; }
};

class ParquetWriter;

class SegmentBuilder : public RunSink {
 public:
  SegmentBuilder(const StoreFiles& files, uint64_t spill_events);
  ~SegmentBuilder() override;  // removes spilled segments that were not taken

  // Always fails: a bug must come as a revision, from a caller that knows the store.
  Status AddBug(const Bug& bug) override;
  void AddRevision(BugRevision revision);

  Status BeginRun(const RunHeader& run, const SymbolTable& symbols) override;
  Status BeginTrace(const TraceHeader& trace) override;
  Status AddEvents(const EventChunk& chunk) override;
  Status EndTrace() override;
  Status EndRun() override;
  Status AddAttachment(const Attachment& attachment) override;
  // Adds an attachment that was stored before, and keeps the time at which it was stored. An attachment that is added
  // twice is kept once.
  void AddStored(const StoredAttachment& attachment, const std::string& bytes);

  // What the next runs and attachments say about when they were stored.
  void SetStoredTime(int64_t stored_ns) { stored_ns_ = stored_ns; }

  // Every run so far, the spilled ones too. A run that came twice with the same content is there once.
  struct Held {
    const StoredRun* run;
    uint64_t placement;
  };
  std::vector<Held> runs() const;
  // Sets the bug of the run at this position of `runs()`. The files of a spilled run name a bug as well (spilled_bug). If
  // that is another one, they must be replaced with ReplaceSpilled before Write.
  void LinkRun(size_t run, const std::string& bug);
  const SegmentEntry* spilled_segment(size_t run) const;  // null: it was not spilled
  const std::string& spilled_bug(size_t run) const;       // that its files have
  void ReplaceSpilled(size_t run, SegmentEntry entry);
  uint64_t run_count() const { return rows_.runs.size() + spilled_.size(); }
  uint64_t event_count() const { return events_; }
  uint64_t trace_count() const { return traces_; }
  const std::vector<PendingAttachment>& attachments() const { return attachments_; }
  uint64_t attachment_bytes() const { return attachment_bytes_; }  // of distinct contents
  bool empty() const { return run_count() == 0 && revisions_.empty() && attachments_.empty(); }

  // What is in the store already, and is not written.
  struct Drops {
    std::function<bool(RunId)> run = [](RunId) { return false; };
    std::function<bool(const AttachmentHeader&)> attachment = [](const AttachmentHeader&) { return false; };
  };
  // Writes what `drops` does not name into one segment per range (and the spilled ones into theirs). May be called
  // again, with other ranges or drops, after Discard of what it returned.
  Result<std::vector<SegmentEntry>> Write(const std::vector<HashRange>& ranges, const Drops& drops,
                                          std::vector<BugRevision> revisions);
  Result<std::vector<SegmentEntry>> Write(const std::vector<HashRange>& ranges) {
    return Write(ranges, {}, revisions_);
  }
  // Removes segments that no manifest names. Spilled segments stay for another Write.
  void Discard(const std::vector<SegmentEntry>& segments);
  // A manifest names these segments now. The spilled ones among them no longer belong to the builder. Spilled segments
  // that are not among them stay, and Clear removes their files.
  void Published(const std::vector<SegmentEntry>& segments);

  void Clear();

 private:
  struct Spill;
  Status BeginSpill();
  Status FlushSpill(bool all);
  Status EndSpill();
  // A symbol of the arriving run as the segment has it.
  static constexpr uint32_t kUnknownProgram = UINT32_MAX;
  struct Placed {
    uint32_t program = kUnknownProgram;  // whose runs it is placed for; kUnknownProgram: it is not placed
    uint32_t code = 0;                   // its text's number
    uint32_t scope = 0;
  };
  void FindProgram(std::span<const SymbolId> events);
  const Placed& Place(SymbolId theirs);
  static void MixScopes(SegmentRows& rows, TraceRow& row, uint32_t before, uint32_t scope);
  // The part of everything in the builder that is written into one segment.
  struct Contents {
    std::vector<uint32_t> runs;
    std::vector<BugRevision> revisions;
    std::vector<const PendingAttachment*> attachments;
    bool empty() const { return runs.empty() && revisions.empty() && attachments.empty(); }
  };
  Result<SegmentEntry> WriteSegment(const HashRange& range, Contents contents);
  void RollBackRun();

  const StoreFiles& files_;
  const uint64_t spill_events_;
  int64_t stored_ns_ = 0;

  SymbolTable names_;  // the texts of everything since the last Clear; codes index it
  SymbolScopes scopes_;
  SegmentRows rows_;
  NotedRuns noted_;  // all runs since the last Clear
  std::vector<BugRevision> revisions_;
  std::unordered_map<RunId, Hash128, RunIdHash> contents_;  // by id, to tell a repetition from a conflict
  std::vector<PendingAttachment> attachments_;
  std::set<AttachmentHeader> attached_;
  std::map<std::string, std::shared_ptr<const std::string>> attached_bytes_;  // by digest
  uint64_t attachment_bytes_ = 0;
  uint64_t events_ = 0, traces_ = 0;

  // The run that is arriving.
  const SymbolTable* source_ = nullptr;
  uint64_t source_uid_ = 0;
  std::vector<Placed> placed_;      // by their symbol
  std::vector<uint32_t> programs_;  // likewise: the program that its attributes name, kUnknownProgram before a look
  uint32_t program_ = 0;            // that the run is of (symbol_scopes.h)
  bool program_known_ = false;
  ContentHasher hasher_;
  PendingRun current_;
  size_t traces_begin_ = 0;
  uint64_t codes_begin_ = 0, depths_begin_ = 0, outcomes_begin_ = 0, values_begin_ = 0, scopes_begin_ = 0;
  uint64_t trace_events_ = 0;
  uint32_t chunk_ = 0;

  // While there are spilled files: until they are published a collection must not run.
  std::unique_ptr<FileLock> writer_lock_;
  std::unique_ptr<Spill> spill_;  // while a large run arrives
  struct Spilled {
    PendingRun run;
    SegmentEntry entry;
    std::string bug;  // that the files have
  };
  std::vector<Spilled> spilled_;
};

// Removes the files of segments, whatever of them is there.
void RemoveSegmentFiles(const StoreFiles& files, const std::vector<SegmentEntry>& segments);

}  // namespace oscope
