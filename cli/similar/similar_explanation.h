// Why a bug is similar, as text: the ends of two traces side by side, or the methods that ran last.
//
// Threads: no state; from any thread.
// Example (equal stretches are folded):
//   Wire-1             Wire-3
//   worker          =  worker
//   Socket::read    =  Socket::read
//   Socket::read       Buffer::append
#pragma once

#include <string>

#include "query/similar/alignment.h"
#include "query/similar/common_methods.h"

namespace oscope::cli {

// "4 of 6 events are equal; 1 replaced, 1 only there"
std::string InWords(const Alignment& alignment);

// A table of `width` columns (0: as wide as it takes), and the scope that all names begin with, which it leaves out.
std::string Render(const Alignment& alignment, const std::string& our_title, const std::string& their_title,
                   size_t width);

// Three lines, each with its latest methods and how many more there are; none for what has no methods.
std::string Render(const CommonMethods& methods, const std::string& our_title, const std::string& their_title);

}  // namespace oscope::cli
