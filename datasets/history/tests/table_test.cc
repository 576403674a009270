#include "quill/table/table.h"

#include <gtest/gtest.h>

#include "quill/table/query.h"

namespace quill::table {
namespace {

Table People() {
  return Table::FromCsv({{"name", Type::kText}, {"age", Type::kInteger}, {"city", Type::kText}},
                        "name,age,city\n"
                        "Ann,31,Oslo\n"
                        "Bob,25,Rome\n"
                        "Cid,31,Rome\n"
                        "Dee,19,Oslo\n"
                        "Eve,47,Bern\n");
}

std::string Texts(const std::vector<Cell>& cells) {
  std::string out;
  for (const Cell& cell : cells) out += ToText(cell) + " ";
  return out;
}

TEST(Table, ReadsCsv) {
  const Table table = People();
  EXPECT_EQ(table.size(), 5u);
  EXPECT_EQ(ToText(table.Get(static_cast<RowId>(2), "name")), "Cid");
  EXPECT_THROW(table.Get(static_cast<RowId>(9), "name"), Error);
  EXPECT_THROW(table.Get(static_cast<RowId>(0), "size"), Error);
}

TEST(Table, RefusesCellsThatDoNotFit) {
  Table table({{"n", Type::kInteger}});
  EXPECT_THROW(table.Insert({std::string("x")}), Error);
  EXPECT_THROW(table.Insert({int64_t{1}, int64_t{2}}), Error);
  EXPECT_THROW(FromText("12x", Type::kInteger), Error);
}

TEST(Table, ErasesRows) {
  Table table = People();
  EXPECT_TRUE(table.Erase(static_cast<RowId>(0)));
  EXPECT_FALSE(table.Erase(static_cast<RowId>(0)));
  EXPECT_EQ(table.size(), 4u);
}

TEST(Table, WritesCsv) {
  Table table({{"id", Type::kInteger}, {"note", Type::kText}, {"x", Type::kNumber}});
  table.Insert({int64_t{1}, std::string("a,b"), 1.5});
  table.Insert({int64_t{2}, Cell(), Cell()});
  EXPECT_EQ(table.ToCsv(), "id,note,x\n1,\"a,b\",1.5\n2,,\n");
}

TEST(Table, QuotesSurviveCsv) {
  const std::vector<Column> columns = {{"title", Type::kText}, {"year", Type::kInteger}};
  Table table(columns);
  table.Insert({std::string("Plain"), int64_t{2001}});
  table.Insert({std::string("One, two"), int64_t{1987}});
  table.Insert({std::string("The \"Great\" Book"), int64_t{1999}});
  table.Insert({Cell(), int64_t{1950}});
  const Table copy = Table::FromCsv(columns, table.ToCsv());
  ASSERT_EQ(copy.size(), 4u);
  for (const RowId row : copy.RowIds()) EXPECT_EQ(copy.RowAt(row), table.RowAt(row));
}

TEST(Table, FillsRowsThatAreShort) {
  const Table table = Table::FromCsv(
      {{"id", Type::kInteger}, {"note", Type::kText}, {"price", Type::kNumber}},
      "id,price,note\n1,2.5,ok\n2,3,good\n3,10,\"fine, too\"\n4,1.5,cheap\n5,,free\n6\n7,4\n");
  EXPECT_EQ(table.size(), 7u);
  EXPECT_TRUE(IsNull(table.Get(static_cast<RowId>(5), "price")));
  EXPECT_EQ(Query(table).Sum("price"), 21);
}

TEST(Table, NotesWithLineEndsSurviveCsv) {
  const std::vector<Column> columns = {{"day", Type::kText}, {"note", Type::kText}};
  Table table(columns);
  table.Insert({std::string("Monday"), std::string("rain\nand wind")});
  table.Insert({std::string("Tuesday"), std::string("sun, later clouds")});
  table.Insert({std::string("Wednesday"), Cell()});
  const Table copy = Table::FromCsv(columns, table.ToCsv());
  ASSERT_EQ(copy.size(), table.size());
  EXPECT_EQ(copy.RowAt(static_cast<RowId>(0)), table.RowAt(static_cast<RowId>(0)));
}

TEST(Table, NeighboursAreBothErased) {
  Table table = People();
  const size_t city = table.ColumnAt("city");
  const size_t erased =
      table.EraseIf([city](const Row& row) { return ToText(row[city]) == "Rome"; });
  EXPECT_EQ(erased, 2u);
  EXPECT_EQ(table.size(), 3u);
}

TEST(Table, PaidOrdersAreAllErased) {
  Table table = Table::FromCsv({{"order", Type::kInteger}, {"state", Type::kText}},
                               "order,state\n1,open\n2,paid\n3,paid\n4,paid\n5,open\n6,sent\n"
                               "7,paid\n8,open\n");
  const size_t state = table.ColumnAt("state");
  const size_t erased =
      table.EraseIf([state](const Row& row) { return ToText(row[state]) == "paid"; });
  EXPECT_EQ(erased, 4u);
  EXPECT_EQ(table.size(), 4u);
}

TEST(Table, ErasedRowsLeaveTheirIndex) {
  Table table({{"level", Type::kInteger}, {"text", Type::kText}});
  table.AddIndex("level", std::make_unique<OrderedIndex>());
  for (int64_t i = 0; i < 12; ++i) table.Insert({i % 6 < 4 ? int64_t{0} : i, std::string("entry")});
  table.EraseIf([](const Row& row) { return Compare(row[0], int64_t{1}) < 0; });
  EXPECT_EQ(Query(table).Where("level", Is::kEqual, int64_t{0}).Count(), 0u);
  EXPECT_EQ(Query(table).Where("level", Is::kAtLeast, int64_t{4}).Count(), 4u);
}

TEST(Table, UpdatedCellsAreFoundByTheirIndex) {
  Table table = People();
  table.AddIndex("city", std::make_unique<HashIndex>());
  table.Update(static_cast<RowId>(1), "city", std::string("Bern"));
  const std::vector<RowId> bern = table.FindIndex("city")->Find(std::string("Bern"));
  EXPECT_EQ(bern, (std::vector<RowId>{static_cast<RowId>(1), static_cast<RowId>(4)}));
}

TEST(Table, SoldHousesAreFoundByTheirNewOwner) {
  Table table = Table::FromCsv({{"street", Type::kText}, {"owner", Type::kText}},
                               "street,owner\nHigh Street 1,Moss\nHigh Street 2,Reed\n"
                               "Low Street 7,Fern\nLow Street 9,Reed\nMill Lane,Moss\n"
                               "Mill Lane 3,Fern\nStation Road,Reed\n");
  table.AddIndex("owner", std::make_unique<HashIndex>());
  table.Update(static_cast<RowId>(0), "owner", std::string("Fern"));
  table.Update(static_cast<RowId>(3), "owner", std::string("Fern"));
  const std::vector<RowId> fern = table.FindIndex("owner")->Find(std::string("Fern"));
  EXPECT_EQ(fern, (std::vector<RowId>{static_cast<RowId>(0), static_cast<RowId>(2),
                                      static_cast<RowId>(3), static_cast<RowId>(5)}));
}

TEST(Query, FiltersOrdersAndLimits) {
  const Table table = People();
  EXPECT_EQ(Texts(Query(table)
                      .Where("age", Is::kAtLeast, int64_t{25})
                      .OrderBy("name", true)
                      .Values("name")),
            "Eve Cid Bob Ann ");
  EXPECT_EQ(
      Texts(Query(table).Where("name", Is::kNotEqual, std::string("Ann")).Limit(2).Values("name")),
      "Bob Cid ");
  EXPECT_EQ(Texts(Query(table).Where("name", Is::kLike, std::string("D*")).Values("age")), "19 ");
  EXPECT_EQ(Query(table).Where("city", Is::kEqual, std::string("Oslo")).Sum("age"), 50);
}

TEST(Query, UsesIndexes) {
  Table table = People();
  table.AddIndex("age", std::make_unique<OrderedIndex>());
  table.AddIndex("city", std::make_unique<HashIndex>());
  Query query(table);
  query.Where("age", Is::kLess, int64_t{31}).Where("city", Is::kEqual, std::string("Oslo"));
  EXPECT_EQ(query.indexed_conditions(), 2u);
  EXPECT_EQ(Texts(query.Values("name")), "Dee ");
}

TEST(Query, SeesUpdatesThroughAnIndex) {
  Table table = People();
  table.AddIndex("age", std::make_unique<OrderedIndex>());
  table.Update(static_cast<RowId>(4), "age", int64_t{20});
  EXPECT_EQ(Texts(Query(table).Where("age", Is::kLess, int64_t{25}).OrderBy("age").Values("name")),
            "Dee Eve ");
}

TEST(Query, MovesAreCountedOnce) {
  Table table = People();
  table.AddIndex("city", std::make_unique<HashIndex>());
  for (const RowId row : table.RowIds()) table.Update(row, "city", std::string("Wien"));
  EXPECT_EQ(Query(table).Where("city", Is::kEqual, std::string("Oslo")).Count(), 0u);
  EXPECT_EQ(Query(table).Where("city", Is::kEqual, std::string("Wien")).Sum("age"), 153);
}

TEST(Query, NothingComesFirst) {
  Table table({{"name", Type::kText}, {"score", Type::kNumber}});
  const std::vector<double> scores = {7.5, 3.25, 9, 1.5, 4, 8.75, 2};
  for (size_t i = 0; i < scores.size(); ++i) {
    table.Insert({std::string(1, static_cast<char>('a' + i)), scores[i]});
  }
  EXPECT_EQ(Texts(Query(table).OrderBy("score").Limit(3).Values("name")), "d g b ");
  table.Insert({std::string("new"), Cell()});
  EXPECT_EQ(Texts(Query(table).OrderBy("score").Limit(3).Values("name")), "new d g ");
}

TEST(Query, ArticlesWithoutAPriceComeFirst) {
  Table table({{"article", Type::kText}, {"price", Type::kNumber}});
  table.Insert({std::string("lamp"), 49.5});
  table.Insert({std::string("chair"), 89.0});
  table.Insert({std::string("vase"), 12.25});
  EXPECT_EQ(Texts(Query(table).OrderBy("price").Limit(2).Values("article")), "vase lamp ");
  table.Insert({std::string("desk"), Cell()});
  table.Insert({std::string("rug"), 30.75});
  table.Insert({std::string("shelf"), Cell()});
  EXPECT_EQ(Texts(Query(table).OrderBy("price").Limit(4).Values("article")),
            "desk shelf vase rug ");
}

TEST(Query, IndexesHoldWhatIsNothing) {
  Table table = Table::FromCsv({{"id", Type::kInteger}, {"weight", Type::kInteger}},
                               "id,weight\n1,5\n2,\n3,7\n4,\n5,6\n6,9\n");
  EXPECT_EQ(Query(table).Where("weight", Is::kNull).Count(), 2u);
  table.AddIndex("weight", std::make_unique<OrderedIndex>());
  EXPECT_EQ(Query(table).Where("weight", Is::kLess, int64_t{7}).Sum("id"), 6);
}

TEST(Query, IntegersCompareWithNumbers) {
  const Table table = People();
  EXPECT_EQ(Query(table).Where("age", Is::kAtLeast, 31.5).Count(), 1u);
}

TEST(Query, RainComparesWithNumbers) {
  const Table table = Table::FromCsv({{"month", Type::kText}, {"rain", Type::kInteger}},
                                     "month,rain\nMay,60\nJune,48\nJuly,12\nAugust,7\n"
                                     "September,30\nOctober,7\nNovember,81\n");
  EXPECT_EQ(Query(table).Where("rain", Is::kLess, 7.25).Count(), 2u);
}

TEST(Query, OrdersIntegersAmongNumbers) {
  Table table({{"id", Type::kText}, {"value", Type::kNumber}});
  table.Insert({std::string("p"), 2.75});
  table.Insert({std::string("q"), int64_t{2}});
  table.Insert({std::string("r"), 2.25});
  table.Insert({std::string("s"), int64_t{3}});
  table.Insert({std::string("t"), 3.5});
  EXPECT_EQ(Query(table).Sum("value"), 13.5);
  EXPECT_EQ(Texts(Query(table).OrderBy("value", true).Values("id")), "t s p r q ");
}

TEST(Query, TheFirstOrderCountsMost) {
  const Table table = People();
  EXPECT_EQ(Texts(Query(table).OrderBy("city").OrderBy("age").Values("name")),
            "Eve Dee Ann Bob Cid ");
}

TEST(Query, TeamsByGroupAndPoints) {
  const Table table =
      Table::FromCsv({{"team", Type::kText}, {"group", Type::kText}, {"points", Type::kInteger}},
                     "team,group,points\nLions,B,4\nBears,A,7\nHawks,B,9\nFoxes,A,1\n"
                     "Seals,C,5\nTigers,B,3\nGoats,A,6\nCrows,C,8\n");
  EXPECT_EQ(Texts(Query(table).OrderBy("group").OrderBy("points", true).Values("team")),
            "Bears Goats Foxes Hawks Lions Tigers Crows Seals ");
}

TEST(Query, TheOldestOfEachCity) {
  const Table table = People();
  const std::vector<RowId> rows = Query(table)
                                      .Where("age", Is::kLess, int64_t{40})
                                      .OrderBy("age", true)
                                      .OrderBy("name")
                                      .Limit(2)
                                      .Rows();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(ToText(table.Get(rows[0], "name")), "Ann");
  EXPECT_EQ(ToText(table.Get(rows[1], "name")), "Cid");
}

TEST(Query, PagesThroughRows) {
  const Table table = People();
  std::string names;
  for (size_t page = 0; page < 3; ++page) {
    names += Texts(Query(table).OrderBy("name").Offset(page * 2).Limit(2).Values("name"));
  }
  EXPECT_EQ(names, "Ann Bob Cid Dee Eve ");
}

TEST(Query, PagesThroughSongs) {
  const Table table = Table::FromCsv({{"title", Type::kText}, {"seconds", Type::kInteger}},
                                     "title,seconds\nRain,210\nSun,185\nSnow,301\nWind,95\n"
                                     "Fog,240\nHail,122\nDew,150\nFrost,199\n");
  std::string titles;
  for (size_t first = 0; first < table.size(); first += 3) {
    titles += Texts(Query(table).OrderBy("seconds").Offset(first).Limit(3).Values("title"));
  }
  EXPECT_EQ(titles, "Wind Hail Dew Sun Frost Rain Fog Snow ");
}

TEST(Query, CountsWhatIsLeftAfterAnOffset) {
  const Table table = People();
  EXPECT_EQ(Query(table).Where("age", Is::kAtLeast, int64_t{20}).Offset(1).Limit(2).Count(), 2u);
}

TEST(Query, RangesEndBeforeTheirEnd) {
  OrderedIndex index;
  for (uint32_t i = 0; i < 10; ++i) index.Insert(int64_t{i}, static_cast<RowId>(i));
  EXPECT_EQ(index.Range(int64_t{3}, int64_t{6}).size(), 3u);
  EXPECT_THROW(HashIndex().Range(int64_t{3}, int64_t{6}), Error);
}

}  // namespace
}  // namespace quill::table
