// Reads any bytes as an .osct file, and as the records of one whose outside is sound, so that the fuzzer gets past the checksums.
// What recovery delivers must be fit to be written again.
#include <cstddef>
#include <cstdint>

#include "tracer/format/osct_reader.h"
#include "tracer/format/osct_writer.h"

namespace oscope {
namespace {

constexpr uint64_t kSymbolBytes = 64 << 20;

void ReadBothWays(std::string_view file) {
  RunCollector collector;
  (void)ReadOsct(*MemorySource(file), collector, {.recover = false, .max_symbol_bytes = kSymbolBytes});

  OsctWriter writer([](std::string_view) -> Status { return {}; }, {.compress = false, .level = 1});
  Result<OsctReadReport> report =
      ReadOsct(*MemorySource(file), writer, {.recover = true, .max_symbol_bytes = kSymbolBytes});
  if (!report.ok()) {
    // The file's header alone may be refused here.
    OSCOPE_CHECK(report.error().code == ErrorCode::kInvalid || report.error().code == ErrorCode::kUnsupported);
    return;
  }
  OSCOPE_CHECK(writer.Finish().ok());
  OSCOPE_CHECK(writer.totals() == report->delivered);
}

std::string Wrap(std::string_view records) {
  std::string file;
  osct::BlockWriter blocks([&](std::string_view more) -> Status { return file += more, Status(); }, false, 1);
  OSCOPE_CHECK(blocks.WriteFileHeader().ok());
  OSCOPE_CHECK(blocks.Write(osct::BlockKind::kRecords, records).ok());
  return file;
}

}  // namespace
}  // namespace oscope

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  oscope::ReadBothWays(bytes);
  constexpr size_t kOutside = oscope::osct::kFileHeaderBytes + oscope::osct::kBlockHeaderBytes;
  if (!bytes.empty()) oscope::ReadBothWays(oscope::Wrap(bytes));
  // A seed's records, without its outside.
  if (size > kOutside) oscope::ReadBothWays(oscope::Wrap(bytes.substr(kOutside)));
  return 0;
}
