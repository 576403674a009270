// Globs: patterns of names in which * stands for any bytes and ? for one.
#pragma once

#include <string_view>

namespace oscope {

// Whether the glob fits the whole text.
bool GlobFits(std::string_view glob, std::string_view text);

}  // namespace oscope
