// Parses the settings with little more than string comparison, since the C++ library inside Pin is a small part of the
// usual one. A line that is not understood is an error: a recorder that ignored a setting would record something else
// than was asked.
#include "tracer/pin/settings.h"

#include "tracer/raw/raw_format.h"

namespace oscope::pin {
namespace {

using Words = std::vector<std::string>;

Words Split(const std::string& text, char separator) {
  Words words(1);
  for (const char c : text) {
    if (c == separator) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

bool ParseInteger(const std::string& text, int64_t low, int64_t high, int64_t* number) {
  constexpr size_t kMostDigits = 18;
  const size_t begin = !text.empty() && text[0] == '-' ? 1 : 0;
  if (text.size() == begin || text.size() > begin + kMostDigits) return false;
  int64_t value = 0;
  for (size_t i = begin; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') return false;
    value = value * 10 + (text[i] - '0');
  }
  if (begin == 1) value = -value;
  *number = value;
  return low <= value && value <= high;
}

template <typename Number>
bool ParseNumber(const std::string& text, int64_t low, int64_t high, Number* number) {
  int64_t value = 0;
  if (!ParseInteger(text, low, high, &value)) return false;
  *number = static_cast<Number>(value);
  return true;
}

bool ParseGranularity(const std::string& word, Granularity* granularity) {
  const char* const names[] = {"off", "method", "statement", "block", "instruction"};
  for (uint32_t i = 0; i < 5; ++i) {
    if (word != names[i]) continue;
    *granularity = static_cast<Granularity>(i);
    return true;
  }
  return false;
}

bool ParseRule(const Words& words, bool keep, Settings* settings) {
  if (words.size() != 3 || (words[1] != "object" && words[1] != "name")) return false;
  KeepRule rule;
  rule.keep = keep;
  rule.by_object = words[1] == "object";
  rule.glob = words[2];
  settings->rules.push_back(rule);
  return true;
}

bool ParseCaptures(const std::string& text, std::vector<Capture>* captures) {
  if (text == "-") return true;
  for (const std::string& word : Split(text, ',')) {
    Capture capture;
    if (word.empty() || (word[0] != 's' && word[0] != 'S' && word[0] != 'i')) return false;
    capture.kind = word[0];
    if (!ParseNumber(word.substr(1), 0, kArguments - 1, &capture.argument)) return false;
    captures->push_back(capture);
  }
  return true;
}

bool ParseMark(const Words& words, Settings* settings) {
  if (words.size() != 7) return false;
  MarkRule mark;
  mark.always = words[2] == "-";
  if (!ParseNumber(words[1], 0, INT32_MAX, &mark.index)) return false;
  if (!mark.always && !ParseNumber(words[2], 0, kArguments - 1, &mark.argument)) return false;
  if (!ParseNumber(words[3], INT32_MIN, INT32_MAX, &mark.low)) return false;
  if (!ParseNumber(words[4], INT32_MIN, INT32_MAX, &mark.high)) return false;
  if (!ParseCaptures(words[5], &mark.captures)) return false;
  mark.glob = words[6];
  settings->marks.push_back(mark);
  return true;
}

// FILE:N
bool ParsePlace(const std::string& text, ChopPoint* chop) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return false;
  chop->place = text.substr(0, colon);
  return ParseNumber(text.substr(colon + 1), 1, INT32_MAX, &chop->line);
}

bool ParseChop(const Words& words, Settings* settings) {
  if (words.size() < 4) return false;
  ChopPoint chop;
  if (words[1] == "within") {
    if (words.size() != 5 || words[3] != "name" || !ParseGranularity(words[2], &chop.granularity)) return false;
    chop.kind = ChopPoint::Kind::kWithin;
    chop.place = words[4];
  } else {
    if (words.size() != 4 || (words[1] != "start" && words[1] != "stop")) return false;
    chop.kind = words[1] == "start" ? ChopPoint::Kind::kStart : ChopPoint::Kind::kStop;
    chop.by_line = words[2] == "line";
    if (!chop.by_line && words[2] != "name") return false;
    chop.place = words[3];
    if (chop.by_line && !ParsePlace(words[3], &chop)) return false;
  }
  settings->chops.push_back(chop);
  return true;
}

bool ParseLine(const Words& words, Settings* settings) {
  const std::string& what = words[0];
  if (what == "leave-out") return ParseRule(words, false, settings);
  if (what == "keep") return ParseRule(words, true, settings);
  if (what == "mark") return ParseMark(words, settings);
  if (what == "chop") return ParseChop(words, settings);
  if (words.size() != 2) return false;
  const std::string& value = words[1];
  if (what == "version") return value == std::to_string(static_cast<int>(OSC_RAW_VERSION));
  if (what == "granularity") return ParseGranularity(value, &settings->granularity);
  if (what == "ring-chunks") return ParseNumber(value, 1, INT32_MAX, &settings->ring_chunks);
  if (what == "string-limit") return ParseNumber(value, 0, UINT32_MAX, &settings->string_limit);
  if (what == "stdin-limit") return ParseNumber(value, 0, INT64_MAX, &settings->stdin_limit);
  if (what == "values") {
    settings->values.push_back(value);
    return true;
  }
  if (what != "threads" || (value != "all" && value != "main")) return false;
  settings->main_thread_only = value == "main";
  return true;
}

}  // namespace

bool Settings::Chops(ChopPoint::Kind kind) const {
  for (const ChopPoint& chop : chops) {
    if (chop.kind == kind) return true;
  }
  return false;
}

bool ParseSettings(const std::string& text, Settings* settings, std::string* error) {
  *settings = Settings();
  const Words lines = Split(text, '\n');
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].empty()) continue;
    if (ParseLine(Split(lines[i], '\t'), settings)) continue;
    *error = "settings, line " + std::to_string(i + 1) + ": not understood: " + lines[i];
    return false;
  }
  if (settings->string_limit > kMaxStringLimit) settings->string_limit = kMaxStringLimit;
  return true;
}

}  // namespace oscope::pin
