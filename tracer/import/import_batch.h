// ImportBatch: the content of one text, collected and checked before any of it is sent to a sink.
//
// Each run has symbols of its own, so that two builds in one text keep their own lines and addresses.
// Threads: one at a time. The text and the options are borrowed and must outlive the batch.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tracer/import/importer.h"

namespace oscope {

// A frame as a text shows it. A frame without a name is named by its object ("[libc.so.6]"), else by its file
// ("[a.c]"), else "[unknown]", as in the collapsed stacks of perf.
struct StackFrame {
  std::string name;    // may be mangled, and have a signature
  bool exact = false;  // the name is an identity already
  SymbolAttributes attributes;
  uint64_t line = 0;  // of the imported text
};

// The frame's event text.
std::string FrameEvent(const StackFrame& frame);

struct ImportedRun {
  Run run;
  SymbolTable symbols;
};

class ImportBatch {
 public:
  ImportBatch(std::string_view importer, std::string_view bytes, const ImportOptions& options)
      : importer_(importer), bytes_(bytes), options_(options) {}

  // Adds a run of which the recorder is set; Finish gives it an id. The reference stays valid for as long as the batch.
  ImportedRun& AddRun();
  void AddBug(Bug bug) { bugs_.push_back(std::move(bug)); }
  // `owner` is the run that it belongs to, where its header does not say whose it is.
  void AddAttachment(uint64_t line, Attachment attachment, const ImportedRun* owner) {
    attachments_.push_back({line, std::move(attachment), owner});
  }

  // Adds a stack, given with its innermost frame first, as most texts show it. The reference to the trace is valid
  // until the next trace is added.
  Trace& AddStack(ImportedRun& to, uint32_t thread, std::span<const StackFrame> innermost_first);

  // Marks the end of the trace as the place of the failure, and its thread as the one that failed.
  static void MarkFailure(ImportedRun& run, Trace& trace, FailureKind kind, std::string reason);

  // Returns the symbol of an event that was found at `line`. A name that is too long is a problem that makes Finish
  // fail with kLimit.
  SymbolId Intern(ImportedRun& run, uint64_t line, std::string_view event, const SymbolAttributes& attributes = {});

  // Adds a problem, because of which Finish will fail with kInvalid.
  void AddProblem(uint64_t line, std::string message);
  // Adds a problem because of which Finish will fail with kLimit.
  void AddLimit(uint64_t line, std::string message);

  std::deque<ImportedRun>& runs() { return runs_; }
  const std::vector<Bug>& bugs() const { return bugs_; }

  // Fills in the options; then, for each failing run, the place and the fingerprint of its failure, as `failures` says.
  void FillFailures(Importer::Failures failures);
  // Checks everything that was collected. After success Send may be called. Fails as Importer::Import says; `expected`
  // is what the format looks like, for the message when the text contains nothing.
  Status Finish(std::string_view expected, std::vector<ImportProblem>& problems);
  // Sends bugs, runs and attachments, in this order. Returns the sink's error.
  Status Send(RunSink& sink) const;

 private:
  void ApplyOptions(ImportedRun& imported) const;
  struct ImportedAttachment {
    uint64_t line;  // where it ends
    Attachment attachment;
    const ImportedRun* owner;
  };
  Status FinishAttachments();

  std::string_view importer_;
  std::string_view bytes_;
  const ImportOptions& options_;
  std::vector<Bug> bugs_;
  std::deque<ImportedRun> runs_;
  std::vector<ImportedAttachment> attachments_;
  std::vector<ImportProblem> problems_;
  uint64_t more_problems_ = 0;
  std::string limit_;
};

}  // namespace oscope
