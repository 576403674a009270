// Words as a POSIX shell has to read them, so that a line can be pasted.
//
// Threads: pure functions.
#pragma once

#include <string>
#include <vector>

namespace oscope::cli {

// "a b" becomes 'a b'; a word that no shell would take apart stays as it is.
std::string ShellQuoted(const std::string& word);
// A command: its first word is never taken for an assignment.
std::string ShellLine(const std::vector<std::string>& words);

}  // namespace oscope::cli
