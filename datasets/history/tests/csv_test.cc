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
  EXPECT_EQ(Reader("1,\"say \"\"hi\"\"\",2", NoHeader()).Next()->fields(),
            (Fields{"1", "say \"hi\"", "2"}));
}

TEST(Csv, ColumnsMayBeNamedWithQuotes) {
  Reader reader("id,\"size 3\"\" pipe\",\"price\"\n7,12,80\n8,13,90\n");
  const std::vector<Record> records = reader.All();
  EXPECT_EQ(records.at(1).GetInteger("price"), 90);
  EXPECT_EQ(records.at(1).GetInteger("size 3\" pipe"), 13);
}

TEST(Csv, ShortRecordsHaveEmptyFields) {
  Reader reader("a,b,c\n1,2\n");
  const std::optional<Record> record = reader.Next();
  ASSERT_TRUE(record);
  EXPECT_EQ(record->Get("b"), "2");
  EXPECT_EQ(record->Get("c"), "");
}

TEST(Csv, NumbersMissingAtTheEndAreNothing) {
  Reader reader("city;north;south\nOslo;10;20\nRome\nBern;30\n", [] {
    ReadOptions options;
    options.separator = ';';
    return options;
  }());
  int64_t sum = 0;
  while (const std::optional<Record> record = reader.Next()) {
    sum += record->GetInteger("north").value_or(0) + record->GetInteger("south").value_or(0);
  }
  EXPECT_EQ(sum, 60);
}

TEST(Csv, WindowsLineEndsAfterQuotes) {
  Reader reader("\"a\",\"b\"\r\n\"c\",d\r\n", NoHeader());
  EXPECT_EQ(reader.Next()->fields(), (Fields{"a", "b"}));
  EXPECT_EQ(reader.Next()->fields(), (Fields{"c", "d"}));
  EXPECT_FALSE(reader.Next());
}

TEST(Csv, AHeaderInQuotesWithWindowsLineEnds) {
  const std::vector<Record> records = Reader("id,\"name\"\r\n1,x\r\n2,\"y z\"\r\n3,w\r\n").All();
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
  writer.AddRecord({"1", "first\nsecond"});
  EXPECT_EQ(writer.text(), "1;\"first\nsecond\"\n");
}

TEST(Csv, AddressesAreReadBack) {
  const Fields address = {"Ann", "1 High Street\nOldtown\nNorth", "12345"};
  Writer writer;
  writer.AddRecord({"name", "address", "code"});
  writer.AddRecord(address);
  writer.AddRecord({"Bob", "2 Low Street", "54321"});
  Reader reader(writer.text());
  EXPECT_EQ(reader.Next()->fields(), address);
  EXPECT_EQ(reader.Next()->Get("code"), "54321");
}

}  // namespace
}  // namespace quill::csv
