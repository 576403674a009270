#include "tracer/model/symbols.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace oscope {
namespace {

TEST(SymbolTable, InternsAndAppends) {
  SymbolTable table;
  SymbolAttributes attributes;
  attributes.file = "a.c";
  const SymbolId a = table.Intern("a", attributes);
  EXPECT_EQ(table.Intern("a", attributes), a);
  EXPECT_EQ(table.attributes(a).file, "a.c");
  EXPECT_NE(table.Append("a", attributes), a);
  EXPECT_EQ(table.Intern("a", attributes), a) << "the first of equal ones";
  EXPECT_EQ(table.size(), 2u);
  EXPECT_FALSE(table.contains(static_cast<SymbolId>(2)));
}

TEST(SymbolTable, AnyOtherAttributeMakesAnotherSymbol) {
  SymbolTable table;
  std::vector<SymbolAttributes> all(7);
  all[1].signature = "x";
  all[2].file = "x";
  all[3].line = 1;
  all[4].object = "x";
  all[5].build_id = "x";
  all[6].address = 1;
  std::set<SymbolId> ids;
  for (const SymbolAttributes& attributes : all) {
    const SymbolId id = table.Intern("a", attributes);
    EXPECT_TRUE(ids.insert(id).second);
    EXPECT_EQ(table.name(id), "a");
    EXPECT_EQ(table.attributes(id), attributes);
  }
  for (const SymbolAttributes& attributes : all) EXPECT_TRUE(ids.contains(table.Intern("a", attributes)));
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
