#include "tracer/pin/glob.h"

namespace oscope::pin {

bool GlobFits(const std::string& glob, const std::string& text) {
  // On a mismatch only the last star needs to take one byte more: what an earlier one could take, it can take too.
  size_t g = 0, t = 0;
  size_t after_star = std::string::npos, star_text = 0;
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      after_star = ++g;
      star_text = t;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
      ++g;
      ++t;
    } else if (after_star != std::string::npos) {
      g = after_star;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (g < glob.size() && glob[g] == '*') ++g;
  return g == glob.size();
}

bool IsPathEnd(const std::string& file, const std::string& path) {
  if (file.empty() || path.size() < file.size()) return false;
  const size_t begin = path.size() - file.size();
  if (path.compare(begin, file.size(), file) != 0) return false;
  return begin == 0 || path[begin - 1] == '/' || file[0] == '/';
}

}  // namespace oscope::pin
