// Text as the Parquet tables hold it: always valid UTF-8, so that any tool reads it, and no byte of ours lost.
//
// A byte that is not part of valid UTF-8 is stored as the character U+10FF00 + byte (private use). A character of that
// very range is stored byte by byte in the same way, so the mapping can be undone. Ordinary text is stored as it is.
// Example: the bytes "a\xff" are stored as "a\xf4\x8f\xbf\xbf".
#pragma once

#include <string>
#include <string_view>

namespace oscope {

// True when `text` is its own stored form: the common case, which need not be copied.
bool IsPlainText(std::string_view text);
std::string ToStoredText(std::string_view text);
std::string FromStoredText(std::string_view stored);

}  // namespace oscope
