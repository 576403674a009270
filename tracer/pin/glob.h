// Globs of the settings: * is any text, ? any one byte; matched against the whole text.
#pragma once

#include <string>

namespace oscope::pin {

bool GlobFits(const std::string& glob, const std::string& text);

// Whether `file`, as a user writes it ("parser.c", "src/parser.c"), is the path's end at a '/'.
bool IsPathEnd(const std::string& file, const std::string& path);

}  // namespace oscope::pin
