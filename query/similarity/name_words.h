// The words of a name: what a programmer reads in it, without the marks between them.
//
// A word is a run of letters or of digits. A capital begins a new one after a small letter, and after capitals when a
// small letter follows. Letters are made small; bytes beyond ASCII count as small letters, so that UTF-8 is never torn
// apart.
// Threads: a pure function.
//
// Example: "org.jfree.XMLParserTest.testBug2849731_2" has the words org jfree xml parser test test bug 2849731 2.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oscope {

std::vector<std::string> NameWords(std::string_view name);

}  // namespace oscope
