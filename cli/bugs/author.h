// Who changes the store, as a revision of a bug remembers it.
#pragma once

#include <string>

namespace oscope::cli {

// What the user gave with --by; else $OSCOPE_BY; else the login name; empty where the system does not know one.
std::string AuthorOr(const std::string& given);

}  // namespace oscope::cli
