// Parses and checks what a user may say about recording, and writes it in the form that the recorders read. The text is
// simple, one setting on each line and tabs in between, because it is parsed again inside the traced program, where
// hardly any library can be used. That is why tabs and line breaks in names are refused.
#include "tracer/record/trace_settings.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "tracer/raw/raw_format.h"
#include "tracer/record/default_rules.h"

namespace oscope {
namespace {

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The first word, taken off `text`.
std::string_view TakeWord(std::string_view& text) {
  text = Trimmed(text);
  const size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text = Trimmed(text.substr(end));
  return word;
}

bool IsFileAndLine(std::string_view place) {
  const size_t colon = place.rfind(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == place.size()) return false;
  uint32_t line = 0;
  const char* end = place.data() + place.size();
  const auto [stop, error] = std::from_chars(place.data() + colon + 1, end, line);
  return error == std::errc() && stop == end && line > 0;
}

bool IsRecordable(Granularity granularity) {
  return granularity != Granularity::kClass && granularity != Granularity::kPackage;
}

Status CheckPlain(std::string_view what, std::string_view text) {
  if (text.empty()) return Invalid("{}: a name or a glob is needed", what);
  if (text.find_first_of("\t\n\r") != std::string_view::npos || text.find('\0') != std::string_view::npos)
    return Invalid("{} '{}': tabs and line breaks cannot be in a name", what, text);
  return {};
}

std::string_view ChopVerb(ChopPoint::Kind kind) { return kind == ChopPoint::Kind::kStart ? "start" : "stop"; }

void RenderRule(const KeepRule& rule, std::string& text) {
  text += fmt::format("{}\t{}\t{}\n", rule.keep ? "keep" : "leave-out",
                      rule.what == KeepRule::What::kObject ? "object" : "name", rule.glob);
}

void RenderChop(const ChopPoint& chop, std::string& text) {
  if (chop.kind == ChopPoint::Kind::kWithin) {
    text += fmt::format("chop\twithin\t{}\tname\t{}\n", GranularityName(chop.granularity), chop.place);
  } else {
    text += fmt::format("chop\t{}\t{}\t{}\n", ChopVerb(chop.kind), chop.is_line ? "line" : "name", chop.place);
  }
}

uint64_t ChunksFor(uint64_t events) {
  // The largest common record, an entry, has eight bytes. One chunk more, since the oldest is given up as a whole.
  const uint64_t bytes = events * 8;
  const uint64_t usable = OSC_RAW_CHUNK_BYTES - OSC_RAW_CHUNK_HEADER_BYTES;
  return std::max<uint64_t>(2, (bytes + usable - 1) / usable + 1);
}

}  // namespace

Result<ChopPoint> ParseChopPoint(std::string_view text) {
  const auto wrong = [&](std::string_view why) {
    return Invalid(
        "chop point '{}': {}; expected 'start NAME', 'stop NAME', 'start @ FILE:LINE', 'stop @ FILE:LINE' or "
        "'statement within NAME'",
        text, why);
  };
  std::string_view rest = text;
  const std::string_view verb = TakeWord(rest);
  ChopPoint chop;
  if (verb == "start" || verb == "stop") {
    chop.kind = verb == "start" ? ChopPoint::Kind::kStart : ChopPoint::Kind::kStop;
    if (rest.starts_with('@')) {
      chop.is_line = true;
      rest = Trimmed(rest.substr(1));
      if (!IsFileAndLine(rest)) return wrong("no FILE:LINE after @");
    }
  } else {
    const Result<Granularity> granularity = ParseGranularity(verb);
    if (!granularity.ok() || !IsRecordable(*granularity)) return wrong(fmt::format("'{}' is not known", verb));
    if (TakeWord(rest) != "within") return wrong("'within' is missing");
    chop.kind = ChopPoint::Kind::kWithin;
    chop.granularity = *granularity;
  }
  if (rest.empty()) return wrong("no place");
  chop.place = rest;
  OSCOPE_RETURN_IF_ERROR(CheckPlain("chop point", chop.place));
  return chop;
}

Status Validate(const TraceSettings& settings) {
  if (!IsRecordable(settings.granularity)) {
    return Invalid(
        "granularity {}: only methods, statements, blocks and instructions can be recorded; queries can make methods "
        "coarser",
        GranularityName(settings.granularity));
  }
  if (settings.event_limit == 0) return Invalid("a limit of 0 events leaves nothing to record");
  if (settings.process_limit == 0) return Invalid("a limit of 0 processes leaves nothing to record");
  if (ChunksFor(settings.event_limit) > UINT32_MAX)
    return Limit("a limit of {} events: too large", settings.event_limit);
  for (const KeepRule& rule : settings.rules) OSCOPE_RETURN_IF_ERROR(CheckPlain("what to record", rule.glob));
  for (const std::string& glob : settings.values) OSCOPE_RETURN_IF_ERROR(CheckPlain("values", glob));
  return {};
}

std::string RenderSettings(const TraceSettings& settings) {
  std::string text = "version\t1\n";
  text += fmt::format("granularity\t{}\n", GranularityName(settings.granularity));
  text += fmt::format("threads\t{}\n", settings.main_thread_only ? "main" : "all");
  text += fmt::format("ring-chunks\t{}\n", ChunksFor(settings.event_limit));
  text += fmt::format("string-limit\t{}\n", settings.string_limit);
  text += fmt::format("stdin-limit\t{}\n", settings.stdin_limit);
  for (const KeepRule& rule : EffectiveRules(settings)) RenderRule(rule, text);
  for (const std::string& glob : settings.values) text += fmt::format("values\t{}\n", glob);
  const std::span<const MarkRule> marks = MarkRules();
  for (size_t i = 0; i < marks.size(); ++i) {
    const MarkRule& mark = marks[i];
    const std::string argument = mark.argument < 0 ? "-" : std::to_string(mark.argument);
    text +=
        fmt::format("mark\t{}\t{}\t{}\t{}\t{}\t{}\n", i, argument, mark.low, mark.high, mark.captures, mark.function);
  }
  for (const ChopPoint& chop : settings.chops) RenderChop(chop, text);
  return text;
}

}  // namespace oscope
