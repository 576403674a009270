// Base64 of RFC 4648: the standard alphabet, padded, no line breaks.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace oscope {

std::string EncodeBase64(std::string_view bytes);

// kInvalid unless `text` is just what EncodeBase64 writes.
Result<std::string> DecodeBase64(std::string_view text);

}  // namespace oscope
