#include "tracer/model/symbols.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

TEST(SymbolTable, InternsAndAppends) {
  SymbolTable table;
  SymbolAttributes attributes;
  attributes.file = "a.c";
  const SymbolId a = table.Intern("a", attributes);
  attributes.file = "b.c";
  EXPECT_EQ(table.Intern("a", attributes), a);
  EXPECT_EQ(table.attributes(a).file, "a.c");
  EXPECT_NE(table.Append("a"), a);
  EXPECT_EQ(table.size(), 2u);
  EXPECT_FALSE(table.contains(static_cast<SymbolId>(2)));
}

TEST(SymbolTable, ATableMovedFromIsAnother) {
  SymbolTable table;
  table.Intern("a");
  const uint64_t uid = table.uid();
  SymbolTable moved = std::move(table);
  EXPECT_EQ(moved.uid(), uid);
  EXPECT_EQ(moved.name(moved.Intern("a")), "a");
  EXPECT_EQ(moved.size(), 1u);
  EXPECT_NE(table.uid(), uid);
  EXPECT_EQ(table.size(), 0u);
  table.Intern("b");
  EXPECT_EQ(table.size(), 1u);
}

}  // namespace
}  // namespace oscope
