#include <gtest/gtest.h>

#include "quill/csv/reader.h"
#include "quill/csv/writer.h"

namespace quill::csv {
namespace {

using Fields = std::vector<std::string>;

ReadOptions NoHeader() {
  ReadOptions options;
  options.header = false;
  return options;
}

TEST(Csv, ReadsFieldsByName) {
  Reader reader("name,age\nann,31\nbob,\n");
  const std::vector<Record> records = reader.All();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].Get("name"), "ann");
  EXPECT_EQ(records[0].GetInteger("age"), 31);
  EXPECT_EQ(records[1].GetInteger("age"), std::nullopt);
  EXPECT_THROW(records[0].Get("size"), Error);
  EXPECT_THROW(records[0].GetInteger("name"), Error);
}

TEST(Csv, PassesOverEmptyLines) {
  Reader reader("\n\na,b\n\n1,2\n\n", NoHeader());
  EXPECT_EQ(reader.Next()->fields(), (Fields{"a", "b"}));
  EXPECT_EQ(reader.Next()->fields(), (Fields{"1", "2"}));
  EXPECT_FALSE(reader.Next());
}

TEST(Csv, QuotedFieldsMayHoldSeparatorsAndLineEnds) {
  Reader reader("\"a,b\",\"c\nd\"\ne,f\n", NoHeader());
  EXPECT_EQ(reader.Next()->fields(), (Fields{"a,b", "c\nd"}));
  EXPECT_EQ(reader.line(), 3u);
  EXPECT_EQ(reader.Next()->fields(), (Fields{"e", "f"}));
}

TEST(Csv, RefusesBrokenQuotes) {
  EXPECT_THROW(Reader("\"open", NoHeader()).Next(), ParseError);
  EXPECT_THROW(Reader("\"a\"b,c", NoHeader()).Next(), ParseError);
}

TEST(Csv, TrimsOnRequest) {
  ReadOptions options = NoHeader();
  options.trim = true;
  options.separator = ';';
  EXPECT_EQ(Reader(" a ; \tb;\" c \"", options).Next()->fields(), (Fields{"a", "b", " c "}));
}

TEST(Csv, DoubledQuotesAreOne) {
  const std::vector<Record> records =
      Reader("1,plain,2\n3,\"in quotes\",4\n5,\"a, b\",6\n7,,8\n9,\"say \"\"hi\"\"\",10\n",
             NoHeader())
          .All();
  ASSERT_EQ(records.size(), 5u);
  EXPECT_EQ(records[2].fields(), (Fields{"5", "a, b", "6"}));
  EXPECT_EQ(records[4].fields(), (Fields{"9", "say \"hi\"", "10"}));
}

TEST(Csv, DoubledQuotesAtTheEndAreOne) {
  const std::vector<Record> records =
      Reader("screen,\"24\"\"\",190\n\"cable, black\",\"6'\",8\n\"\"\"best\"\" mouse\",,45\n",
             NoHeader())
          .All();
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].fields(), (Fields{"screen", "24\"", "190"}));
  EXPECT_EQ(records[1].fields(), (Fields{"cable, black", "6'", "8"}));
  EXPECT_EQ(records[2].fields(), (Fields{"\"best\" mouse", "", "45"}));
}

TEST(Csv, ColumnsMayBeNamedWithQuotes) {
  Reader reader(
      "id,\"size 3\"\" pipe\",\"price\",stock\n"
      "7,12,80,yes\n8,13,90,no\n9,14,100,\"no, sold\"\n10,15,110,yes\n11,16,120,yes\n");
  const std::vector<Record> records = reader.All();
  for (const Record& record : records) EXPECT_GE(record.GetInteger("price"), 80);
  EXPECT_EQ(records.at(1).GetInteger("size 3\" pipe"), 13);
}

TEST(Csv, ShortRecordsHaveEmptyFields) {
  std::string text = "a,b,c\n";
  for (int i = 0; i < 12; ++i) text += std::to_string(i) + ",x,y\n";
  text += "12,x\n";
  Reader reader(text);
  std::string last;
  while (const std::optional<Record> record = reader.Next())
    last = record->Get("b") + record->Get("c");
  EXPECT_EQ(last, "x");
}

TEST(Csv, ShortRecordsOfAStore) {
  Reader reader(
      "item,count,shelf,note\nnails,200,A3,new\nbolts,,,rusty\nhooks,12,C2,\nscrews,80,B1\nglue\n");
  std::string notes;
  while (const std::optional<Record> record = reader.Next())
    notes += record->Get("item") + "=" + record->Get("note") + " ";
  EXPECT_EQ(notes, "nails=new bolts=rusty hooks= screws= glue= ");
}

TEST(Csv, NumbersMissingAtTheEndAreNothing) {
  ReadOptions options;
  options.separator = ';';
  Reader reader(
      "city;north;south\nOslo;10;20\nParis;1;2\n\"St. Gallen\";3;4\nMadrid;5;6\nRome\nBern;30\n",
      options);
  int64_t sum = 0;
  while (const std::optional<Record> record = reader.Next()) {
    sum += record->GetInteger("north").value_or(0) + record->GetInteger("south").value_or(0);
  }
  EXPECT_EQ(sum, 81);
}

TEST(Csv, WindowsLineEndsAfterQuotes) {
  std::string text;
  for (int i = 0; i < 10; ++i) text += std::to_string(i) + ",\"x, y\",z\r\n";
  text += "\"a\",\"b\"\r\n\"c\",d\r\n";
  Reader reader(text, NoHeader());
  for (int i = 0; i < 10; ++i) EXPECT_EQ(reader.Next()->fields().size(), 3u);
  EXPECT_EQ(reader.Next()->fields(), (Fields{"a", "b"}));
  EXPECT_EQ(reader.Next()->fields(), (Fields{"c", "d"}));
  EXPECT_FALSE(reader.Next());
}

TEST(Csv, WindowsLineEndsAfterQuotedNotes) {
  Reader reader(
      "2021,12,\"rain, wind\",3\r\n2022,7,sun,1\r\n2022,8,\"\",5\r\n2022,11,4,\"fog\"\r\n"
      "2023,1,0,\"snow, ice\"\r\n",
      NoHeader());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(reader.Next()->fields().size(), 4u);
  EXPECT_EQ(reader.Next()->fields(), (Fields{"2022", "11", "4", "fog"}));
  EXPECT_EQ(reader.Next()->fields(), (Fields{"2023", "1", "0", "snow, ice"}));
  EXPECT_FALSE(reader.Next());
}

TEST(Csv, AHeaderInQuotesWithWindowsLineEnds) {
  const std::vector<Record> old = Reader("id,name\r\n1,x\r\n2,y\r\n3,z\r\n4,\"u\",\r\n").All();
  ASSERT_EQ(old.size(), 4u);
  for (const Record& record : old) EXPECT_EQ(record.Get("name").size(), 1u);
  const std::vector<Record> records =
      Reader("id,tag,note,owner,\"name\"\r\n1,a,b,c,x\r\n2,d,e,f,\"y z\"\r\n3,g,h,i,w\r\n").All();
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[1].Get("name"), "y z");
}

TEST(Csv, WritesWhatItReads) {
  Writer writer;
  writer.AddRecord({"a", "b c", ""});
  writer.AddRecord({"x,y", "\"q\"", " padded "});
  writer.AddRecord({""});
  EXPECT_EQ(writer.text(), "a,b c,\n\"x,y\",\"\"\"q\"\"\",\" padded \"\n\"\"\n");
}

TEST(Csv, WritesLineEndsInQuotes) {
  Writer writer(';');
  std::string wanted;
  for (int i = 0; i < 30; ++i) {
    writer.AddRecord({std::to_string(i), "a;b", "plain"});
    wanted += std::to_string(i) + ";\"a;b\";plain\n";
  }
  EXPECT_EQ(writer.text(), wanted);
  writer.AddRecord({"1", "first\nsecond"});
  EXPECT_EQ(writer.text(), wanted + "1;\"first\nsecond\"\n");
}

TEST(Csv, WritesRecipesInQuotes) {
  Writer writer('|');
  writer.AddRecord({"tea", "4 minutes"});
  writer.AddRecord({"punch", "tea | juice", "hot"});
  const std::string drinks = "tea|4 minutes\npunch|\"tea | juice\"|hot\n";
  EXPECT_EQ(writer.text(), drinks);
  writer.AddRecord({"cake", "flour\r\neggs\r\nsugar", "sweet"});
  EXPECT_EQ(writer.text(), drinks + "cake|\"flour\r\neggs\r\nsugar\"|sweet\n");
}

TEST(Csv, AddressesAreReadBack) {
  const Fields address = {"Ann", "1 High Street\nOldtown\nNorth", "12345"};
  Writer writer;
  writer.AddRecord({"name", "address", "code"});
  for (int i = 0; i < 12; ++i)
    writer.AddRecord({"Bob", "2 Low Street, " + std::to_string(i), "54321"});
  writer.AddRecord(address);
  const std::vector<Record> records = Reader(writer.text()).All();
  ASSERT_EQ(records.size(), 13u);
  EXPECT_EQ(records.back().fields(), address);
}

}  // namespace
}  // namespace quill::csv
