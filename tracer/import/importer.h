// Importer: turns a text that another tool wrote into bugs and runs.
//
// Whole:    an importer reads all of the text first, and sends runs to the sink only if it found no problem.
// Bytes:    names are kept as they are (invalid UTF-8, NUL, ESC). To escape them is the task of whoever shows them.
// Identity: the n-th run of a text gets ImportedRunId(bytes, n), so that a text which is imported twice is the same
// runs.
// Stacks:   TraceKind::kStack, the outermost frame first, the failing thread marked at its end. Frames are normalised
//           methods.
// Threads:  importers have no state; Import may be called from any thread, also at the same time.
//
// Example:
//   const Importer* importer = DetectImporter(bytes, "crash.log");
//   std::vector<ImportProblem> problems;
//   Status status = importer->Import(bytes, {.project = "Beanutils"}, sink, problems);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tracer/model/run_sink.h"

namespace oscope {

class ImportBatch;

// What holds for every run of a text. All members but `outcome` are used only where the text says nothing.
struct ImportOptions {
  std::string project{};  // the {} let callers name only what they set
  std::string bug{};
  std::string test{};
  std::string version{};
  std::string language{};
  std::optional<Outcome> outcome{};  // replaces the text's; a passing run loses its failure marks
};

struct ImportProblem {
  uint64_t line = 0;  // from 1; 0: the text as a whole
  std::string message;
};

inline constexpr size_t kMaxImportProblems = 100;

class Importer {
 public:
  virtual ~Importer() = default;
  virtual std::string_view name() const = 0;         // "gdb": what --format takes and `recorder` says
  virtual std::string_view description() const = 0;  // one line for people
  virtual std::string_view expected() const = 0;     // what a text must hold, for the error when it does not

  // Where the failure of an imported run comes from.
  enum class Failures : uint8_t {
    kTold,     // the format is a report of failures: the place and the fingerprint are made of the stack
    kIfAsked,  // a recording or a profile: made of the trace only if the user says (--outcome) that the run failed
    kCarried,  // the format has fields for the failure, which are taken as they are
  };
  virtual Failures failures() const { return Failures::kIfAsked; }

  // Returns how likely a text with these first bytes is in this format: from 0, not at all, to 100, certainly.
  virtual int Sniff(std::string_view head) const = 0;

  // Sends the bugs and runs of the text to the sink. Fails with kInvalid when the text has problems, contains no trace,
  // or has a field that is not valid; with kLimit when a line, a name or a depth is too large; and with the sink's
  // error. The first kMaxImportProblems problems are put into `problems`, followed by one that counts the others. All
  // errors but the sink's are found before anything is sent.
  Status Import(std::string_view bytes, const ImportOptions& options, RunSink& sink,
                std::vector<ImportProblem>& problems) const;

 protected:
  // Puts the content of the text, and every problem that it finds, into the batch.
  virtual void Parse(std::string_view bytes, ImportBatch& batch) const = 0;
};

// Of two importers that are equally sure of a text, the first in this list gets it.
std::span<const Importer* const> AllImporters();

// Returns the importer of this name; nullptr when there is none.
const Importer* FindImporter(std::string_view name);

// Returns the importer that is surest of the text. When the content tells nothing, the file's extension decides.
// Returns nullptr when neither is known.
const Importer* DetectImporter(std::string_view bytes, std::string_view filename);

}  // namespace oscope
