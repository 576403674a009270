// Field: one member of a Bug or of a RunHeader, as a row of the list that is used by all code that writes, reads,
// compares, asks for or shows the record: the JSON lines, .osct, the tables of a store, BQL, `show`, `bug add`.
//
// So a new member is a new row (bug_fields.h, run_fields.h), and cannot be forgotten. A row says where the member is,
// what its name is and where it is written. How a member is written follows from its type alone: a std::string is a
// text, a std::optional<int64_t> a time in nanoseconds, an enumeration the name of its value.
//
// Each consumer has an order of its own, which users know. A place is a row's number in one of these orders: rows are
// taken by ascending places, which have gaps for rows to come. Place 0: the consumer passes the row over.
// Threads: constants and pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/result.h"

namespace oscope {

// How to get from a record to one of its members.
template <typename Record, typename Value>
struct Member {
  Value& (*change)(Record&);
  const Value& (*read)(const Record&);
};

// The member at the end of a path: Through<Bug, &Bug::fix, &Fix::commit>().
template <typename Record, auto... kPath>
constexpr auto Through() {
  // A fold over the operator .*, as in record.*first.*second.
  using Found = std::remove_reference_t<decltype((std::declval<Record&>().*....*kPath))>;
  return Member<Record, Found>{[](Record& record) -> Found& { return (record.*....*kPath); },
                               [](const Record& record) -> const Found& { return (record.*....*kPath); }};
}

enum class TextKind : uint8_t {
  kLine,
  kBlock,  // of many lines
  kDiff,   // a block that is coloured as a diff
  kId,     // of a bug or a project, which ValidateId checks
};

template <typename Record, typename... Values>
struct Field {
  using RecordType = Record;

  const char* name;        // the key in JSON, the field in BQL, the option of `bug add`
  const char* column;      // in the table of a store; nullptr: the table has it in a form of its own
  const char* what;        // how errors call it
  const char* group = "";  // the nested JSON object that has the name; "": the record itself
  std::variant<Member<Record, Values>...> member;

  TextKind text = TextKind::kLine;
  size_t limit = 0;  // the most bytes of a text

  // Every record has a value, even if it is the default one: the column is never null, and JSON lines always tell it.
  // A row that comes with a later release than the table cannot be: the files of earlier ones do not have the column.
  bool required = false;
  bool even_if_empty = false;   // JSON lines tell a text that is empty from one that is not there
  bool always_in_json = false;  // --json has the key even where there is nothing to tell

  uint8_t table_version = 1;  // of the first columns that have it (docs/formats/store.md)

  // 0: the member has its place in the fixed part of a record of .osct version 1 or 2. A new row takes the number after
  // the largest of its list, which is then never given to another (appended_fields.h).
  uint16_t appended = 0;

  // Places.
  uint16_t lines = 0;   // among the keys of JSON lines
  uint16_t json = 0;    // among the keys of --json
  uint16_t show = 0;    // in the text of `oscope show`
  uint16_t option = 0;  // among the options of `oscope bug add` and `oscope bug edit`
  uint16_t bql = 0;     // among the fields that a query may ask for

  const char* label = "";         // in the text of `oscope show`
  const char* option_value = "";  // what the option takes, as --help names it: "TEXT"
  const char* help = "";          // one line of --help
};

// The name of an enumeration's value, and back: Name, Parse and kCount (how many values there are).
template <typename Enum>
struct EnumText;

template <typename Value>
bool HoldsDefault(const Value& value) {
  if constexpr (requires { value.empty(); }) {
    return value.empty();
  } else {
    return value == Value{};
  }
}

// The version of the columns of a table that has all rows of a list, and columns of the store's own of version
// `by_hand`.
template <typename Rows>
constexpr uint32_t TableVersionOf(const Rows& rows, uint32_t by_hand) {
  uint32_t version = by_hand;
  for (const auto& row : rows) version = row.table_version > version ? row.table_version : version;
  return version;
}

// The rows of a list that have a place in an order, in this order: kInOrder<kBugFields, &BugField::show>.
template <const auto& kFields, auto kPlace>
inline constexpr auto kInOrder = [] {
  using Row = std::remove_cvref_t<decltype(kFields[0])>;
  constexpr size_t kCount = [] {
    size_t count = 0;
    for (const Row& row : kFields) count += row.*kPlace != 0;
    return count;
  }();
  std::array<const Row*, kCount> rows{};
  size_t size = 0;
  for (const Row& row : kFields) {
    if (row.*kPlace == 0) continue;
    size_t at = size++;
    for (; at > 0 && rows[at - 1]->*kPlace > row.*kPlace; --at) rows[at] = rows[at - 1];
    rows[at] = &row;
  }
  return rows;
}();

// Calls one(row) for each row that is in no group, and together(group, rows) for all neighbours that are in one.
template <typename Row, typename One, typename Together>
void ForEachGroup(std::span<const Row* const> rows, One one, Together together) {
  for (size_t i = 0; i < rows.size();) {
    const std::string_view group = rows[i]->group;
    size_t end = i + 1;
    if (group.empty()) {
      one(*rows[i]);
    } else {
      while (end < rows.size() && rows[end]->group == group) ++end;
      together(rows[i]->group, rows.subspan(i, end - i));
    }
    i = end;
  }
}

// Whether a text keeps to its limit and an enumeration has a value that is known. kLimit or kInvalid names the field.
// Ids and lists are for the record's own Validate.
template <typename Row, typename Record>
Status ValidateField(const Row& row, const Record& record) {
  return std::visit(
      [&](const auto& member) -> Status {
        const auto& value = member.read(record);
        using Type = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Type, std::string>) {
          if (row.text != TextKind::kId && value.size() > row.limit)
            return Limit("{}: {} is over the limit of {}", row.what, value.size(), row.limit);
        } else if constexpr (std::is_enum_v<Type>) {
          if (static_cast<size_t>(value) >= EnumText<Type>::kCount)
            return Invalid("{} {} is unknown", row.what, static_cast<int>(value));
        }
        return {};
      },
      row.member);
}

}  // namespace oscope
