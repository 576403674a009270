#include "quill/text/utf8.h"

namespace quill::text {
namespace {

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

size_t LengthFromLead(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

size_t CodePointWidth(uint32_t code_point) {
  if (code_point >= 0x0300 && code_point <= 0x036F) return 0;
  const bool wide = (code_point >= 0x1100 && code_point <= 0x115F) ||
                    (code_point >= 0x2E80 && code_point <= 0xA4CF) ||
                    (code_point >= 0xAC00 && code_point <= 0xD7A3) ||
                    (code_point >= 0xFF00 && code_point <= 0xFF60) ||
                    (code_point >= 0x1F300 && code_point <= 0x1F64F);
  return wide ? 2 : 1;
}

}  // namespace

void AppendUtf8(std::string& out, uint32_t code_point) {
  const auto append = [&out](uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) {
    append(code_point);
  } else if (code_point < 0x800) {
    append(0xC0 | (code_point >> 6));
    append(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    append(0xE0 | (code_point >> 12));
    append(0x80 | ((code_point >> 6) & 0x3F));
    append(0x80 | (code_point & 0x3F));
  } else {
    append(0xF0 | (code_point >> 18));
    append(0x80 | ((code_point >> 12) & 0x3F));
    append(0x80 | ((code_point >> 6) & 0x3F));
    append(0x80 | (code_point & 0x3F));
  }
}

uint32_t TakeUtf8(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const size_t length = LengthFromLead(lead);
  bool whole = length > 0 && length <= text.size();
  for (size_t i = 1; whole && i < length; ++i) whole = IsContinuation(text[i]);
  if (!whole) {
    text.remove_prefix(1);
    return kReplacement;
  }
  uint32_t code_point = length == 1 ? lead : lead & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    code_point = (code_point << 6) | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  }
  text.remove_prefix(length);
  return code_point;
}

size_t DisplayWidth(std::string_view text) {
  size_t width = 0;
  while (!text.empty()) width += CodePointWidth(TakeUtf8(text));
  return width;
}

}  // namespace quill::text
