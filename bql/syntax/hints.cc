#include "bql/syntax/hints.h"

namespace oscope::bql {
SyntaxHints HintsAt(std::string_view, uint32_t cursor) { SyntaxHints h; h.replace_begin = cursor; return h; }
}  // namespace oscope::bql
