// What holds of every list of fields.
#pragma once

#include <gtest/gtest.h>

#include <set>

#include "tracer/model/appended_fields.h"

namespace oscope {

template <typename Rows>
void ExpectNoPlaceTwice(const Rows& rows) {
  using Row = typename Rows::value_type;
  std::set<std::string> columns;
  for (const Row& row : rows) {
    EXPECT_TRUE(row.column == nullptr || columns.insert(row.column).second) << row.column << " is there twice";
    EXPECT_NE(row.lines, 0) << row.name << " would be lost in an export";
    EXPECT_NE(row.json, 0) << row.name;
    EXPECT_TRUE(row.appended == 0 || row.column == nullptr || row.table_version > 1) << row.name << ": a new column";
    EXPECT_EQ(row.option == 0, *row.help == '\0') << row.name;
    using Text = Member<typename Row::RecordType, std::string>;
    EXPECT_EQ(row.limit != 0, std::holds_alternative<Text>(row.member)) << row.name;
  }
  for (uint16_t Row::* place : {&Row::lines, &Row::json, &Row::show, &Row::option, &Row::bql, &Row::appended}) {
    std::set<uint16_t> taken;
    for (const Row& row : rows) {
      EXPECT_TRUE(row.*place == 0 || taken.insert(row.*place).second) << row.name << ", place " << row.*place;
    }
  }
}

// They begin with 1, none is left out, and the member can be appended.
template <typename Rows>
void ExpectAppendedNumbersAreGood(const Rows& rows) {
  uint16_t largest = 0, count = 0;
  for (const auto& row : rows) {
    if (row.appended == 0) continue;
    ++count;
    largest = std::max(largest, row.appended);
    EXPECT_FALSE(row.required) << row.name << ": files of earlier releases do not have it";
    EXPECT_TRUE(std::visit(
        []<typename Record, typename Value>(const Member<Record, Value>&) { return Appendable<Value>; }, row.member))
        << row.name;
  }
  EXPECT_EQ(largest, count);
}

}  // namespace oscope
