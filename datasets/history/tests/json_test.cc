#include <gtest/gtest.h>

#include "quill/json/parser.h"
#include "quill/json/writer.h"

namespace quill::json {
namespace {

TEST(Json, ReadsEveryKindOfValue) {
  const Value value = Parse(R"({"a": [1, -2.5, true, false, null], "b": {"c": "text"}})");
  EXPECT_EQ(value.At("a").AsArray().size(), 5u);
  EXPECT_EQ(value.At("a").AsArray()[1].AsDouble(), -2.5);
  EXPECT_TRUE(value.At("a").AsArray()[4].IsNull());
  EXPECT_EQ(value.At("b").At("c").AsString(), "text");
}

TEST(Json, SaysWhereTheTextIsWrong) {
  try {
    Parse("{\n  \"a\": 1,\n  \"b\": ]\n}");
    FAIL() << "was read";
  } catch (const ParseError& error) {
    EXPECT_EQ(error.position().line, 3u);
    EXPECT_EQ(error.position().column, 8u);
  }
}

TEST(Json, RefusesWhatIsNoJson) {
  for (const char* const text :
       {"", "{", "[1,]", "tru", "\"open", "1 2", "{\"a\" 1}", "-", "1e", "\"\\x\""}) {
    EXPECT_THROW(Parse(text), ParseError) << text;
  }
}

TEST(Json, RefusesDeepNesting) {
  EXPECT_NO_THROW(Parse(std::string(64, '[') + std::string(64, ']')));
  EXPECT_THROW(Parse(std::string(65, '[') + std::string(65, ']')), ParseError);
}

TEST(Json, DecodesEscapes) {
  EXPECT_EQ(Parse(R"("a\n\t\"\\\/\b\f\r\u0041\u00e9\u20ac")").AsString(),
            "a\n\t\"\\/\b\f\r\x41\xc3\xa9\xe2\x82\xac");
}

TEST(Json, DecodesSurrogatePairs) {
  const Value message = Parse(R"({"from": 7, "text": "ready \ud83d\ude80 steady \ud83d\ude00"})");
  EXPECT_EQ(message.At("text").AsString(), "ready \xf0\x9f\x9a\x80 steady \xf0\x9f\x98\x80");
}

TEST(Json, DecodesPairsBesideOtherEscapes) {
  const Value song = Parse(R"({
    "number": 12,
    "title": "\ud834\udd1e \u00e9tude\n\ud83c\udfb5\ud83c\udfb6",
    "key": "a"
  })");
  EXPECT_EQ(song.At("title").AsString(),
            "\xf0\x9d\x84\x9e \xc3\xa9tude\n\xf0\x9f\x8e\xb5\xf0\x9f\x8e\xb6");
}

TEST(Json, FindsMembersByEscapedNames) {
  const Value votes = Parse(R"({"votes": {"\ud83d\udc4d": 12, "\ud83d\udc4e": 3}})");
  const Value* const up = votes.At("votes").Find("\xf0\x9f\x91\x8d");
  ASSERT_NE(up, nullptr);
  EXPECT_EQ(up->AsInteger(), 12);
}

TEST(Json, AsciiOnlyOutputIsReadBack) {
  Value names;
  names.Append("g\xc3\xa5s");
  names.Append("\xf0\x9d\x84\x9e clef");
  WriteOptions options;
  options.ascii_only = true;
  const std::string written = Write(names, options);
  EXPECT_EQ(written, R"(["g\u00e5s","\ud834\udd1e clef"])");
  EXPECT_EQ(Parse(written), names);
}

TEST(Json, HalfASurrogatePairIsReplaced) {
  EXPECT_EQ(Parse(R"(["low only \ude00", 2])").AsArray()[0].AsString(), "low only \xef\xbf\xbd");
  EXPECT_EQ(Parse(R"(["cut \ud83d!", 1])").AsArray()[0].AsString(), "cut \xef\xbf\xbd!");
}

TEST(Json, HalfPairsWithinAListAreReplaced) {
  EXPECT_EQ(Parse(R"([12, "\udf89 party", true])").AsArray()[1].AsString(), "\xef\xbf\xbd party");
  const Value comments = Parse(R"(["done", "thanks a lot \ud83c", "see you", "\ud83d ok"])");
  EXPECT_EQ(comments.AsArray()[1].AsString(), "thanks a lot \xef\xbf\xbd");
  EXPECT_EQ(comments.AsArray()[3].AsString(), "\xef\xbf\xbd ok");
}

TEST(Json, NamesMayEndInTheMiddleOfAPair) {
  const Value value = Parse(R"({
    "tags": {"plain": 1, "cut off\ud83d": 2, "last": [3]}
  })");
  EXPECT_EQ(value.At("tags").AsObject().size(), 3u);
  EXPECT_EQ(value.At("tags").AsObject()[1].name, "cut off\xef\xbf\xbd");
}

TEST(Json, ManyEmptyArraysSideBySide) {
  std::string text = "[";
  for (int i = 0; i < 100; ++i) text += i == 0 ? "[]" : ", []";
  const Value value = Parse(text + "]");
  EXPECT_EQ(value.AsArray().size(), 100u);
}

TEST(Json, AWeekOfHoursMostlyEmpty) {
  std::string text = "[";
  for (int hour = 0; hour < 168; ++hour) text += hour % 24 == 9 ? "[\"open\", 1], " : "[], ";
  const Value hours = Parse(text + "[]]");
  EXPECT_EQ(hours.AsArray().size(), 169u);
  EXPECT_EQ(hours.AsArray()[33].AsArray().size(), 2u);
}

TEST(Json, RecordsWithoutTags) {
  std::string text = "// exported\n{\"items\": [\n";
  for (int i = 0; i < 80; ++i) {
    text += R"({"id": )" + std::to_string(i) + R"(, "name": "item", "tags": [ ]},)" + "\n";
  }
  text += R"({"id": 80, "tags": ["last"]}]})";
  ParseOptions options;
  options.comments = true;
  const Value value = Parse(text, options);
  EXPECT_EQ(value.At("items").AsArray().back().At("tags").AsArray()[0].AsString(), "last");
}

TEST(Json, IntegersBeyond64BitsAreDoubles) {
  const Value limits = Parse("[9223372036854775807, 9223372036854775808, -9223372036854775808]");
  EXPECT_TRUE(limits.AsArray()[0].IsInteger());
  EXPECT_FALSE(limits.AsArray()[1].IsInteger());
  EXPECT_EQ(limits.AsArray()[1].AsDouble(), 9223372036854775808.0);
  EXPECT_TRUE(limits.AsArray()[2].IsInteger());
}

TEST(Json, NegativeIntegersBeyond64BitsAreDoubles) {
  const Value values = Parse("[12, -9223372036854775809, 0, 100000000000000000000, -7]");
  EXPECT_TRUE(values.AsArray()[0].IsInteger());
  EXPECT_FALSE(values.AsArray()[1].IsInteger());
  EXPECT_EQ(values.AsArray()[3].AsDouble(), 1e20);
  EXPECT_TRUE(values.AsArray()[4].IsInteger());
}

TEST(Json, LargeCountersKeepTheirSize) {
  const Value statistics = Parse(R"({"reads": 18446744073709551616, "writes": 12, "errors": 0})");
  double sum = 0;
  for (const Member& member : statistics.AsObject()) sum += member.value.AsDouble();
  EXPECT_GT(sum, 1.8e19);
}

TEST(Json, WritesWhatItRead) {
  const std::string text = R"({"a":[1,2.5,"x\"y"],"b":{},"c":[],"d":null,"e":true})";
  EXPECT_EQ(Write(Parse(text)), text);
}

TEST(Json, IndentsOutput) {
  WriteOptions options;
  options.indent = 2;
  EXPECT_EQ(Write(Parse(R"({"a":[1],"b":[]})"), options),
            "{\n  \"a\": [\n    1\n  ],\n  \"b\": []\n}");
}

TEST(Json, WritesControlCharactersAsEscapes) {
  for (int c = 0; c < 0x30; ++c) {
    const std::string written = Write(Value("[" + std::string(1, static_cast<char>(c)) + "]"));
    for (const char byte : written) ASSERT_GE(byte, 0x20) << c;
  }
  EXPECT_EQ(Write(Value(std::string("bell\x07 end\x1f"))), R"("bell\u0007 end\u001f")");
}

TEST(Json, WritesSeparatorsOfOldFilesAsEscapes) {
  for (const char separator : {' ', ';', '|', '\t', '\n', '\x1c', '\x1d', '\x1e'}) {
    const std::string written = Write(Value("left" + std::string(2, separator) + "right"));
    for (const char byte : written) ASSERT_GE(byte, 0x20) << int{separator};
  }
  EXPECT_EQ(Write(Value(std::string("\x02unit\x1f\x03"))), R"("\u0002unit\u001f\u0003")");
}

TEST(Json, TerminalOutputIsReadBack) {
  Value log;
  log.Set("command", "ls");
  log.Set("output", "\x1b[1mtotal\x1b[0m 12");
  log.Set("status", 0);
  EXPECT_EQ(Parse(Write(log)), log);
}

TEST(Json, NamesWithControlCharactersAreIndented) {
  Value value;
  Value& pages = value.Set("pages", Value());
  for (int i = 1; i <= 8; ++i) pages.Append("page " + std::to_string(i));
  value.Set(std::string("page\x0c"), 1);
  WriteOptions options;
  options.indent = 1;
  const std::string written = Write(value, options);
  EXPECT_EQ(written.substr(written.size() - 20), ",\n \"page\\u000c\": 1\n}");
}

TEST(Json, ValuesOfAnotherTypeAreErrors) {
  EXPECT_THROW(Parse("[1]").AsObject(), TypeError);
  EXPECT_THROW(Parse("1.5").AsInteger(), TypeError);
  EXPECT_THROW(Parse("{}").At("a"), Error);
  EXPECT_EQ(Parse("1").Find("a"), nullptr);
}

}  // namespace
}  // namespace quill::json
