// Takes a frame apart from its end: build id, object with offset, then source location. What is left is the function,
// which may contain any of these characters itself.
#include "tracer/import/sanitizer_frame.h"

#include "tracer/import/text_lines.h"

namespace oscope {
namespace {

constexpr size_t kNone = std::string_view::npos;

// Removes " (inside)" from the end when the inside is accepted.
template <typename Accept>
void TakeLastGroup(std::string_view& text, Accept accept) {
  if (!text.ends_with(')')) return;
  const size_t open = text.rfind('(');
  if (open == kNone || (open > 0 && text[open - 1] != ' ')) return;
  if (!accept(text.substr(open + 1, text.size() - open - 2))) return;
  text = Trim(text.substr(0, open));
}

bool TakeBuildId(std::string_view inside, SymbolAttributes& attributes) {
  if (!Consume(inside, "BuildId: ")) return false;
  attributes.build_id = inside;
  return true;
}

bool TakeObject(std::string_view inside, SymbolAttributes& attributes) {
  const size_t plus = inside.rfind("+0x");
  if (plus == kNone || plus == 0) return false;
  std::string_view offset = inside.substr(plus + 1);
  const auto value = ConsumeHex(offset);
  if (!value || !offset.empty()) return false;
  attributes.object = inside.substr(0, plus);
  attributes.address = *value;  // the offset in the object outlives the process
  return true;
}

bool LooksLikeLocation(std::string_view word) {
  if (word.starts_with('/') || word.starts_with("./") || word.starts_with("../")) return true;
  const size_t colon = word.rfind(':');
  if (colon == kNone || colon == 0) return false;
  return word == "??:0" || (ParseNumber(word.substr(colon + 1)) && word[colon - 1] != ':');
}

// Where the location begins: at the first " /" outside brackets, for a path may hold spaces, else
// at the last word.
size_t FindLocation(std::string_view text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '(' || c == '<') ++depth;
    if (c == ')' || c == '>') --depth;
    if (depth <= 0 && c == ' ' && text.substr(i + 1, 1) == "/") return i + 1;
  }
  const size_t last = text.rfind(' ') + 1;
  return LooksLikeLocation(text.substr(last)) ? last : kNone;
}

// The sanitizers put a function of their own in front of the C library's.
std::string_view WithoutInterceptor(std::string_view name) {
  for (const std::string_view prefix : {"___interceptor_", "__interceptor_"}) {
    if (Consume(name, prefix)) break;
  }
  return name;
}

}  // namespace

std::optional<StackFrame> ParseSanitizerFrame(std::string_view text) {
  StackFrame frame;
  text = Trim(text);
  if (const auto address = ConsumeHex(text)) {
    frame.attributes.address = *address;
    text = Trim(text);
    if (text.empty()) return frame;
    if (text.starts_with("in "))
      text.remove_prefix(3);
    else if (!text.starts_with('('))
      return std::nullopt;
  }
  TakeLastGroup(text, [&](std::string_view inside) { return TakeBuildId(inside, frame.attributes); });
  TakeLastGroup(text, [&](std::string_view inside) { return TakeObject(inside, frame.attributes); });
  if (text.ends_with(" <null>")) {
    text.remove_suffix(7);
  } else if (const size_t location = FindLocation(text); location != kNone) {
    const std::string_view place = text.substr(location);
    if (!place.starts_with("??:")) ParseLocation(place, frame.attributes);
    text = Trim(text.substr(0, location));
  }
  text = Trim(text);
  if (text != "<null>") frame.name = WithoutInterceptor(text);
  const bool has_signature = frame.name.ends_with(')') || frame.name.ends_with(") const");
  if (has_signature && !frame.name.ends_with("operator()")) frame.attributes.signature = frame.name;
  if (frame.name.empty() && frame.attributes.empty()) return std::nullopt;
  return frame;
}

}  // namespace oscope
