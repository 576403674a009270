// UTF-8, one code point at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace quill::text {

constexpr uint32_t kReplacement = 0xFFFD;

void AppendUtf8(std::string& out, uint32_t code_point);

// Takes one code point off the front of `text`, which is not empty; kReplacement for a byte that
// begins none.
uint32_t TakeUtf8(std::string_view& text);

// How many columns the text takes on a terminal: one for a code point, none for a combining
// accent, two for what East Asian scripts write wide.
size_t DisplayWidth(std::string_view text);

}  // namespace quill::text
