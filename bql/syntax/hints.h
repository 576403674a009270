// What could stand at a place of a statement that is being written: for completion in a shell or an editor.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oscope::bql {

struct SyntaxHints {
  std::vector<std::string> keywords;   // as they are written: "INTERSECT?(", "ORDER BY"
  std::vector<std::string> variables;  // those of the SELECT
  bool projects = false;
  bool bugs = false;
  bool events = false;  // inside a quoted pattern, or the events of PROJ
  bool fields = false;  // after `b.`
  bool metrics = false;
  bool saved_queries = false;
  bool parameters = false;     // after `:`
  uint32_t replace_begin = 0;  // the word being written is [replace_begin, cursor)
};

SyntaxHints HintsAt(std::string_view text, uint32_t cursor);

}  // namespace oscope::bql
