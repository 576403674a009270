// Writes one object by appending text. A JSON library's tree would be built only to be printed again.
#include "tracer/import/json_object_writer.h"

#include <algorithm>

#include "base/escape.h"
#include "base/timestamp.h"

namespace oscope {

void ObjectWriter::Time(std::string_view name, const std::optional<int64_t>& time_ns) {
  if (!time_ns) return;
  const std::string text = FormatTimestamp(*time_ns);
  // The outermost years are not readable as text.
  if (auto read = ParseTimestamp(text); !read.ok() || *read != *time_ns) return Number(name, time_ns);
  Text(name, text);
}

void ObjectWriter::Texts(std::string_view name, const std::vector<std::string>& texts) {
  Array(name, texts, [](std::string& json, const std::string& text) { AppendJsonText(json, text); });
}

// JSON's keys must be UTF-8; where one is not, the map is a list of pairs.
void ObjectWriter::Map(std::string_view name, const std::map<std::string, std::string>& map) {
  if (map.empty()) return;
  const bool plain = std::all_of(map.begin(), map.end(), [](const auto& field) { return IsValidUtf8(field.first); });
  std::string json;
  for (const auto& [key, value] : map) {
    if (!json.empty()) json += ',';
    if (!plain) json += "{\"key\":";
    AppendJsonText(json, key);
    json += plain ? ":" : ",\"value\":";
    AppendJsonText(json, value);
    if (!plain) json += '}';
  }
  Raw(name, fmt::format("{}{}{}", plain ? '{' : '[', json, plain ? '}' : ']'));
}

}  // namespace oscope
