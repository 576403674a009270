// The list of importers and the choice among them. Each says how sure it is of the first megabyte; the surest wins,
// and the order of the list decides between equals. Lines are checked for their length before any importer sees them.
#include "tracer/import/importer.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "tracer/import/chrome_trace.h"
#include "tracer/import/collapsed_stacks.h"
#include "tracer/import/gdb.h"
#include "tracer/import/glibc.h"
#include "tracer/import/import_batch.h"
#include "tracer/import/java.h"
#include "tracer/import/json_lines.h"
#include "tracer/import/perf_script.h"
#include "tracer/import/python.h"
#include "tracer/import/sanitizer.h"
#include "tracer/import/thesis_text.h"
#include "tracer/import/uftrace.h"

namespace oscope {
namespace {

// A log's crash may come late in it.
constexpr size_t kSniffBytes = 1 << 20;

std::string_view ImporterOfExtension(std::string_view filename) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kExtensions = {{{".jsonl", "jsonl"},
                                                                                         {".ndjson", "jsonl"},
                                                                                         {".json", "chrome"},
                                                                                         {".folded", "collapsed"},
                                                                                         {".collapsed", "collapsed"}}};
  for (const auto& [extension, name] : kExtensions) {
    if (filename.ends_with(extension)) return name;
  }
  return {};
}

// 0 when every line is short enough, else the number of the first that is not.
uint64_t FirstTooLongLine(std::string_view bytes) {
  uint64_t number = 1;
  while (bytes.size() > limits::kMaxLineBytes) {
    const size_t end = bytes.find('\n');
    if (std::min(end, bytes.size()) > limits::kMaxLineBytes) return number;
    bytes.remove_prefix(end + 1);
    ++number;
  }
  return 0;
}

}  // namespace

Status Importer::Import(std::string_view bytes, const ImportOptions& options, RunSink& sink,
                        std::vector<ImportProblem>& problems) const {
  problems.clear();
  if (const uint64_t line = FirstTooLongLine(bytes); line != 0) {
    return Limit("line {} is longer than {} bytes", line, limits::kMaxLineBytes);
  }
  ImportBatch batch(name(), bytes, options);
  Parse(bytes, batch);
  batch.FillFailures(failures());
  OSCOPE_RETURN_IF_ERROR(batch.Finish(expected(), problems));
  return batch.Send(sink);
}

std::span<const Importer* const> AllImporters() {
  static const std::array<const Importer*, 11> importers = {
      &JsonLinesImporter(),  &ChromeTraceImporter(), &UftraceImporter(),        &SanitizerImporter(),
      &GdbImporter(),        &PythonImporter(),      &JavaImporter(),           &GlibcImporter(),
      &PerfScriptImporter(), &ThesisTextImporter(),  &CollapsedStacksImporter()};
  return importers;
}

const Importer* FindImporter(std::string_view name) {
  for (const Importer* importer : AllImporters()) {
    if (importer->name() == name) return importer;
  }
  return nullptr;
}

const Importer* DetectImporter(std::string_view bytes, std::string_view filename) {
  const std::string_view head = bytes.substr(0, kSniffBytes);
  const Importer* best = nullptr;
  int best_confidence = 0;
  for (const Importer* importer : AllImporters()) {
    const int confidence = importer->Sniff(head);
    if (confidence > best_confidence) {
      best = importer;
      best_confidence = confidence;
    }
  }
  return best != nullptr ? best : FindImporter(ImporterOfExtension(filename));
}

}  // namespace oscope
