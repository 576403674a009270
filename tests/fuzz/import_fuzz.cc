// Reads any bytes with the importer that OSCOPE_IMPORTER names. What it takes must be fit to be written and read as
// JSON lines, and must then say the same; what it refuses must not reach the sink.
#include "base/checksum.h"
#include "tests/fuzz/fuzz_target.h"
#include "tracer/import/importer.h"
#include "tracer/import/json_lines_writer.h"

namespace oscope {
namespace {

Status ImportAsLines(std::string_view importer, std::string_view bytes, std::vector<ImportProblem>& problems,
                     std::string& lines) {
  JsonLinesWriter writer([&](std::string_view line) -> Status { return lines += line, Status(); });
  return FindImporter(importer)->Import(bytes, {.project = "P"}, writer, problems);
}

}  // namespace

std::string DescribeInput(std::string_view bytes) {
  const Importer* detected = DetectImporter(bytes, "");
  const std::string known = fmt::format("looks like {}; ", detected == nullptr ? "nothing" : detected->name());
  std::string lines;
  std::vector<ImportProblem> problems;
  const Status status = ImportAsLines(OSCOPE_IMPORTER, bytes, problems, lines);
  OSCOPE_CHECK(status.ok() == !lines.empty());
  OSCOPE_CHECK(!status.ok() || problems.empty());
  if (!status.ok()) return known + DescribeError(status.error());

  std::string again;
  OSCOPE_CHECK(ImportAsLines("jsonl", lines, problems, again).ok());
  OSCOPE_CHECK(again == lines);
  RunCollector collected;
  OSCOPE_CHECK(FindImporter("jsonl")->Import(lines, {}, collected, problems).ok());
  size_t traces = 0, events = 0;
  for (const Run& run : collected.runs) {
    traces += run.traces.size();
    for (const Trace& trace : run.traces) events += trace.events.size();
  }
  return known + fmt::format("{} bugs, {} runs, {} traces, {} events, {} names, {:08x}", collected.bugs.size(),
                             collected.runs.size(), traces, events, collected.symbols.size(),
                             static_cast<uint32_t>(Xxh3(lines)));
}

}  // namespace oscope
