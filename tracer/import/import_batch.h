// ImportBatch: what one text holds, collected before any of it is sent on.
//
// Each run has symbols of its own, so that two builds in one text keep their own lines and
// addresses.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tracer/import/importer.h"

namespace oscope {

// A frame as a text shows it. Without a name it is known by its place: "[libc.so.6]" after its
// object, "[a.c]" after its file, else
// "[unknown]" (the convention of perf's collapsed stacks).
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

  // A run with its id and recorder set; the reference stays good.
  ImportedRun& AddRun();
  void AddBug(Bug bug) { bugs_.push_back(std::move(bug)); }
  // `owner` is the run that it belongs to, where its header does not say whose it is.
  void AddAttachment(uint64_t line, Attachment attachment, const ImportedRun* owner) {
    attachments_.push_back({line, std::move(attachment), owner});
  }

  // Adds a stack that is given innermost frame first, as most texts do. The trace reference is good
  // until the next one is added.
  Trace& AddStack(ImportedRun& to, uint32_t thread, std::span<const StackFrame> innermost_first);

  // Marks the end of the trace as the failure, of this kind, and its thread as the failing one.
  static void MarkFailure(ImportedRun& run, Trace& trace, FailureKind kind, std::string reason);

  // The symbol of an event found at `line`; kLimit sticks when it is too long.
  SymbolId Intern(ImportedRun& run, uint64_t line, std::string_view event, const SymbolAttributes& attributes = {});

  void AddProblem(uint64_t line, std::string message);
  void AddLimit(uint64_t line,
                std::string message);  // a problem that makes the import fail with kLimit

  std::deque<ImportedRun>& runs() { return runs_; }
  const std::vector<Bug>& bugs() const { return bugs_; }

  // Fills in the options, then of each failing run the place and the fingerprint of its failure, as far as its traces
  // tell them and the format or the user says that it is one.
  void FillFailures(Importer::Failures failures);
  // Tells whether all of it may be sent.
  Status Finish(std::string_view expected, std::vector<ImportProblem>& problems);
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
