// Reads any bytes as an .osct file, and as the records of one whose outside is sound, so that the fuzzer gets past the
// checksums. What recovery delivers must be fit to be written again.
#include "tests/fuzz/fuzz_target.h"
#include "tracer/format/osct_reader.h"
#include "tracer/format/osct_writer.h"

namespace oscope {
namespace {

constexpr uint64_t kSymbolBytes = 64 << 20;

std::string CountsOf(const osct::Totals& totals) {
  return fmt::format("{} bugs, {} runs, {} traces, {} events", totals.bugs, totals.runs, totals.traces, totals.events);
}

std::string ReadWhole(std::string_view file) {
  RunCollector collector;
  const Result<OsctReadReport> report =
      ReadOsct(*MemorySource(file), collector, {.recover = false, .max_symbol_bytes = kSymbolBytes});
  if (!report.ok()) return DescribeError(report.error());
  OSCOPE_CHECK(report->whole && report->lost.empty());
  OSCOPE_CHECK(report->delivered.runs == collector.runs.size() && report->delivered.bugs == collector.bugs.size());
  return CountsOf(report->delivered);
}

std::string Recover(std::string_view file) {
  std::string written;
  OsctWriter writer([&](std::string_view more) -> Status { return written += more, Status(); },
                    {.compress = false, .level = 1});
  const Result<OsctReadReport> report =
      ReadOsct(*MemorySource(file), writer, {.recover = true, .max_symbol_bytes = kSymbolBytes});
  if (!report.ok()) {
    // The file's header alone may be refused here.
    OSCOPE_CHECK(report.error().code == ErrorCode::kInvalid || report.error().code == ErrorCode::kUnsupported);
    return DescribeError(report.error());
  }
  OSCOPE_CHECK(writer.Finish().ok());
  OSCOPE_CHECK(writer.totals() == report->delivered);
  OSCOPE_CHECK(report->whole == report->lost.empty());
  OSCOPE_CHECK(ReadWhole(written) == CountsOf(report->delivered));
  return CountsOf(report->delivered) + (report->whole ? "" : " (" + report->lost + ")");
}

std::string ReadBothWays(std::string_view file) {
  return fmt::format("{}; recovered {}", ReadWhole(file), Recover(file));
}

std::string Wrap(std::string_view records) {
  std::string file;
  osct::BlockWriter blocks([&](std::string_view more) -> Status { return file += more, Status(); }, false, 1);
  OSCOPE_CHECK(blocks.WriteFileHeader().ok());
  OSCOPE_CHECK(blocks.Write(osct::BlockKind::kRecords, records).ok());
  return file;
}

}  // namespace

std::string DescribeInput(std::string_view bytes) {
  constexpr size_t kOutside = osct::kFileHeaderBytes + osct::kBlockHeaderBytes;
  std::string description = ReadBothWays(bytes);
  if (!bytes.empty()) description += " | as records " + ReadBothWays(Wrap(bytes));
  // A seed's records, without its outside.
  if (bytes.size() > kOutside) description += " | its records " + ReadBothWays(Wrap(bytes.substr(kOutside)));
  return description;
}

}  // namespace oscope
