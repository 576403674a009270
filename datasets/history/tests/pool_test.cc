#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "quill/pool/string_pool.h"

namespace quill::pool {
namespace {

TEST(Arena, PiecesAreAligned) {
  Arena arena(256);
  for (const size_t align : {1u, 2u, 8u, 16u, 64u}) {
    arena.Allocate(3, 1);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(arena.Allocate(8, align)) % align, 0u);
  }
}

TEST(Arena, TakesBlocksAsNeeded) {
  Arena arena(128);
  for (int i = 0; i < 10; ++i) arena.Allocate(60, 4);
  EXPECT_EQ(arena.blocks(), 5u);
  EXPECT_EQ(arena.used(), 600u);
  arena.Reset();
  EXPECT_EQ(arena.blocks(), 1u);
  EXPECT_EQ(arena.used(), 0u);
}

TEST(Arena, APieceMayBeLargerThanABlock) {
  Arena arena(64);
  arena.Allocate(10);
  void* const piece = arena.Allocate(1000);
  std::memset(piece, 0x5a, 1000);
  EXPECT_EQ(static_cast<char*>(piece)[999], 0x5a);
}

TEST(StringPool, TellsTextsApart) {
  StringPool pool;
  const Symbol a = pool.Intern("a");
  const Symbol b = pool.Intern("b");
  EXPECT_NE(a, b);
  EXPECT_EQ(pool.Intern("a"), a);
  EXPECT_EQ(pool.Name(b), "b");
  EXPECT_EQ(pool.Find("c"), std::nullopt);
  EXPECT_EQ(pool.size(), 2u);
}

TEST(StringPool, NamesStayWhereTheyAre) {
  StringPool pool;
  const std::string_view first = pool.Name(pool.Intern("first"));
  for (int i = 0; i < 2000; ++i) pool.Intern("name " + std::to_string(i));
  EXPECT_EQ(first.data(), pool.Name(pool.Intern("first")).data());
}

TEST(StringPool, KeepsLongTexts) {
  StringPool pool;
  const std::string text(5000, 't');
  const Symbol symbol = pool.Intern(text);
  EXPECT_EQ(pool.Name(symbol), text);
}

TEST(StringPool, ClearForgetsTheNames) {
  StringPool pool;
  pool.Intern("alpha");
  pool.Clear();
  EXPECT_EQ(pool.size(), 0u);
  EXPECT_EQ(pool.Find("alpha"), std::nullopt);
}

TEST(StringPool, CanBeFilledAgain) {
  StringPool pool;
  for (const char* const name : {"north", "east", "south", "west"}) pool.Intern(name);
  pool.Clear();
  const Symbol south = pool.Intern("south");
  EXPECT_EQ(pool.Name(south), "south");
}

}  // namespace
}  // namespace quill::pool
