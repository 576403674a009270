// Globs in linear space and without recursion: on a mismatch only the last star takes one byte more, since what an
// earlier star could take the last one can too.
#include "bql/pattern/glob.h"

#include <vector>

namespace oscope::bql {
namespace {

struct GlobByte {
  char byte = 0;
  bool star = false;
};

std::vector<GlobByte> Compile(std::string_view glob) {
  std::vector<GlobByte> out;
  for (size_t i = 0; i < glob.size(); ++i) {
    if (glob[i] == '\\' && i + 1 < glob.size()) {
      out.push_back({glob[++i], false});
    } else {
      out.push_back({glob[i], glob[i] == '*'});
    }
  }
  return out;
}

}  // namespace

std::string WithOneSeparator(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const bool colons = text[i] == ':' && i + 1 < text.size() && text[i + 1] == ':';
    if (colons) ++i;
    out += colons || text[i] == '/' ? '.' : text[i];
  }
  return out;
}

// On a mismatch only the last star takes one byte more: what an earlier star could take, the last one can too.
bool MatchesGlob(std::string_view glob, std::string_view text) {
  const std::vector<GlobByte> wanted = Compile(glob);
  size_t at = 0, after_star = std::string_view::npos, star_end = 0;
  for (size_t i = 0; i < text.size();) {
    if (at < wanted.size() && wanted[at].star) {
      after_star = ++at;
      star_end = i;
    } else if (at < wanted.size() && wanted[at].byte == text[i]) {
      ++at;
      ++i;
    } else if (after_star != std::string_view::npos) {
      at = after_star;
      i = ++star_end;
    } else {
      return false;
    }
  }
  while (at < wanted.size() && wanted[at].star) ++at;
  return at == wanted.size();
}

bool IsGlob(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '*') {
      return true;
    }
  }
  return false;
}

std::string WithoutEscapes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    out += text[i];
  }
  return out;
}

}  // namespace oscope::bql
