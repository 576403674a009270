// What the JSON importers and the JSON lines writer share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace oscope {

inline constexpr int kMaxJsonNesting = 64;

// The line of the bracket that nests deeper than kMaxJsonNesting, 0 when none does. Checked before
// a parser sees the text.
uint64_t FindTooDeepNesting(std::string_view json);

// Appends `text` as a JSON string when it is valid UTF-8, else as {"base64": "…"}, so that any
// bytes survive.
void AppendJsonText(std::string& json, std::string_view text);

// The reason in the message of a nlohmann::json exception, bounded.
std::string JsonReason(std::string_view what);

}  // namespace oscope
