#include "base/glob.h"

#include <cstddef>

namespace oscope {

bool GlobFits(std::string_view glob, std::string_view text) {
  // One star is open at a time: when a later part does not fit, it takes one more byte.
  size_t g = 0, t = 0, star = std::string_view::npos, taken = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      taken = t;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
      ++g;
      ++t;
    } else if (star != std::string_view::npos) {
      g = star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

}  // namespace oscope
