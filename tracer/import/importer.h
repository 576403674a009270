// Importer: turns a text that some other tool wrote into bugs and runs.
//
// Whole or not at all: an importer reads all of the text first and sends runs to the sink only when
// it found no problem. Bytes:    names are kept as they are (invalid UTF-8, NUL, ESC); escaping is
// the display's job. Identity: the n-th run of a text gets ImportedRunId(bytes, n), so the same
// text imported twice is the same runs. Stacks:   TraceKind::kStack, outermost frame first, the
// failing thread marked at its end; frames are normalised methods. Threads:  importers have no
// state; Import may be called from any thread.
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

// What holds for every run of a text. All but `outcome` only fill in what the text does not say.
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

  // Whether its texts tell of failures, and a run of one gets the fingerprint of what it shows. Recordings and profiles
  // do not: of them the user says with `--outcome` that they are of a run which failed. Formats that carry a failure
  // themselves bring the one they have.
  enum class Failures : uint8_t { kTold, kIfAsked, kCarried };
  virtual Failures failures() const { return Failures::kIfAsked; }

  // How sure it is that a text with these first bytes is its own: 0 not at all, 100 certain.
  virtual int Sniff(std::string_view head) const = 0;

  // kInvalid when the text has problems (the first kMaxImportProblems go to `problems`, then one
  // that counts the rest), holds no trace, or a field is not valid; kLimit when a line, a name or a
  // depth is too large; else what the sink answers.
  Status Import(std::string_view bytes, const ImportOptions& options, RunSink& sink,
                std::vector<ImportProblem>& problems) const;

 protected:
  // Puts what the text holds into the batch, and every problem.
  virtual void Parse(std::string_view bytes, ImportBatch& batch) const = 0;
};

// In the order in which equal confidence is decided.
std::span<const Importer* const> AllImporters();

// nullptr when there is none of this name.
const Importer* FindImporter(std::string_view name);

// The importer that is surest, by content first and the file's extension where that says nothing;
// nullptr when none knows the text.
const Importer* DetectImporter(std::string_view bytes, std::string_view filename);

}  // namespace oscope
