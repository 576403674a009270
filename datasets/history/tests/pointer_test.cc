#include "quill/json/pointer.h"

#include <gtest/gtest.h>

#include "quill/json/parser.h"
#include "quill/json/writer.h"

namespace quill::json {
namespace {

TEST(Pointer, FindsMembersAndElements) {
  const Value root = Parse(R"({"servers": [{"name": "a"}, {"name": "b", "a/b": 1}], "m~n": 8})");
  EXPECT_EQ(Pointer::FromText("/servers/1/name").Find(root)->AsString(), "b");
  EXPECT_EQ(Pointer::FromText("/servers/1/a~1b").Find(root)->AsInteger(), 1);
  EXPECT_EQ(Pointer::FromText("/m~0n").Find(root)->AsInteger(), 8);
  EXPECT_EQ(Pointer::FromText("").Find(root), &root);
  EXPECT_EQ(Pointer::FromText("/servers/2").Find(root), nullptr);
  EXPECT_EQ(Pointer::FromText("/servers/x").Find(root), nullptr);
  EXPECT_THROW(Pointer::FromText("servers"), Error);
}

TEST(Pointer, SetsWhatIsMissing) {
  Value root = Parse(R"({"list": [1]})");
  Pointer::FromText("/list/-").Set(root, 2);
  Pointer::FromText("/deep/er").Set(root, true);
  EXPECT_EQ(Write(root), R"({"list":[1,2],"deep":{"er":true}})");
  EXPECT_THROW(Pointer::FromText("/list/9").Set(root, 2), Error);
}

TEST(Pointer, RemovesMembers) {
  Value root = Parse(R"({"a": {"b": 1, "c": 2}})");
  EXPECT_TRUE(Pointer::FromText("/a/b").Remove(root));
  EXPECT_FALSE(Pointer::FromText("/a/b").Remove(root));
  EXPECT_EQ(Write(root), R"({"a":{"c":2}})");
}

TEST(Pointer, ATildeBeforeAOneIsNoSlash) {
  const Value root = Parse(R"({"home": {"~1": "backup", "/": "root"}})");
  const Value* const found = Pointer::FromText("/home/~01").Find(root);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->AsString(), "backup");
}

TEST(Pointer, ATildeBeforeAOneWithinANameIsNoSlash) {
  const Value root = Parse(R"({
    "files": [{"size": 3}, {"report~1.txt": "short name", "report/.txt": "none", "size": 40}]
  })");
  const Value* const found = Pointer::FromText("/files/1/report~01.txt").Find(root);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->AsString(), "short name");
}

TEST(Pointer, WrittenPointersAreReadBack) {
  for (const char* const name : {"plain", "a/b", "a~b", "~0", "/~", "", "//", "~1draft", "x~1"}) {
    Pointer pointer;
    pointer.Append("files").Append(name).Append("0");
    EXPECT_EQ(Pointer::FromText(pointer.ToText()).ToText(), pointer.ToText());
  }
}

TEST(Pointer, SetsMembersNamedWithTildes) {
  Value root;
  Pointer::FromText("/paths/tmp").Set(root, "scratch");
  Pointer::FromText("/paths/m~0n").Set(root, "tilde");
  Pointer::FromText("/paths/~01").Set(root, "old home");
  EXPECT_EQ(Write(root), R"({"paths":{"tmp":"scratch","m~n":"tilde","~1":"old home"}})");
}

}  // namespace
}  // namespace quill::json
