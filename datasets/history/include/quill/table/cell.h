// One field of a row: nothing, an integer, a number or a text.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "quill/error.h"

namespace quill::table {

enum class Type { kInteger, kNumber, kText };

using Cell = std::variant<std::monostate, int64_t, double, std::string>;
using Row = std::vector<Cell>;

bool IsNull(const Cell& cell);
std::string ToText(const Cell& cell);
// Reads a text as a cell of the type; an empty text is nothing. Fails with Error.
Cell FromText(const std::string& text, Type type);

// -1, 0 or 1. Nothing comes before everything, numbers before texts; integers and numbers compare
// by value.
int Compare(const Cell& left, const Cell& right);

struct CellLess {
  bool operator()(const Cell& left, const Cell& right) const { return Compare(left, right) < 0; }
};

}  // namespace quill::table
