// What a command's program is, before it is run: a recorder's own messages about it would be hard to understand.
#pragma once

#include <string>

#include "base/result.h"

namespace oscope {

// The path of the program that `name` means, in `directory` (empty: ours) and with `path` (the PATH variable).
// kNotFound: there is none; kInvalid: it cannot be executed (a directory, no permission, neither a program nor a
// script); kUnsupported: a program for another kind of machine (32 bits, ARM, …), or a script whose interpreter is one.
Result<std::string> FindExecutable(const std::string& name, const std::string& directory, const std::string& path);

}  // namespace oscope
