// Escapes texts so that each fits on a line, writes pairs and reads answers.
#include "query/distance/user/metric_protocol.h"

#include <charconv>

#include "base/escape.h"

namespace oscope {
namespace {

constexpr size_t kShownBytes = 60;

void AppendNumber(uint64_t number, std::string& out) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
  out.append(digits, end);
}

}  // namespace

void AppendMetricText(std::string_view text, std::string& line) {
  for (const char c : text) {
    switch (c) {
      case '\\': line += "\\\\"; break;
      case '\n': line += "\\n"; break;
      case '\r': line += "\\r"; break;
      case '\0': line += "\\0"; break;
      default: line += c;
    }
  }
}

std::string ReadMetricText(std::string_view escaped) {
  std::string out;
  for (size_t i = 0; i < escaped.size(); ++i) {
    if (escaped[i] != '\\' || i + 1 == escaped.size()) {
      out += escaped[i];
      continue;
    }
    const char c = escaped[++i];
    out += c == 'n' ? '\n' : c == 'r' ? '\r' : c == '0' ? '\0' : c;
  }
  return out;
}

void AppendPair(Sequence a, Sequence b, std::string& lines) {
  lines += "pair ";
  AppendNumber(a.size(), lines);
  lines += ' ';
  AppendNumber(b.size(), lines);
  for (const Sequence sequence : {a, b}) {
    for (const uint32_t id : sequence) {
      lines += ' ';
      AppendNumber(id, lines);
    }
  }
  lines += '\n';
}

Result<uint64_t> ParseMetricAnswer(std::string_view line) {
  uint64_t distance = 0;
  const char* end = line.data() + line.size();
  const auto [stopped, reason] = std::from_chars(line.data(), end, distance);
  const bool number = reason == std::errc() && stopped == end && line.front() >= '0' && line.front() <= '9';
  if (!number || distance > INT64_MAX) {
    return Invalid("answered '{}': a distance is a number from 0 to 2^63 - 1",
                   EscapeForTerminal(line.substr(0, kShownBytes)));
  }
  return distance;
}

}  // namespace oscope
