// Streams the events of each thread and writes the table of frames at the end, when all frames are known; the format
// allows that order.
#include "tracer/export/speedscope_writer.h"

#include <iterator>

#include "tracer/export/quoted_names.h"

namespace oscope {
namespace {

constexpr std::string_view kBeginning =
    R"({"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"oscope","profiles":[)";

}  // namespace

size_t SpeedscopeWriter::FrameOf(SymbolId symbol) {
  const auto [place, is_new] = frames_.try_emplace(symbols().name(symbol), frame_records_.size());
  if (is_new) {
    const SymbolAttributes& attributes = symbols().attributes(symbol);
    std::string record = "{\"name\":" + QuoteJson(place->first);
    if (!attributes.file.empty()) record += ",\"file\":" + QuoteJson(attributes.file);
    if (attributes.line != 0) record += fmt::format(",\"line\":{}", attributes.line);
    frame_records_.push_back(record + "}");
  }
  return place->second;
}

Status SpeedscopeWriter::BeginThread(const TraceHeader& trace) {
  // The frames come last, when all are known.
  output_.text() += profiles_++ == 0 ? kBeginning : ",";
  fmt::format_to(std::back_inserter(output_.text()),
                 R"(
{{"type":"evented","name":{},"unit":"none","startValue":0,"events":[)",
                 QuoteJson(RunLabel(run()) + " " + ThreadLabel(trace)));
  first_event_ = true;
  return {};
}

Status SpeedscopeWriter::WriteEvent(char type, SymbolId symbol, uint64_t at) {
  fmt::format_to(std::back_inserter(output_.text()), R"({}{{"type":"{}","frame":{},"at":{}}})",
                 first_event_ ? "\n" : ",\n", type, FrameOf(symbol), at);
  first_event_ = false;
  return output_.FlushIfLarge();
}

Status SpeedscopeWriter::Enter(SymbolId symbol, uint64_t at) { return WriteEvent('O', symbol, at); }

Status SpeedscopeWriter::Leave(SymbolId symbol, uint64_t at) { return WriteEvent('C', symbol, at); }

Status SpeedscopeWriter::EndThread(uint64_t at) {
  fmt::format_to(std::back_inserter(output_.text()), "],\n\"endValue\":{}}}", at);
  return {};
}

Status SpeedscopeWriter::Finish() {
  if (profiles_ == 0) output_.text() += kBeginning;
  output_.text() += "],\n\"shared\":{\"frames\":[";
  for (size_t i = 0; i < frame_records_.size(); ++i) {
    output_.text().append(i == 0 ? "\n" : ",\n").append(frame_records_[i]);
    OSCOPE_RETURN_IF_ERROR(output_.FlushIfLarge());
  }
  output_.text() += "]}}\n";
  return output_.Flush();
}

}  // namespace oscope
