// Reads any bytes with the importer that OSCOPE_IMPORTER names. What it takes must be fit to be written and read as JSON lines.
#include <cstddef>
#include <cstdint>

#include "tracer/import/importer.h"
#include "tracer/import/json_lines_writer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace oscope;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::string lines;
  JsonLinesWriter writer([&](std::string_view line) -> Status { return lines += line, Status(); });
  std::vector<ImportProblem> problems;
  (void)DetectImporter(bytes, "");
  const Status status = FindImporter(OSCOPE_IMPORTER)->Import(bytes, {.project = "P"}, writer, problems);
  OSCOPE_CHECK(status.ok() == !lines.empty());
  OSCOPE_CHECK(!status.ok() || problems.empty());
  if (!status.ok()) return 0;

  RunCollector collected;
  OSCOPE_CHECK(FindImporter("jsonl")->Import(lines, {}, collected, problems).ok());
  return 0;
}
