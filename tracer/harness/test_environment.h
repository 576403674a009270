// The environment of a test: ours, with what its properties ENVIRONMENT and ENVIRONMENT_MODIFICATION say, in CTest's
// way.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace oscope {

using Environment = std::vector<std::string>;  // "NAME=value"; each name once

Environment OwnEnvironment();  // of this process

std::optional<std::string> GetVariable(const Environment& environment, std::string_view name);
void SetVariable(Environment& environment, std::string_view name, std::string_view value);
void UnsetVariable(Environment& environment, std::string_view name);

// `set` are "NAME=value"; then `modifications`, in order, are "NAME=operation:value" with reset, set, unset,
// string_append, string_prepend, path_list_append, path_list_prepend, cmake_list_append, cmake_list_prepend. kInvalid
// for anything else.
Status ModifyEnvironment(Environment& environment, const std::vector<std::string>& set,
                         const std::vector<std::string>& modifications);

}  // namespace oscope
