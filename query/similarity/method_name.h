// A method's name without template arguments: what all instances of a template have in common.
//
// An argument list is what stands between < and its > after a name, a bracket or an operator's sign, also nested. Names in angle brackets
// of their own (`Cart.<init>`, `<module>`) and the operators < > << >> <= >= <=> -> stay. A list that does not end is left as it is.
// Threads: a pure function.
// Example: "std::vector<std::pair<int, int> >::at" is "std::vector::at", "operator< <char>" is "operator<".
#pragma once

#include <string>
#include <string_view>

namespace oscope {

std::string MethodName(std::string_view name);

}  // namespace oscope
